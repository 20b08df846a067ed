package sim

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// crowd is a filter that refuses nodes with two pods or more, and its mistakes.
type crowd struct {
	mistake string
	before  []int64 // pods on each row when the attempt began
}

func (*crowd) Name() string { return "Crowd" }

func (f *crowd) PreFilter(c *framework.Cycle) framework.Prep {
	f.before = append(f.before[:0], c.View.PodCount()...)
	switch f.mistake {
	case "skips":
		return framework.Prep{Skip: true}
	case "leaves no rows":
		return framework.Prep{Names: []string{}}
	case "rejects":
		return framework.Prep{Reject: framework.Reject(fwk.Unschedulable, "no")}
	}
	return framework.Prep{}
}

func (f *crowd) Narrow(c *framework.Cycle, fit *bitset.Set, why *framework.Verdicts) error {
	counts := c.View.PodCount()
	if f.mistake == "does not look at Try" {
		counts = f.before
	}
	var out bitset.Set
	out.Resize(c.View.Rows())
	for row, n := range counts {
		if n >= 2 {
			out.Add(int32(row))
		}
	}
	if f.mistake == "knows full masks only" && fit.Count() == 1 && c.View.Nodes() > 1 {
		out.Clear()
	}
	if why == nil {
		if f.mistake != "does nothing without reasons" {
			fit.AndNot(&out)
		}
		return nil
	}
	code, reason := fwk.Unschedulable, "crowded"
	switch f.mistake {
	case "gives another code":
		code = fwk.UnschedulableAndUnresolvable
	case "gives another reason":
		reason = "full"
	case "gives a reason twice":
		why.Note(fit, &out, fwk.UnschedulableAndUnresolvable, reason)
	case "notes and does not clear":
		why.Note(fit, &out, code, reason)
		return nil
	}
	why.Clear(fit, &out, code, reason)
	return nil
}

func plainCrowd(_ *corev1.Node, pods []*corev1.Pod, _ *corev1.Pod) (fwk.Code, []string) {
	if len(pods) >= 2 {
		return fwk.Unschedulable, []string{"crowded"}
	}
	return fwk.Success, nil
}

func TestJudgeFindsMistakes(t *testing.T) {
	f := func(mistake string) {
		t.Helper()
		for seed := range uint64(100) {
			if err := judge(seed, (*Gen).World, &crowd{mistake: mistake}, plainCrowd); err != nil {
				if text := err.Error(); !strings.Contains(text, "pod ") || !strings.Contains(text, "\n") {
					t.Errorf("a filter that %s: %s, want the pod and the world told", mistake, text)
				}
				return
			}
		}
		t.Errorf("a filter that %s is not found out", mistake)
	}
	f("skips")
	f("leaves no rows")
	f("rejects")
	f("does not look at Try")
	f("knows full masks only")
	f("does nothing without reasons")
	f("gives another code")
	f("gives another reason")
	f("gives a reason twice")
	f("notes and does not clear")

	Judge(t, 100, func() framework.Filter { return &crowd{} }, plainCrowd)
}

// loneliness is a scorer that counts pods on nodes, and its mistakes.
type loneliness struct{ mistake string }

func (*loneliness) Name() string { return "Loneliness" }

func (s *loneliness) PreScore(*framework.Cycle, []int32) framework.Prep {
	return framework.Prep{Skip: s.mistake == "skips"}
}

func (s *loneliness) Norm() framework.Norm {
	if s.mistake == "is not turned round" {
		return framework.NormMax
	}
	return framework.NormMaxReversed
}

func (s *loneliness) Score(c *framework.Cycle, rows []int32, out []int64) error {
	for i, row := range rows {
		if out[i] = c.View.PodCount()[row]; s.mistake == "counts one too many" {
			out[i]++
		}
	}
	return nil
}

func TestJudgeScoreFindsMistakes(t *testing.T) {
	plain := func(_ *corev1.Node, pods []*corev1.Pod, _ *corev1.Pod) int64 { return int64(len(pods)) }
	normal := func(raw []int64) []int64 {
		most := int64(1)
		for _, n := range raw {
			most = max(most, n)
		}
		for i, n := range raw {
			raw[i] = 100 - 100*n/most
		}
		return raw
	}
	for _, mistake := range []string{"skips", "is not turned round", "counts one too many"} {
		found := false
		for seed := uint64(0); seed < 100 && !found; seed++ {
			found = judgeScore(seed, (*Gen).World, &loneliness{mistake}, plain, normal) != nil
		}
		if !found {
			t.Errorf("a scorer that %s is not found out", mistake)
		}
	}
	JudgeScore(t, 100, func() framework.Scorer { return &loneliness{} }, plain, normal)
}
