package oracle

import (
	"fmt"
	"slices"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"
)

// Refusal is why a pod was refused: by whom, with which code, for which reasons.
// Reasons are sorted, as their order may be that of a map.
type Refusal struct {
	Plugin  string
	Code    fwk.Code
	Reasons []string
}

// String is "Plugin: Code: reason, reason".
func (r Refusal) String() string {
	if r.Code == fwk.Success {
		return "accepted"
	}
	return fmt.Sprintf("%s: %s: %s", r.Plugin, r.Code, strings.Join(r.Reasons, ", "))
}

// same compares two refusals. A side that does not know the plugin says nothing of it.
func (r Refusal) same(o Refusal) bool {
	return r.Code == o.Code && slices.Equal(r.Reasons, o.Reasons) &&
		(r.Plugin == o.Plugin || r.Plugin == "" || o.Plugin == "")
}

func refusal(plugin string, code fwk.Code, reasons []string) Refusal {
	reasons = slices.Clone(reasons)
	slices.Sort(reasons)
	return Refusal{Plugin: plugin, Code: code, Reasons: reasons}
}

// Answer is what one side says to a question.
type Answer struct {
	Gate Refusal // before the queue; the code is Success when the pod may enter

	Refused Refusal            // of every node at once, before any was looked at
	Nodes   map[string]Refusal // of single nodes; those that take the pod are not in it

	Narrowed []string // plugins whose PreFilter left nodes out, whoever is named for it

	Found   []string // nodes that the attempt chooses from, sorted
	Failure string   // what users read when nothing was found
	Plugins []string // who rejected, sorted, when nothing was found

	Scores map[string]map[string]int64 // weighted, by node found and plugin; 0 is left out
	Best   []string                    // nodes with the highest total, sorted
	Top    int64                       // that total
	Ties   int                         // how many nodes have it
	Chosen string                      // one of them
	Failed string                      // the error that scoring ended with

	Hints []Hint
	Woken []string // by event: whether it takes the pod out of the unschedulable ones; nil when not asked

	Before []bool // by nominated pod: whether the pod goes before it
}

// Hint is what one plugin says to one thing that happened, for the pod that it
// refused somewhere.
type Hint struct {
	Event  int    // of the question
	On     string // resource and action
	Plugin string
	Wake   Wake
	Err    string
}

// Wake is a hint's verdict.
type Wake string

// What a hint can say. Deaf means that the plugin listens to no such event.
const (
	Queue Wake = "Queue"
	Skip  Wake = "Skip"
	Deaf  Wake = "Deaf"
)

// rejectors returns the plugins that refused the pod, at the gate or for any node,
// in order of name.
func (a *Answer) rejectors() []string {
	var names []string
	add := func(r Refusal) {
		if r.Code != fwk.Success && r.Plugin != "" {
			names = append(names, r.Plugin)
		}
	}
	add(a.Gate)
	add(a.Refused)
	for _, r := range a.Nodes {
		add(r)
	}
	names = append(append(names, a.Plugins...), a.Narrowed...)
	slices.Sort(names)
	return slices.Compact(names)
}

// settleScores fills Best and Top from Scores.
func (a *Answer) settleScores() {
	for i, node := range a.Found {
		var total int64
		for _, score := range a.Scores[node] {
			total += score
		}
		switch {
		case i == 0 || total > a.Top:
			a.Best, a.Top = []string{node}, total
		case total == a.Top:
			a.Best = append(a.Best, node)
		}
	}
	a.Ties = len(a.Best)
}
