package report

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/berth-scheduler/berth/test/bench/result"
)

// Measures of the chart, in pixels.
const (
	chartWidth = 760
	barLeft    = 260 // of the bars; left of them are the names
	barRight   = 680 // of the longest bar; its number stands right of it
	barHeight  = 14
	groupGap   = 12
	chartTop   = 44
)

// colours of the schedulers in order; the last one, which it is all about, stands out.
var (
	quiet    = []string{"#9aa5b1", "#c9b79c", "#a8c0a0"}
	standout = "#1f6feb"
)

// Chart returns bars of the CPU time a pod, a group for each case, in SVG.
func Chart(d *Data) string {
	var bars strings.Builder
	y := chartTop
	longest := d.longest()
	for _, c := range d.Cases {
		if len(d.Schedulers) == 0 || !d.has(c) {
			continue
		}
		label(&bars, 8, y+barHeight-3, "start", fmt.Sprintf("%s, %d nodes", name(c), c.Nodes))
		for i, scheduler := range d.Schedulers {
			d.bar(&bars, y, i, longest, result.Median(d.values(cpuPerPod, c, scheduler)))
			y += barHeight
		}
		y += groupGap
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">
<rect width="100%%" height="100%%" fill="#fff"/>
<text x="8" y="20" font-size="14">%s</text>
%s</svg>
`, chartWidth, y, html.EscapeString(d.Title+": "+cpuPerPod.title), bars.String())
}

// bar draws one scheduler's bar with its name and number.
func (d *Data) bar(b *strings.Builder, y, i int, longest, value float64) {
	colour := quiet[i%len(quiet)]
	if i == len(d.Schedulers)-1 {
		colour = standout
	}
	label(b, barLeft-6, y+barHeight-3, "end", d.Schedulers[i])
	width := 0.0
	if value > 0 {
		width = value / longest * (barRight - barLeft)
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", barLeft, y, width, barHeight-2, colour)
	}
	label(b, barLeft+int(width)+5, y+barHeight-3, "start", number(value))
}

func label(b *strings.Builder, x, y int, anchor, text string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(text))
}

// longest is the largest value of the chart, at least a little more than nothing.
func (d *Data) longest() float64 {
	longest := 1e-9
	for _, c := range d.Cases {
		for _, scheduler := range d.Schedulers {
			if value := result.Median(d.values(cpuPerPod, c, scheduler)); !math.IsNaN(value) {
				longest = max(longest, value)
			}
		}
	}
	return longest
}

// has tells whether there is a number of any scheduler in a case.
func (d *Data) has(c result.Case) bool {
	for _, scheduler := range d.Schedulers {
		if len(d.values(cpuPerPod, c, scheduler)) > 0 {
			return true
		}
	}
	return false
}
