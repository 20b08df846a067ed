package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/berth-scheduler/berth/test/bench/result"
	"github.com/berth-scheduler/berth/test/bench/workload"
)

// settings say what is measured.
type settings struct {
	mode       string
	out        string // folder of everything that is written
	schedulers []string
	cases      []result.Case
	notBuilt   []string // workloads that Berth cannot run yet
	runs       int      // of each scheduler in each case
	startups   int      // the same without pods
	strict     bool     // noise makes a run void
}

// mode is a set of settings with a name.
type mode struct {
	cases          string
	pods           int     // measured pods; 0 is the workload's own number for the nodes
	rate           float64 // pods/s in live mode
	runs, startups int
	strict         bool
}

// liveTime is how long pods are created in live mode.
const liveTime = 20 * time.Second

var modes = map[string]mode{
	"quick": {cases: "B1:1000,5000 NA:5000 U1:5000 HP:5000 TS:5000", pods: 1000, runs: 2, startups: 1},
	"full":  {cases: "all:1000,5000,15000", runs: 8, startups: 4, strict: true},
	"live":  {cases: "B1:5000", rate: 100, runs: 2},
}

// parseSettings reads the command line, which may change each part of a mode.
func parseSettings(args []string) (*settings, error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	s := &settings{}
	flags.StringVar(&s.mode, "mode", "quick", "one of "+strings.Join(slices.Sorted(maps.Keys(modes)), ", "))
	flags.StringVar(&s.out, "out", "_out/bench", "folder for data, results and the report")
	schedulers := flags.String("schedulers", "null,upstream,berth",
		"whom to measure, the last one being compared with the others; upstream-all scores all nodes")
	cases := flags.String("cases", "", "workloads and numbers of nodes, as in \"B1:1000,5000 NA:5000\"; all stands for every workload")
	pods := flags.Int("pods", 0, "measured pods")
	rate := flags.Float64("rate", 0, "pods/s in live mode")
	runs := flags.Int("runs", 0, "runs of each scheduler in each case")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	m, known := modes[s.mode]
	if !known || flags.NArg() > 0 {
		return nil, fmt.Errorf("there is no mode %q or argument %q, see -help", s.mode, flags.Args())
	}
	override(&m.cases, *cases)
	override(&m.pods, *pods)
	override(&m.runs, *runs)
	if m.rate > 0 {
		override(&m.rate, *rate)
	}
	s.runs, s.startups, s.strict = m.runs, m.startups, m.strict
	s.schedulers = strings.Split(*schedulers, ",")
	return s, errors.Join(s.checkSchedulers(), s.choose(m))
}

// override replaces a mode's value by one that was given.
func override[T comparable](value *T, given T) {
	var none T
	if given != none {
		*value = given
	}
}

func (s *settings) checkSchedulers() error {
	for _, name := range s.schedulers {
		if !slices.Contains(subjects, name) {
			return fmt.Errorf("there is no scheduler %q, only %v", name, subjects)
		}
	}
	return nil
}

// choose makes the cases of a mode, and leaves out what Berth cannot run yet.
func (s *settings) choose(m mode) error {
	set, err := workload.BuiltIn()
	if err != nil {
		return err
	}
	missing := missingPlugins(set)
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		s.notBuilt = append(s.notBuilt, fmt.Sprintf("%s needs %s", name, strings.Join(missing[name], ", ")))
	}
	for _, part := range strings.Fields(m.cases) {
		names, sizes, err := parseCases(set, part)
		if err != nil {
			return err
		}
		for _, name := range names {
			for _, nodes := range sizes {
				if err := s.add(set, m, name, nodes, missing[name]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// add adds one case, unless plugins are missing for it.
func (s *settings) add(set *workload.Set, m mode, name string, nodes int, missing []string) error {
	pods, err := set.FullPods(name, nodes)
	if err != nil || len(missing) > 0 {
		return err
	}
	if m.rate > 0 {
		pods = int(m.rate * liveTime.Seconds())
	}
	override(&pods, m.pods)
	s.cases = append(s.cases, result.Case{Workload: name, Nodes: nodes, Pods: pods, Rate: m.rate})
	return nil
}

// parseCases reads "B1:1000,5000".
func parseCases(set *workload.Set, part string) (names []string, sizes []int, err error) {
	name, list, _ := strings.Cut(part, ":")
	for size := range strings.SplitSeq(list, ",") {
		nodes, err := strconv.Atoi(size)
		if err != nil || nodes < 1 {
			return nil, nil, fmt.Errorf("want a workload and numbers of nodes as in B1:1000,5000, got %q", part)
		}
		sizes = append(sizes, nodes)
	}
	if name == "all" {
		return set.Names(), sizes, nil
	}
	return []string{name}, sizes, nil
}
