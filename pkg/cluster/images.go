package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
)

// Image is a container image that some node has.
type Image struct {
	Size  int64 // bytes, as the first of the nodes that have it told
	Nodes int   // how many have it
	rows  bitset.Set
}

// On reports whether the node on row has the image.
func (i *Image) On(row int32) bool { return i.rows.Has(row) }

// Rows returns the rows that have the image. The set may be shorter than Rows.
func (i *Image) Rows() *bitset.Set { return &i.rows }

// images is the images by each of their names.
type images struct {
	byName map[string]*Image
	rows   [][]corev1.ContainerImage // by row: those that are in byName
}

func newImages() *images { return &images{byName: map[string]*Image{}} }

func (c *images) set(row int32, n *corev1.Node) {
	for int(row) >= len(c.rows) {
		c.rows = append(c.rows, nil)
	}
	now := n.Status.Images
	if slices.EqualFunc(c.rows[row], now, sameImage) { // most updates of a node
		c.tellAgain(now)
	} else {
		c.clear(row)
		for i := range now {
			for _, name := range now[i].Names {
				c.put(row, name, now[i].SizeBytes)
			}
		}
	}
	c.rows[row] = now
}

func sameImage(a, b corev1.ContainerImage) bool {
	return a.SizeBytes == b.SizeBytes && slices.Equal(a.Names, b.Names)
}

func (c *images) clear(row int32) {
	if int(row) >= len(c.rows) {
		return
	}
	for _, image := range c.rows[row] {
		for _, name := range image.Names {
			c.drop(row, name)
		}
	}
	c.rows[row] = nil
}

// put takes over that a node has an image. Of a name twice on a node, the first counts.
func (c *images) put(row int32, name string, size int64) {
	image := c.byName[name]
	if image == nil {
		image = &Image{Size: size}
		c.byName[name] = image
	}
	if image.On(row) {
		return
	}
	if int(row) >= image.rows.Len() {
		image.rows.Resize(int(row) + 1)
	}
	image.rows.Add(row)
	image.Nodes++
}

func (c *images) drop(row int32, name string) {
	image := c.byName[name]
	if image == nil || !image.On(row) { // the name was there twice
		return
	}
	image.rows.Remove(row)
	if image.Nodes--; image.Nodes == 0 {
		delete(c.byName, name)
	}
}

// tellAgain takes over sizes from a node that is seen again with the images it had. It may
// be alone with one by now, whose size another node had told.
func (c *images) tellAgain(list []corev1.ContainerImage) {
	for i := len(list) - 1; i >= 0; i-- { // of a name twice, the first counts
		for _, name := range list[i].Names {
			if image := c.byName[name]; image.Nodes == 1 {
				image.Size = list[i].SizeBytes
			}
		}
	}
}

// Image returns an image by one of its names, nil when no node has it.
func (v *View) Image(name string) *Image { return v.images.byName[name] }
