// Package result is what a run of one scheduler gave, the file that keeps it, and the order of runs.
//
//	cell    one scheduler, one workload at one size, one mode: what is run once for each number of Run
//	result  what came of it: numbers, or the reason why there are none
//	store   a folder with a JSON file for each result
//
// A run that was measured well is not repeated as long as its file is there, so an interrupted series goes on
// where it ended. A run that failed, or that was void for noise, is.
package result
