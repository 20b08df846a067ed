// Package report turns results into what people and programs read: a page of tables in markdown, benchmark lines
// for benchstat, and a chart in SVG.
//
// It is given the cases in the order to show them, the schedulers with the one that it is all about as the last,
// and the results there are. It promises that a number is the median of good runs, that the CPU time of a backlog
// is counted beyond the start-up of the same case, and that a run without a number is named with the reason.
package report
