package cluster_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// seenImage is an image as the model knows it: its size is what the first told of the
// nodes that have it without a break.
type seenImage struct {
	size int64
	on   map[string]bool // by node name
}

// seeImages takes over the images of a node, nil when it is gone. What it told before
// does not count any more.
func (m *model) seeImages(name string, n *corev1.Node) {
	for image, seen := range m.images {
		if delete(seen.on, name); len(seen.on) == 0 {
			delete(m.images, image)
		}
	}
	if n == nil {
		return
	}
	for _, image := range n.Status.Images {
		for _, tag := range image.Names {
			if m.images[tag] == nil {
				m.images[tag] = &seenImage{size: image.SizeBytes, on: map[string]bool{}}
			}
			m.images[tag].on[name] = true
		}
	}
}

func (m *model) compareImages(v *cluster.View) error {
	for _, tag := range tags {
		got, want := v.Image(tag), m.images[tag]
		switch {
		case (got == nil) != (want == nil):
			return fmt.Errorf("image %s is known: %v, want %v", tag, got != nil, want != nil)
		case got == nil:
			continue
		case got.Size != want.size || got.Nodes != len(want.on):
			return fmt.Errorf("image %s has %d bytes and is on %d nodes, want %d and %d", tag, got.Size, got.Nodes, want.size, len(want.on))
		}
		for row := range int32(v.Rows()) {
			if has := want.on[v.Name(row)]; got.On(row) != has || got.Rows().Has(row) != has {
				return fmt.Errorf("image %s is on row %d: %v and %v, want %v", tag, row, got.On(row), got.Rows().Has(row), has)
			}
		}
	}
	return nil
}

// tags are the names that images of tapes may have.
var tags = []string{
	"app:1", "app", "app:latest", "db", "h:5000/x", "h:5000/x:latest", "y@sha256:0123", "none", "nobody:1",
}

func hasImage(size int64, names ...string) object.NodeFunc {
	return func(n *corev1.Node) {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{Names: names, SizeBytes: size})
	}
}

func TestImageHasTheSizeThatTheFirstNodeTold(t *testing.T) {
	s := newStage(t)
	expect := func(size int64, nodes int) {
		t.Helper()
		if got := s.Image("app:1"); got == nil || got.Size != size || got.Nodes != nodes {
			t.Errorf("image %+v, want %d bytes on %d nodes", got, size, nodes)
		}
	}
	s.SetNode(object.Node("n1", hasImage(5, "app:1", "app@sha256:0")))
	expect(5, 1)
	s.SetNode(object.Node("n2", hasImage(7, "app:1"), hasImage(9, "app:1"))) // twice is once
	expect(5, 2)
	s.SetNode(object.Node("n1", hasImage(6, "app:1"))) // others agreed to the old size
	expect(5, 2)
	if s.Image("app@sha256:0") != nil {
		t.Error("a name that no node has any more is known")
	}
	s.RemoveNode("n1")
	expect(5, 1)
	s.SetNode(object.Node("n2", hasImage(7, "app:1"), hasImage(9, "app:1"))) // the same again, but alone now
	expect(7, 1)
	s.SetNode(object.Node("n2", hasImage(8, "app:1"))) // nobody else has it
	expect(8, 1)
	s.SetNode(object.Node("n1", hasImage(3, "app:1")))
	expect(8, 2)
	s.SetNode(object.Node("n1"))
	s.SetNode(object.Node("n2"))
	if s.Image("app:1") != nil {
		t.Error("an image that no node has any more is known")
	}
	s.SetNode(object.Node("n1", hasImage(4, "app:1")))
	expect(4, 1)
}

func TestImagesThatDidNotChangeCostNoMemory(t *testing.T) {
	allocs := func(images int) float64 {
		s := newStage(t)
		first, second := object.Node("n1"), object.Node("n1")
		for i := range images {
			hasImage(int64(i), fmt.Sprint("app:", i))(first)
			hasImage(int64(i), fmt.Sprint("app:", i))(second)
		}
		s.SetNode(first)
		return testing.AllocsPerRun(10, func() {
			s.SetNode(second)
			s.SetNode(first)
		})
	}
	if got, want := allocs(50), allocs(0); got != want {
		t.Errorf("a node with 50 images is seen again in %v allocations, want %v as without images", got, want)
	}
}
