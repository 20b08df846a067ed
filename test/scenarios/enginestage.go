package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/plugins/podtopologyspread"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// engineStage plays on an engine with the default profile, plus one like it that is
// called "second", and "strict", which keeps pods of one service or controller off zones
// that have more of them. Its words, beside those of objects:
//
//	gone NAME, nodegone NAME        an object is gone
//	namespace NAME [team=a], namespacegone NAME     its options are labels
//	service NAME select="app=x", servicegone NAME
//	controller KIND NAME select="app=x", controllergone KIND NAME
//	decide, tick DURATION           drive; tick moves the clock as well
//	bound POD [node=], refused POD message=, lost POD, notfound POD    answers to the last bind
//	patched POD [failed=true]       an answer to a status patch; its condition is on the pod from then
//	answer POD keep=n1,n2 [fail=n3:reason] [error=]
//	allow POD, deny POD message=    for pods with the label permit:wait
//	state POD, queue, rows          look
//
// Pods with the label ask:yes are asked about; those with permit:wait wait on the
// plugin Usher for 10s; with permit:no they are refused by it; with hold:NAME they
// reserve something, which is ready once a pod with that name exists on a node.
type engineStage struct {
	*objects
	e       *engine.Engine
	now     clock.Now
	binds   map[string]engine.Bind
	patches map[string]engine.PatchStatus
	asks    map[string]engine.Ask
	log     []string
}

