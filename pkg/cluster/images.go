package cluster

import (
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
	rows   []map[string]struct{} // by row: the names that are in byName
}

func newImages() *images { return &images{byName: map[string]*Image{}} }

func (c *images) set(row int32, n *corev1.Node) {
	for int(row) >= len(c.rows) {
		c.rows = append(c.rows, nil)
	}
	now := map[string]struct{}{}
	for i := range n.Status.Images {
		for _, name := range n.Status.Images[i].Names {
			if _, twice := now[name]; !twice {
				now[name] = struct{}{}
				c.put(row, name, n.Status.Images[i].SizeBytes)
			}
		}
	}
	for name := range c.rows[row] {
		if _, still := now[name]; !still {
			c.drop(row, name)
		}
	}
	c.rows[row] = now
}

func (c *images) clear(row int32) {
	if int(row) >= len(c.rows) {
		return
	}
	for name := range c.rows[row] {
		c.drop(row, name)
	}
	c.rows[row] = nil
}

func (c *images) put(row int32, name string, size int64) {
	image := c.byName[name]
	if image == nil {
		image = &Image{Size: size}
		c.byName[name] = image
	}
	if image.On(row) {
		if image.Nodes == 1 { // who is alone to tell may tell anew
			image.Size = size
		}
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
	image.rows.Remove(row)
	if image.Nodes--; image.Nodes == 0 {
		delete(c.byName, name)
	}
}

// Image returns an image by one of its names, nil when no node has it.
func (v *View) Image(name string) *Image { return v.images.byName[name] }
