package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/berth-scheduler/berth/test/bench/result"
)

// Markdown returns the page.
func Markdown(d *Data) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", d.Title)
	for _, line := range d.About {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	fmt.Fprintf(&b, "- %s\n", noiseLine(d.Results))
	for _, m := range metrics {
		if rows := d.rows(m); len(rows) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s", m.title, table(d.heading(m), rows))
		}
	}
	section(&b, "Not built yet", d.NotBuilt)
	section(&b, "Runs without a number", d.withoutNumber())
	return b.String()
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, line := range lines {
		fmt.Fprintf(b, "- %s\n", line)
	}
}

// heading names the columns of a metric's table.
func (d *Data) heading(m metric) []string {
	heading := []string{"workload", "nodes", "pods", "runs"}
	heading = append(heading, d.Schedulers...)
	if m.ratios {
		for _, other := range d.others() {
			heading = append(heading, d.subject()+" / "+other)
		}
	}
	return heading
}

// rows returns a metric's table, a row for each case of which there is a number.
func (d *Data) rows(m metric) [][]string {
	var rows [][]string
	for _, c := range d.Cases {
		medians := make([]float64, len(d.Schedulers))
		row := []string{name(c), strconv.Itoa(c.Nodes), strconv.Itoa(c.Pods), ""}
		runs := 0
		for i, scheduler := range d.Schedulers {
			values := d.values(m, c, scheduler)
			medians[i] = result.Median(values)
			runs = max(runs, len(values))
			row = append(row, withSpread(values))
		}
		if runs == 0 {
			continue
		}
		row[3] = strconv.Itoa(runs)
		if m.ratios {
			for i := range d.others() {
				row = append(row, number(medians[len(medians)-1]/medians[i]))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func name(c result.Case) string {
	if c.Rate > 0 {
		return fmt.Sprintf("%s at %g/s", c.Workload, c.Rate)
	}
	return c.Workload
}

// withSpread is a median and how far from it the runs are.
func withSpread(values []float64) string {
	text := number(result.Median(values))
	if len(values) > 1 {
		text += fmt.Sprintf(" ±%.0f%%", result.Spread(values)*100)
	}
	return text
}

// number writes three digits, no more being known, and - for NaN.
func number(value float64) string {
	switch size := math.Abs(value); {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return "-"
	case size >= 100:
		return strconv.FormatFloat(value, 'f', 0, 64)
	case size >= 10:
		return strconv.FormatFloat(value, 'f', 1, 64)
	case size >= 1:
		return strconv.FormatFloat(value, 'f', 2, 64)
	default:
		return strconv.FormatFloat(value, 'f', 3, 64)
	}
}

// table aligns columns, so that the page reads well as it is.
func table(heading []string, rows [][]string) string {
	widths := make([]int, len(heading))
	for _, row := range append([][]string{heading}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	line := func(row []string) {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
	}
	line(heading)
	rule := make([]string, len(heading))
	for i := range rule {
		rule[i] = strings.Repeat("-", widths[i])
	}
	line(rule)
	for _, row := range rows {
		line(row)
	}
	return b.String()
}
