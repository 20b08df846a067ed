// Package imagelocality prefers nodes that have the pod's images already. An image
// that few nodes have counts less, so that its nodes do not draw every pod.
package imagelocality

import (
	"strings"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Name is the plugin's name in a profile.
const Name = "ImageLocality"

const (
	mib = 1 << 20

	least = 23 * mib   // what does not count: a small image is soon pulled
	most  = 1000 * mib // for each image of the pod; more does not count more
)

// ImageLocality is the plugin.
type ImageLocality struct{}

var (
	_ framework.Scorer = ImageLocality{}
	_ framework.Keeper = ImageLocality{}
)

// Name returns the plugin's name.
func (ImageLocality) Name() string { return Name }

// Score adds up, for each row, the images that are there.
func (ImageLocality) Score(c *framework.Cycle, rows []int32, out []int64) error {
	nodes := float64(c.View.Nodes())
	known := false
	for _, name := range c.Pod.Images {
		image := c.View.Image(name)
		if image == nil { // no node has it
			continue
		}
		known = true
		worth := int64(float64(image.Size) * (float64(image.Nodes) / nodes))
		addWhere(rows, out, image.Rows().Words(), worth)
	}
	if !known { // most clusters have not pulled it yet, or tell of no images
		return nil
	}
	ceiling := most * int64(len(c.Pod.Images))
	for i, sum := range out {
		out[i] = 0
		if ceiling > least {
			out[i] = 100 * (min(max(sum, least), ceiling) - least) / (ceiling - least)
		}
	}
	return nil
}

// addWhere adds worth to the rows that are in a set of words. Sums of sizes that no image
// has wrap, as upstream's do.
func addWhere(rows []int32, out []int64, words []uint64, worth int64) {
	for i, row := range rows {
		if w := int(row) >> 6; w < len(words) && words[w]>>(row&63)&1 != 0 { // row/64, row%64
			out[i] += worth
		}
	}
}

// Norm is none: scores are percentages.
func (ImageLocality) Norm() framework.Norm { return framework.NormNone }

// Fragment lists the images.
func (ImageLocality) Fragment(p *podspec.Pod) string { return strings.Join(p.Images, "\n") }

// Scope ends with any change of nodes, as their number divides.
func (ImageLocality) Scope() framework.Scope { return framework.UntilChange }