func newEngineStage(t *testing.T) stage {
	s := &engineStage{
		objects: newObjects(),
		now:     clock.Now{Wall: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
		binds:   map[string]engine.Bind{},
		patches: map[string]engine.PatchStatus{},
		asks:    map[string]engine.Ask{},
	}
	cfg := engine.Config{
		Compiler:       podspec.NewCompiler(),
		Seed:           1,
		Askers:         []engine.Asker{asker{}},
		InitialBackoff: time.Second, MaxBackoff: 10 * time.Second, UnschedulableTimeout: 5 * time.Minute,
	}
	for _, name := range []string{config.DefaultSchedulerName, "second", strict} {
		cfg.Profiles = append(cfg.Profiles, engine.Profile{Profile: runtime.AtAllPoints(name, s.profile(t, name)), Sample: runtime.AllNodes})
	}
	e, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.e = e
	return s
}

// strict is the profile that spreads pods over zones whether they say so or not.
const strict = "strict"

func (s *engineStage) profile(t *testing.T, name string) []runtime.Enabled {
	var enabled []runtime.Enabled
	for _, entry := range config.DefaultPlugins() {
		var args apiruntime.Object
		if name == strict && entry.Name == podtopologyspread.Name {
			args = &configv1.PodTopologySpreadArgs{
				DefaultingType: configv1.ListDefaulting, DefaultConstraints: object.PodOf("spread(1 zone)").Spec.TopologySpreadConstraints,
			}
		}
		plugin, err := plugins.New(entry.Name, args, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		enabled = append(enabled, runtime.Enabled{Plugin: plugin, Weight: entry.Weight})
	}
	return append(enabled, runtime.Enabled{Plugin: usher{s}}, runtime.Enabled{Plugin: porter{s}})
}

func (s *engineStage) do(w words) (string, error) {
	s.log = nil
	switch w.verb {
	case "node":
		n, err := s.node(w)
		if err != nil {
			return "", err
		}
		return s.step(engine.NodeSeen{Node: n}), nil
	case "pod":
		p, err := s.pod(w)
		if err != nil {
			return "", err
		}
		return s.step(engine.PodSeen{Pod: p}), nil
	case "again": // a late copy of an old version
		return s.step(engine.PodSeen{Pod: s.pods[w.arg(0)]}), nil
	case "gone":
		p := s.pods[w.arg(0)]
		delete(s.pods, w.arg(0))
		return s.step(engine.PodGone{Pod: podspec.RefOf(p)}), nil
	case "nodegone":
		return s.step(engine.NodeGone{Name: w.arg(0)}), nil
	case "decide":
		return s.step(engine.Decide{}), nil
	case "tick":
		d, err := time.ParseDuration(w.arg(0))
		s.now = s.now.Add(d)
		return s.step(engine.Tick{}), err
	}
	if in := s.relation(w); in != nil {
		return s.step(in), nil
	}
	return s.answer(w)
}

func (s *engineStage) answer(w words) (string, error) {
	name := w.arg(0)
	results := map[string]engine.BindResult{
		"bound": engine.Bound, "refused": engine.Refused, "lost": engine.Unknown, "notfound": engine.Gone,
		"withdrawn": engine.Withdrawn,
	}
	if result, isBind := results[w.verb]; isBind {
		b := s.binds[name]
		return s.step(engine.BindDone{Pod: b.Pod, Attempt: b.Attempt, Result: result, Node: w.opts["node"], Message: w.opts["message"]}), nil
	}
	switch w.verb {
	case "patched":
		return s.patched(name, w.opts["failed"] == "true"), nil
	case "answer":
		a := engine.Answered{Attempt: s.asks[name].Attempt, Error: w.opts["error"]}
		if keep := w.opts["keep"]; keep != "" {
			a.Keep = strings.Split(keep, ",")
		}
		if node, reason, ok := strings.Cut(w.opts["fail"], ":"); ok {
			a.Failed = []engine.NodeFail{{Node: node, Reason: reason}}
		}
		return s.step(a), nil
	case "allow":
		return s.step(engine.Allow{Pod: podspec.RefOf(s.pods[name]), Plugin: "Usher"}), nil
	case "deny":
		return s.step(engine.Deny{Pod: podspec.RefOf(s.pods[name]), Plugin: "Usher", Message: w.opts["message"]}), nil
	case "queue":
		return s.showQueue(), nil
	case "rows":
		return s.showRows(), nil
	}
	return "", fmt.Errorf("unknown word %q", w.verb)
}

// patched answers a status patch, and shows its result on the pod.
func (s *engineStage) patched(name string, failed bool) string {
	patch := s.patches[name]
	said := s.step(engine.StatusDone{Pod: patch.Pod, Failed: failed})
	if failed || patch.Condition == nil {
		return said
	}
	p := s.pods[name].DeepCopy()
	p.Status.Conditions = []corev1.PodCondition{*patch.Condition}
	p.ResourceVersion = s.next()
	s.pods[name] = p
	return said + s.step(engine.PodSeen{Pod: p})
}

func (s *engineStage) step(in engine.Input) string {
	out := s.e.Step(s.now, in)
	var b strings.Builder
	for _, line := range s.log {
		b.WriteString(line + "\n")
	}
	s.log = nil
	for _, d := range out.Decisions {
		b.WriteString(decisionLine(d))
	}
	for _, effect := range out.Effects {
		b.WriteString(s.effectLine(effect))
	}
	for _, done := range out.Settled {
		fmt.Fprintf(&b, "settled %s %s on %s\n", done.Pod.Name, done.Result, done.Node)
	}
	return b.String()
}

func decisionLine(d engine.Decision) string {
	line := fmt.Sprintf("%d: %s %s", d.Seq, d.Pod.Name, d.Verdict)
	if d.Verdict == engine.Placed {
		line += fmt.Sprintf(" on %s (%d of %d nodes fit, score %d, ties %d)", d.Node, d.Feasible, d.Nodes, d.Score, d.Ties)
	}
	if d.Message != "" {
		line += ": " + d.Message
	}
	if len(d.Plugins) > 0 {
		line += fmt.Sprintf(" %v", d.Plugins)
	}
	return line + "\n"
}

func (s *engineStage) effectLine(effect engine.Effect) string {
	switch f := effect.(type) {
	case engine.Bind:
		s.binds[f.Pod.Name] = f
		if f.Look {
			return fmt.Sprintf("   look for %s on %s, attempt %d\n", f.Pod.Name, f.Node, f.Attempt)
		}
		return fmt.Sprintf("   bind %s to %s, attempt %d\n", f.Pod.Name, f.Node, f.Attempt)
	case engine.PatchStatus:
		s.patches[f.Pod.Name] = f
		line := "   patch " + f.Pod.Name
		if c := f.Condition; c != nil {
			line += fmt.Sprintf(" %s=%s %s since %s", c.Type, c.Status, c.Reason, c.LastTransitionTime.UTC().Format(time.TimeOnly))
		}
		if f.Nominate != nil {
			line += " nominate=" + strconv.Quote(*f.Nominate)
		}
		return line + "\n"
	case engine.Event:
		return fmt.Sprintf("   event %s %s %s by %s\n", f.Pod.Name, f.Type, f.Reason, f.Profile)
	case engine.Ask:
		s.asks[f.Pod.Name] = f
		return fmt.Sprintf("   ask %s about %s: %v\n", f.Asker, f.Pod.Name, f.Nodes)
	}
	return fmt.Sprintf("   %T\n", effect)
}

func (s *engineStage) showQueue() string {
	var names []string
	for name, p := range s.pods {
		if it := s.e.Queue().Get(p.UID); it != nil {
			names = append(names, fmt.Sprintf("%s:%s", name, it.Place))
		}
	}
	slices.Sort(names)
	at, due := s.e.Next()
	next := "nothing due"
	if due {
		next = "due in " + (at - s.now.Mono).String()
	}
	return fmt.Sprintf("%v %s\n", names, next)
}

func (s *engineStage) showRows() string {
	v := s.e.View()
	var b strings.Builder
	for row := range v.Live().All() {
		fmt.Fprintf(&b, "%s cpu %d/%d:", v.Name(row), v.Requested(podspec.CPU)[row], v.Allocatable(podspec.CPU)[row])
		for p := range v.PodsOn(row) {
			place, _ := v.Lookup(p.UID)
			fmt.Fprintf(&b, " %s", p.Name)
			if place.Assumed {
				b.WriteString("(assumed)")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// asker stands for an extender.
type asker struct{}

func (asker) Name() string                   { return "oracle" }
func (asker) Interested(p *podspec.Pod) bool { return p.API.Labels["ask"] == "yes" }

// usher is a Permit and Reserve plugin whose answers are in the pod's labels.
type usher struct{ s *engineStage }

var (
	_ framework.Permitter = usher{}
	_ framework.Reserver  = usher{}
)

func (usher) Name() string { return "Usher" }

func (u usher) Permit(c *framework.Cycle, _ int32) (*fwk.Status, time.Duration) {
	switch c.Pod.API.Labels["permit"] {
	case "wait":
		return fwk.NewStatus(fwk.Wait), 10 * time.Second
	case "no":
		return fwk.NewStatus(fwk.Unschedulable, "the usher says no"), 0
	case "panic":
		panic("the usher fainted")
	}
	return nil, 0
}

// porter is a Reserve plugin after usher, which goes by another label.
type porter struct{ s *engineStage }

var _ framework.Reserver = porter{}

func (porter) Name() string { return "Porter" }

func (p porter) Reserve(c *framework.Cycle, _ int32) (framework.Hold, *fwk.Status) {
	if name, ok := c.Pod.API.Labels["bags"]; ok {
		return &hold{p.s, c.Pod.Name, name}, nil
	}
	return nil, nil
}

func (u usher) Reserve(c *framework.Cycle, _ int32) (framework.Hold, *fwk.Status) {
	if name, ok := c.Pod.API.Labels["hold"]; ok {
		return &hold{u.s, c.Pod.Name, name}, nil
	}
	return nil, nil
}
