package cluster_test

import (
	"testing"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestLogSaysWhenChangesFellOut(t *testing.T) {
	s := newStage(t)
	s.SetNode(object.Node("n1"))
	s.SetNode(object.Node("n2"))
	first, _ := s.Row("n1")
	log, start := s.Log(), s.Log().Seq()
	expect := func(seq uint64, complete bool, want int) {
		t.Helper()
		told := 0
		got := log.Since(seq, func(row int32) {
			if told++; (row == first) != (seq == start && told == 1) {
				t.Fatalf("row %d is change %d since %d", row, told, seq)
			}
		})
		if got != complete || told != want {
			t.Fatalf("since %d of %d: %d changes, all of them: %v, want %d and %v", seq, log.Seq(), told, got, want, complete)
		}
	}
	expect(start, true, 0)

	s.SetNode(object.Node("n1")) // the change that falls out first
	const room = 1 << 14
	for changes := 2; changes <= room; changes++ {
		s.SetNode(object.Node("n2"))
		if changes%1000 == 0 || changes >= room-2 {
			expect(start, true, changes)
		}
	}
	s.SetNode(object.Node("n2"))
	expect(start, false, 0) // nothing is told when something is missing
	expect(start+1, true, room)
	expect(log.Seq(), true, 0)
	expect(log.Seq()+1, false, 0) // somebody else's number
}
