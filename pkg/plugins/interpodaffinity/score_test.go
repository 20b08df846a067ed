package interpodaffinity

import (
	"fmt"
	"strings"
	"testing"

	configv1 "k8s.io/kube-scheduler/config/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

func expectScores(t *testing.T, args *configv1.InterPodAffinityArgs, nodes, pod, raw, normal string) {
	t.Helper()
	r, n, err := sim.ScoresIn(New(args), object.PodOf(pod), place(nodes))
	got := [2]string{strings.Trim(fmt.Sprint(r), "[]"), strings.Trim(fmt.Sprint(n), "[]")}
	if err != nil || got != [2]string{raw, normal} {
		t.Errorf("%s on %s: %q, %v, want %q", pod, nodes, got, err, [2]string{raw, normal})
	}
}

func TestPreferredNeighboursCount(t *testing.T) {
	f := func(nodes, pod, raw, normal string) {
		t.Helper()
		expectScores(t, nil, nodes, pod, raw, normal)
	}
	regions := "a region=China: app=x | b region=India: app=y | c az=az1"
	f(regions, "likes(5 region app=x)", "5 0 0", "100 0 0")
	f(regions, "dislikes(5 region app=x)", "-5 0 0", "0 100 100")
	f(regions, "app=x", "0 0 0", "0 0 0")
	f(regions, "likes(5 nowhere app=x)", "0 0 0", "0 0 0")
	f(regions, "likes(5 region)", "0 0 0", "0 0 0")
	f(regions, "likes(5 region all)", "5 5 0", "100 100 0")
	f("a region=r1: 3 app=x | b region=r1 | c region=r2: 2 app=x", "likes(2 region app=x)", "6 6 4", "100 100 0")
	f("a region=r1: app=x deleting | b region=r2", "likes(5 region app=x)", "5 0", "100 0") // it counts
	f("a region=r1: app=x in(other) | b region=r2: app=x", "likes(5 region app=x)", "0 5", "0 100")
	f("a region=r1: app=x in(other) | b region=r2: app=x", "likes(5 region app=x nsel:team=a)", "5 0", "100 0")
	f("a region=r1: app=x in(other) | b region=r2 | c", "likes(5 region app=x nsel:team!=b)", "5 0 0", "100 0 0")
	f("a region=r1: app=x in(other) | b region=r2 | c", "likes(5 region app=x nsel:team!=a)", "0 0 0", "0 0 0") // excluded (case B39)
	// Each term counts by itself: a pod need not match both.
	f("a region=r1 az=z1: app=x tier=t | b region=r1 az=z2: app=x | c region=r2 az=z1: app=y",
		"likes(8 az app=x) likes(2 region tier=t)", "10 10 8", "100 100 0")
	f("a region=r1 az=z1: app=x; tier=t | b region=r1 az=z2: tier=t | c az=z3: app=x", "likes(5 az app=x) dislikes(3 region tier=t)", "-1 -6 5", "45 0 100")
	// Pods on a part of a domain only: all of it is as good.
	f("a region=r1: app=x | b region=r1", "likes(5 region app=x)", "5 5", "0 0")
	f("a: app=x | b: 2 app=x | c: 3 app=x | d", "likes(100 host app=x)", "100 200 300 0", "33 66 100 0")
	// The quotient is rounded first, so that 29 and 58 of 100 are a bit less than that.
	f("a: app=x | b: app=y | c: app=z | d", "likes(29 host app=x) likes(58 host app=y) likes(100 host app=z)", "29 58 100 0", "28 57 100 0")
}

func TestPodsOnNodesPreferAsWell(t *testing.T) {
	f := func(nodes, pod, raw, normal string) {
		t.Helper()
		expectScores(t, nil, nodes, pod, raw, normal)
	}
	f("a region=r1: likes(8 region app=x) | b region=r1 | c region=r2", "app=x", "8 8 0", "100 100 0")
	f("a region=r1: dislikes(8 region app=x) | b region=r2 | c", "app=x", "-8 0 0", "0 100 100")
	f("a region=r1: likes(8 region app=x) | b region=r2", "app=y", "0 0", "0 0")
	f("a region=r1: likes(8 region app=x) in(other) | b region=r2", "app=x", "0 0", "0 0")
	f("a region=r1: likes(8 region app=x) far(region app=-) | b region=r2", "app=x", "8 0", "100 0") // what can be read counts
	f("a region=r1: likes(8 region app=x nsel:team=a) | b region=r2 | c", "app=x in(other)", "8 0 0", "100 0 0")
	f("a region=r1: likes(8 region app=x); dislikes(8 region app=x) | b region=r2", "app=x", "0 0", "0 0") // they cancel
	f("a region=r1: 2 likes(8 region app=x) | b region=r2: likes(9 region app=x)", "app=x", "16 9", "100 0")
	// Both sides add up.
	f("a region=r1: app=y likes(8 region app=x) | b region=r2: app=y", "app=x likes(3 region app=y)", "11 3", "100 0")
}

func weighing(weight int32, ignore bool) *configv1.InterPodAffinityArgs {
	return &configv1.InterPodAffinityArgs{HardPodAffinityWeight: &weight, IgnorePreferredTermsOfExistingPods: ignore}
}

func TestRequiredTermsOfPodsOnNodesAttract(t *testing.T) {
	nodes := "a region=r1: near(region app=x) | b region=r1 | c region=r2"
	f := func(args *configv1.InterPodAffinityArgs, pod, raw, normal string) {
		t.Helper()
		expectScores(t, args, nodes, pod, raw, normal)
	}
	f(nil, "app=x", "1 1 0", "100 100 0")
	f(&configv1.InterPodAffinityArgs{}, "app=x", "1 1 0", "100 100 0")
	f(weighing(50, false), "app=x", "50 50 0", "100 100 0")
	f(weighing(0, false), "app=x", "0 0 0", "0 0 0")
	f(weighing(50, false), "app=y", "0 0 0", "0 0 0")
	expectScores(t, weighing(50, false), "a: far(host app=x) | b", "app=x", "0 0", "0 0") // anti-affinity does not
}

func TestPreferredTermsOfPodsOnNodesMayBeIgnored(t *testing.T) {
	f := func(pod, raw, normal string) {
		t.Helper()
		expectScores(t, weighing(5, true), "a region=r1: app=y likes(8 region app=x) near(region app=x) | b region=r2", pod, raw, normal)
	}
	f("app=x", "0 0", "0 0")
	f("app=x near(region app=y)", "0 0", "0 0")
	f("app=x likes(1 region app=y)", "14 0", "100 0") // the pod prefers something: all count
	f("app=x dislikes(1 region app=z)", "13 0", "100 0")
}

func TestUnreadableTermFailsTheScore(t *testing.T) {
	_, _, err := sim.ScoresIn(New(nil), object.PodOf("likes(1 zone app=-)"), place("a | b"))
	const want = `failed to parse pod: preferredAffinityTerms: values[0][app]: Invalid value: "-"`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
