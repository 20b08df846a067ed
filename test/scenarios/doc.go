// Package scenarios plays plain-text plays against the core and compares what it
// said. A play is a file in testdata:
//
//	# Two pods, room for one.
//	> node n1 cpu=1
//	> pod a cpu=1
//	> pod b cpu=1
//	> decide
//	a placed on n1 (1/1 nodes)
//	bind a n1 attempt=1
//
// Lines with ">" are what happens; the lines below are what came of it. Run
//
//	go test ./test/scenarios -update
//
// to write down what comes now; the diff is the review. The words that a play may
// use are in the stage files of this package.
package scenarios
