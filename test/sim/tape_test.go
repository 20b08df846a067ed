package sim

import "testing"

func TestTapesPlayAndUseEveryVerb(t *testing.T) {
	verbs := map[Verb]int{}
	for seed := range Seeds(200) {
		player := NewPlayer()
		for _, op := range New(seed).Tape(60) {
			verbs[op.Verb]++
			player.Play(op)
		}
		if level := player.Cluster.Try().Mark(); level != 0 {
			t.Fatalf("seed %d: the Try is left open with %d changes", seed, level)
		}
	}
	for _, verb := range []Verb{
		SetNode, RemoveNode, SetPod, Assume, AssumeOn, Forget, Remove, TryAdd, TryRemove, TryMark, TryRollback,
	} {
		if verbs[verb] == 0 && *only == 0 {
			t.Errorf("no tape has %s", verb)
		}
	}
}
