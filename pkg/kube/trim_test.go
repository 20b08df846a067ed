package kube

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/randfill"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

var seed = flag.Int64("seed", 1, "of random objects")

// filler fills every field of an object at random, with quantities and names from
// small sets so that pods and nodes have something to do with each other.
func filler(r *rand.Rand) *randfill.Filler {
	return randfill.New().RandSource(r).NilChance(0.4).NumElements(0, 3).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(int64(c.Intn(4)), resource.DecimalSI)
		},
		func(n *corev1.ResourceName, c randfill.Continue) {
			*n = []corev1.ResourceName{"cpu", "memory", "pods", "ephemeral-storage", "example.com/gpu"}[c.Intn(5)]
		},
		func(e *corev1.TaintEffect, c randfill.Continue) {
			*e = []corev1.TaintEffect{"", "NoSchedule", "PreferNoSchedule"}[c.Intn(3)]
		},
		func(k *corev1.PodConditionType, c randfill.Continue) {
			*k = []corev1.PodConditionType{corev1.PodScheduled, corev1.PodReady, corev1.PodResizePending}[c.Intn(3)]
		},
		func(s *metav1.LabelSelector, c randfill.Continue) { // one that is no selector is read in any order
			s.MatchLabels = map[string]string{[]string{"app", "tier"}[c.Intn(2)]: []string{"a", "b"}[c.Intn(2)]}
			if c.Intn(3) == 0 {
				s.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpExists}}
			}
		},
		func(t *metav1.Time, c randfill.Continue) { *t = metav1.Unix(int64(c.Intn(1000)), 0) },
	)
}

// Whatever is in an object, the engine must say the same to the whole one and to the
// trimmed one: decisions, events, conditions, texts.
func TestEngineSaysTheSameToTrimmedObjects(t *testing.T) {
	r := rand.New(rand.NewSource(*seed))
	fill := filler(r)
	whole, trimmed := newEngine(t), newEngine(t)
	placed := 0
	now := clock.Now{Wall: time.Unix(1, 0)}
	for i := range 1000 {
		now = now.Add(500 * time.Millisecond)
		a, b := randomFact(r, fill, i)
		for _, in := range [][2]engine.Input{{a, b}, {engine.Tick{}, engine.Tick{}}, {engine.Decide{}, engine.Decide{}}} {
			x, y := said(t, whole.Step(now, in[0])), said(t, trimmed.Step(now, in[1]))
			if x != y {
				t.Fatalf("-seed=%d, fact %d: to the whole object the engine says\n%s\nto the trimmed one\n%s", *seed, i, x, y)
			}
			placed += bytes.Count([]byte(x), []byte(`"verdict":"placed"`))
		}
	}
	if placed == 0 {
		t.Fatal("no pod was placed: the objects are too wild to show anything")
	}
}

// randomFact returns one fact about a whole object and about its trimmed copy.
func randomFact(r *rand.Rand, fill *randfill.Filler, i int) (whole, trimmed engine.Input) {
	if r.Intn(4) == 0 {
		n := &corev1.Node{}
		fill.Fill(n)
		n.Name, n.ResourceVersion = fmt.Sprint("n", r.Intn(5)), fmt.Sprint(i+1)
		n.Annotations = nil // their change is an event that no in-tree plugin asks for
		cut, _ := Trim(n.DeepCopy())
		return engine.NodeSeen{Node: n}, engine.NodeSeen{Node: cut.(*corev1.Node)}
	}
	p := &corev1.Pod{}
	fill.Fill(p)
	name := fmt.Sprint("p", r.Intn(20))
	p.Namespace, p.Name, p.UID, p.ResourceVersion = "ns", name, types.UID(name), fmt.Sprint(i+1)
	p.Spec.SchedulerName, p.Spec.NodeName = corev1.DefaultSchedulerName, ""
	if r.Intn(3) > 0 { // most random pods need what is not built
		p.Spec.Affinity, p.Spec.Volumes, p.Spec.NodeSelector, p.Spec.TopologySpreadConstraints, p.Spec.ResourceClaims = nil, nil, nil, nil, nil
		p.Spec.SchedulingGates, p.DeletionTimestamp = nil, nil
		p.Spec.Containers, p.Spec.InitContainers, p.Spec.Overhead = nil, nil, nil
	}
	if r.Intn(4) == 0 {
		p.Spec.NodeName = fmt.Sprint("n", r.Intn(6))
	}
	cut, _ := Trim(p.DeepCopy())
	return engine.PodSeen{Pod: p}, engine.PodSeen{Pod: cut.(*corev1.Pod)}
}

func said(t *testing.T, out engine.Output) string {
	t.Helper()
	var b bytes.Buffer
	if err := engine.WriteOutput(&b, out); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	var enabled []runtime.Enabled
	for _, entry := range config.DefaultPlugins() {
		p, err := plugins.New(entry.Name, nil, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		enabled = append(enabled, runtime.Enabled{Plugin: p, Weight: entry.Weight})
	}
	e, err := engine.New(engine.Config{
		Profiles: []engine.Profile{{Profile: runtime.AtAllPoints(corev1.DefaultSchedulerName, enabled), Sample: runtime.AllNodes}}, Compiler: podspec.NewCompiler(),
		InitialBackoff: time.Second, MaxBackoff: time.Second, UnschedulableTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A compiled pod is the same before and after, whatever is in it.
func TestCompileIsTheSameAfterTrim(t *testing.T) {
	fill := filler(rand.New(rand.NewSource(*seed)))
	c := podspec.NewCompiler()
	for i := range 500 {
		p := &corev1.Pod{}
		fill.Fill(p)
		want := c.Compile(p.DeepCopy())
		cut, err := Trim(p.DeepCopy())
		if err != nil {
			t.Fatal(err)
		}
		got := c.Compile(cut.(*corev1.Pod))
		want.API, got.API = nil, nil
		if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Fatalf("-seed=%d, pod %d: compiled whole and trimmed: -whole +trimmed\n%s", *seed, i, diff)
		}
	}
}
