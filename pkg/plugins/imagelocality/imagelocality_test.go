package imagelocality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainLocality gives each image of the pod that a node has the image's size, scaled by
// the share of nodes that have it. The size is what the first node told. The sum scores
// by where it is between 23 MiB and 1000 MiB for each image of the pod.
func plainLocality(nodes []*corev1.Node, node *corev1.Node, pod *corev1.Pod) int64 {
	wanted := plainImages(pod)
	sum := int64(0) // may wrap
	for _, name := range wanted {
		if _, has := plainSize(node, name); !has {
			continue
		}
		var first int64
		count := 0
		for _, n := range nodes {
			if size, has := plainSize(n, name); has {
				if count++; count == 1 {
					first = size
				}
			}
		}
		sum += int64(float64(first) * (float64(count) / float64(len(nodes))))
	}
	const mib = 1 << 20
	least, most := int64(23*mib), 1000*mib*int64(len(wanted))
	if most == 0 {
		return 0
	}
	return (min(max(sum, least), most) - least) * 100 / (most - least)
}

func plainImages(pod *corev1.Pod) []string {
	var names []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		names = append(names, c.Image)
	}
	for _, v := range pod.Spec.Volumes {
		if v.Image != nil {
			names = append(names, v.Image.Reference)
		}
	}
	for i, name := range names { // no tag behind the last slash stands for latest
		if path := strings.Split(name, "/"); !strings.Contains(path[len(path)-1], ":") {
			names[i] += ":latest"
		}
	}
	return names
}

// plainSize returns the size of an image that a node has. Of a name twice, the first counts.
func plainSize(n *corev1.Node, name string) (size int64, has bool) {
	for _, image := range n.Status.Images {
		if slices.Contains(image.Names, name) {
			return image.SizeBytes, true
		}
	}
	return 0, false
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	for _, draw := range []func(*sim.Gen) *sim.World{(*sim.Gen).Furnished, sim.Kind("images")} {
		sim.Each(t, 150, func(seed uint64) error {
			w := draw(sim.New(seed))
			var sites []sim.Site
			for _, n := range w.Nodes {
				sites = append(sites, sim.Site{Node: n})
			}
			for _, pod := range w.Pending {
				want := make([]int64, len(sites))
				for i, n := range w.Nodes {
					want[i] = plainLocality(w.Nodes, n, pod)
				}
				raw, normal, err := sim.Scores(ImageLocality{}, pod, sites...)
				if err != nil || !slices.Equal(raw, want) || len(sites) > 1 && !slices.Equal(normal, want) {
					return fmt.Errorf("%s: scores %v and %v, %v, want %v\n%s", sim.PodLine(pod), raw, normal, err, want, w)
				}
			}
			return nil
		})
	}
}

// having is a node for each text, with the images that it lists by their size in MiB:
// "40 300" has x/40:latest and x/300:latest.
func having(nodes ...string) []sim.Site {
	var sites []sim.Site
	for i, text := range nodes {
		node := object.Node(string(rune('a' + i)))
		for _, size := range strings.Fields(text) {
			var mib int64
			fmt.Sscan(size, &mib)
			node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{"x/" + size + ":latest"}, SizeBytes: mib << 20})
		}
		sites = append(sites, sim.Site{Node: node})
	}
	return sites
}

// using is a pod with a container for each image.
func using(sizes ...string) *corev1.Pod {
	p := object.Pod("p")
	p.Spec.Containers = nil
	for _, size := range sizes {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "c" + size, Image: "x/" + size})
	}
	return p
}

func expectScores(t *testing.T, pod *corev1.Pod, nodes []sim.Site, want ...int64) {
	t.Helper()
	raw, normal, err := sim.Scores(ImageLocality{}, pod, nodes...)
	if err != nil || !slices.Equal(raw, want) {
		t.Errorf("%s: scores %v, %v, want %v", sim.PodLine(pod), raw, err, want)
	}
	if len(nodes) > 1 && !slices.Equal(normal, raw) {
		t.Errorf("%s: normalised scores %v, want them unchanged: %v", sim.PodLine(pod), normal, raw)
	}
}

func TestLargeImagesThatAreThereCount(t *testing.T) {
	expectScores(t, using("40", "250"), having("40 300 2000", "250 10"), 0, 5)
	expectScores(t, using("40", "300"), having("40 300 2000", "250 10"), 7, 0)
	expectScores(t, using("10", "4000"), having("4000 10", "20"), 100, 0) // the ceiling
	expectScores(t, using("10", "4000"), having("4000", "20", "20"), 66, 0, 0)
	expectScores(t, using("300", "600", "900"), having("600 40 900", "300 600 900", ""), 32, 36, 0)
	expectScores(t, using("20", "30", "40"), having("20 30 40", "400 30"), 1, 0)
	expectScores(t, using("1000"), having("1000"), 100)
	expectScores(t, using("23"), having("23"), 0) // the floor
	expectScores(t, using("33"), having("33"), 1) // 10 of 977 above it
	expectScores(t, using("32"), having("32"), 0)
	expectScores(t, using("300", "300"), having("300", ""), 14, 0) // each use counts
	expectScores(t, using("300"), having("", ""), 0, 0)
	expectScores(t, using(), having("300", ""), 0, 0)
}

func TestInitContainersAndImageVolumesCount(t *testing.T) {
	nodes := having("300", "")
	volume, initial := using("7"), using("7")
	volume.Spec.Volumes = []corev1.Volume{
		{Name: "e", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: "i", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "x/300"}}},
	}
	initial.Spec.InitContainers = using("300").Spec.Containers
	expectScores(t, volume, nodes, 6, 0)
	expectScores(t, initial, nodes, 6, 0)
	expectScores(t, using("300", "7"), nodes, 6, 0) // an unknown image adds to the divisor
	expectScores(t, using("300"), nodes, 12, 0)
}
