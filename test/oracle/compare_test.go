package oracle

import (
	"fmt"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
)

// kindsOf compares two answers that were made from a plain one by changes.
func kindsOf(change func(up, our *Answer)) string {
	answer := func() *Answer {
		return &Answer{
			Nodes:  map[string]Refusal{"n0": refusal("P", fwk.Unschedulable, []string{"b", "a"})},
			Found:  []string{"n1", "n2"},
			Scores: map[string]map[string]int64{"n1": {"S": 3}, "n2": {"S": 4}},
			Best:   []string{"n2"}, Top: 4, Ties: 1, Chosen: "n2",
			Hints: []Hint{{On: "NodeAdd", Plugin: "P", Wake: Skip}},
		}
	}
	up, our := answer(), answer()
	change(up, our)
	text := ""
	for _, d := range Compare(up, our) {
		text += fmt.Sprintf("%s%s%s ", d.Kind, d.Node, d.Plugin)
	}
	return text
}

func TestCompare(t *testing.T) {
	f := func(want string, change func(up, our *Answer)) {
		t.Helper()
		if got := kindsOf(change); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f("", func(_, _ *Answer) {})
	f("gate ", func(_, our *Answer) { our.Gate = refusal("G", fwk.UnschedulableAndUnresolvable, nil) })
	f("order ", func(up, _ *Answer) { up.Before = []bool{true} })
	f("failed ", func(up, our *Answer) { up.Failed, our.Found = "boom", nil })
	f("failed ", func(up, our *Answer) { up.Failed, our.Failed = "boom", "bang" })
	f("", func(up, our *Answer) { up.Failed, our.Failed, our.Found = "boom", "boom", nil })
	f("refused ", func(_, our *Answer) { our.Refused, our.Nodes = refusal("P", fwk.Unschedulable, []string{"no"}), nil })
	f("noden0 ", func(_, our *Answer) { our.Nodes["n0"] = refusal("P", fwk.Unschedulable, []string{"a"}) })
	f("noden0 ", func(_, our *Answer) {
		our.Nodes["n0"] = refusal("P", fwk.UnschedulableAndUnresolvable, []string{"a", "b"})
	})
	f("noden0 ", func(_, our *Answer) { our.Nodes["n0"] = refusal("Q", fwk.Unschedulable, []string{"a", "b"}) })
	f("noden1 ", func(_, our *Answer) {
		our.Nodes["n1"], our.Found = refusal("P", fwk.Unschedulable, []string{"a"}), []string{"n2"} // that it is not found follows
	})
	f("", func(up, our *Answer) { // upstream does not say more of nodes that it left out
		up.Nodes["n0"] = Refusal{Code: fwk.UnschedulableAndUnresolvable}
		our.Nodes["n0"] = refusal("P", fwk.UnschedulableAndUnresolvable, []string{"left out"})
	})
	f("found ", func(_, our *Answer) { our.Found = []string{"n2"} })
	f("failure rejectors ", func(up, _ *Answer) { up.Failure, up.Plugins = "none", []string{"P"} })
	f("scoren1S ", func(_, our *Answer) { our.Scores["n1"]["S"], our.Top = 4, 9 })
	f("scoren1T ", func(_, our *Answer) { our.Scores["n1"]["T"] = 1 })
	f("top ", func(_, our *Answer) { our.Top = 5 })
	f("ties ", func(_, our *Answer) { our.Ties = 2 })
	f("choice ", func(_, our *Answer) { our.Chosen = "n1" })
	f("hintP ", func(_, our *Answer) { our.Hints[0].Wake = Queue })
	f("", func(_, our *Answer) { our.Hints[0].Wake = Deaf }) // comes to the same as Skip
	f("hintP ", func(up, our *Answer) { up.Hints[0].Wake, our.Hints[0].Wake, our.Hints[0].Err = Queue, Queue, "bad" })
	f("woken ", func(up, our *Answer) { up.Woken, our.Woken = []string{isWoken}, []string{stays} })
}
