package cluster

import (
	"fmt"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// town is a cluster of two zones, and what is counted in it.
type town struct {
	*Cluster
	specs *podspec.Compiler
	pods  int
}

func newTown() *town {
	specs := podspec.NewCompiler()
	w := &town{Cluster: New(specs.Resources), specs: specs}
	w.SetNode(object.NodeOf("n1 zone=z1"))
	w.SetNode(object.NodeOf("n2 zone=z2"))
	return w
}

func (w *town) pod(words string) *podspec.Pod {
	w.pods++
	p := object.PodOf(words)
	p.UID = types.UID(strconv.Itoa(w.pods))
	return w.specs.Compile(p)
}

func everywhere(*podspec.Where) func(*corev1.Node) bool {
	return func(*corev1.Node) bool { return true }
}

// ask asks for what a pod's hard constraints go by, and for the terms that match it.
func (w *town) ask(p *podspec.Pod) {
	w.TermsFor(p)
	if p.Spread == nil {
		return
	}
	for i := range p.Spread.Hard {
		c := &p.Spread.Hard[i]
		w.Domains(w.Tally(&c.Pods), c.TopologyKey, w.Area(&c.Where, everywhere))
	}
}

// pass lets so many decisions pass, each of which asks for what the pods go by.
func (w *town) pass(decisions int, pods ...*podspec.Pod) {
	for range decisions {
		w.Turn()
		for _, p := range pods {
			w.ask(p)
		}
	}
}

func (w *town) expect(t *testing.T, when, want string) {
	t.Helper()
	domains, found := 0, len(w.topology.tallyFinder.other)+len(w.topology.termFinder.other)
	for _, tally := range w.topology.tallies {
		domains += len(tally.domains)
	}
	for _, list := range w.topology.tallyFinder.exact {
		found += len(list)
	}
	for _, list := range w.topology.termFinder.exact {
		found += len(list)
	}
	c := w.topology
	columns := map[partitionKey]bool{}
	for _, tally := range c.tallies {
		for _, d := range tally.domains {
			columns[d.partition.partitionKey] = true
		}
	}
	if len(c.partitions) != len(columns) {
		t.Errorf("%s: %d partitions, want %d", when, len(c.partitions), len(columns))
	}
	if got := fmt.Sprintf("kinds %d tallies %d domains %d areas %d terms %d", len(c.kinds), len(c.tallies), domains, len(c.areas), len(c.terms)); got != want {
		t.Errorf("%s: %s, want %s", when, got, want)
	}
	if n := c.tallyNumber.Len(); n != len(c.tallies) {
		t.Errorf("%s: %d tallies have numbers, want %d", when, n, len(c.tallies))
	}
	if found != len(c.tallies)+len(c.terms) {
		t.Errorf("%s: %d selectors can be found, want %d", when, found, len(c.tallies)+len(c.terms))
	}
}

func TestIdleCountersAreDropped(t *testing.T) {
	w := newTown()
	busy := w.pod("app=x spread(1 zone app=x)")
	idle := w.pod("app=y wants(zone=z1) spread(1 zone app=y) spread(1 host app=y)")
	w.ask(idle)
	w.ask(busy)
	w.expect(t, "at first", "kinds 0 tallies 2 domains 3 areas 1 terms 0")
	w.pass(keptFor, busy)
	w.expect(t, "just before", "kinds 0 tallies 2 domains 3 areas 1 terms 0")
	w.pass(sweepEvery, busy)
	w.expect(t, "after a long time", "kinds 0 tallies 1 domains 1 areas 0 terms 0")
	if w.Label("never") != nil || w.labels.columns[corev1.LabelHostname].holders != 0 || w.labels.columns[corev1.LabelTopologyZone].holders != 1 {
		t.Error("columns of labels are held for nobody")
	}
	w.pass(keptFor + sweepEvery)
	w.expect(t, "when nobody asks", "kinds 0 tallies 0 domains 0 areas 0 terms 0")
	w.ask(idle) // it comes back as new
	w.SetPod(withNode(w.pod("app=y"), "n2"))
	if d := w.domainsOf(idle, 1); d.Pods() != 1 || d.Min() != 0 {
		t.Errorf("%d pods, at least %d in each domain, want 1 and 0", d.Pods(), d.Min())
	}
}

func (w *town) domainsOf(p *podspec.Pod, i int) *Domains {
	c := &p.Spread.Hard[i]
	return w.Domains(w.Tally(&c.Pods), c.TopologyKey, nil)
}

func withNode(p *podspec.Pod, node string) *podspec.Pod {
	p.NodeName = node
	return p
}

// A selector that all use, each with nodes of its own, must not collect all of theirs.
func TestDomainsThatNobodyAsksForAreDroppedFromABusyTally(t *testing.T) {
	w := newTown()
	busy := w.pod("team=a spread(1 zone team=a)")
	for i := range 20 {
		w.ask(w.pod(fmt.Sprintf("team=a wants(disk=d%d) spread(1 zone team=a)", i)))
	}
	w.ask(busy)
	w.expect(t, "at first", "kinds 0 tallies 1 domains 21 areas 20 terms 0")
	w.pass(keptFor+2*sweepEvery, busy)
	w.expect(t, "after a long time", "kinds 0 tallies 1 domains 1 areas 0 terms 0")
}

// Two tallies share how an area is divided. That one goes must not take it from the other.
func TestWhatIsSharedStaysForTheOther(t *testing.T) {
	w := newTown()
	stays := w.pod("app=x wants(disk=ssd) spread(1 zone app=x)")
	w.ask(w.pod("app=y wants(disk=ssd) spread(1 zone app=y)"))
	w.ask(stays)
	w.expect(t, "at first", "kinds 0 tallies 2 domains 2 areas 1 terms 0")
	w.pass(keptFor+2*sweepEvery, stays)
	w.expect(t, "after a long time", "kinds 0 tallies 1 domains 1 areas 1 terms 0")
	w.SetPod(withNode(w.pod("app=x"), "n1"))
	w.SetNode(object.NodeOf("n1 zone=z3 disk=ssd"))
	c := &stays.Spread.Hard[0]
	d := w.Domains(w.Tally(&c.Pods), c.TopologyKey, w.Area(&c.Where, everywhere))
	if d.Len() != 2 || d.Pods() != 1 || d.Sum(w.Label(corev1.LabelTopologyZone).Number("z3")) != 1 {
		t.Errorf("%d pods in %d domains, %v, want the one in z3 of two", d.Pods(), d.Len(), d.Sums())
	}
}

func TestTermsAndKindsStayWhilePodsHaveThem(t *testing.T) {
	w := newTown()
	p := withNode(w.pod("app=x far(zone app=y nsel:all) likes(5 host app=z nsel:team=a)"), "n1")
	w.SetPod(p)
	if !w.TermsGoByNamespaces() {
		t.Error("no term goes by the labels of namespaces, want the preferred one")
	}
	w.TermsFor(w.pod("app=y")) // a kind that nobody on a node is of
	w.expect(t, "at first", "kinds 2 tallies 0 domains 0 areas 0 terms 2")
	w.pass(2 * keptFor)
	w.expect(t, "after a long time", "kinds 1 tallies 0 domains 0 areas 0 terms 2")
	if list := w.TermsFor(w.pod("app=y")); len(list) != 1 || list[0].Repelled.Empty() {
		t.Errorf("%d terms match, want the one of the pod on n1", len(list))
	}
	w.Remove(p.UID)
	w.pass(sweepEvery)
	w.expect(t, "just after", "kinds 2 tallies 0 domains 0 areas 0 terms 2")
	w.pass(keptFor + sweepEvery)
	w.expect(t, "a long time after the pod went", "kinds 0 tallies 0 domains 0 areas 0 terms 0")
	if w.TermsGoByNamespaces() {
		t.Error("a term that was dropped goes by the labels of namespaces")
	}
	for key, column := range w.labels.columns {
		if column.holders != 0 {
			t.Errorf("the column of %s is held by %d", key, column.holders)
		}
	}
	w.SetPod(p)
	if len(w.TermsFor(w.pod("app=y"))) != 1 {
		t.Error("a term that came back matches nobody")
	}
}

// follow lets so many pods come and go, and no decision pass.
func (w *town) follow(pods int) {
	for range pods {
		w.Remove(w.come().UID)
	}
}

// come lets a pod come to n1 that has its kind and its term to itself.
func (w *town) come() *podspec.Pod {
	p := withNode(w.pod(fmt.Sprintf("in(ns%d) job=j%d far(zone job=j%d)", w.pods, w.pods, w.pods)), "n1")
	w.SetPod(p)
	return p
}

func TestKindsAndTermsAreFewWithoutDecisions(t *testing.T) {
	w := newTown()
	stays := withNode(w.pod("app=x far(zone app=y)"), "n2")
	w.SetPod(stays)
	w.follow(3 * mostIdleKinds)
	want := fmt.Sprintf("kinds %d tallies 0 domains 0 areas 0 terms %d", mostIdleKinds+2, mostIdleTerms+2)
	w.expect(t, "after many pods", want) // the one that stays, and the last
	if list := w.TermsFor(w.pod("app=y")); len(list) != 1 || list[0].Repelled.Empty() {
		t.Errorf("%d terms match, want the one of the pod on n2", len(list))
	}
	var burst []*podspec.Pod
	for range 3 * mostIdleTerms {
		burst = append(burst, w.come())
	}
	for _, p := range burst {
		w.Remove(p.UID)
	}
	w.follow(200)
	w.expect(t, "after many that went at once", want)
	w.pass(keptFor + sweepEvery)
	w.expect(t, "after as many decisions", "kinds 1 tallies 0 domains 0 areas 0 terms 1")
}

func TestWhatDecisionsAskForStaysWhileOtherPodsComeAndGo(t *testing.T) {
	w := newTown()
	w.SetPod(withNode(w.pod("app=x far(zone app=y)"), "n2"))
	asks := w.pod("app=y spread(1 zone app=y)")
	w.pass(1, asks)
	tally, k := w.Tally(&asks.Spread.Hard[0].Pods), w.topology.kindOf(asks)
	for range 3 {
		w.follow(mostIdleKinds - 10)
		w.pass(1, asks)
	}
	if w.Tally(&asks.Spread.Hard[0].Pods) != tally || w.topology.kindOf(asks) != k {
		t.Error("what each decision asks for was dropped and made again")
	}
	w.follow(2 * mostIdleKinds)
	if w.Tally(&asks.Spread.Hard[0].Pods) != tally {
		t.Error("a tally was dropped without decisions")
	}
}

func TestTooManyTalliesAreDroppedSooner(t *testing.T) {
	w := newTown()
	for i := range mostTallies + 10 {
		w.ask(w.pod(fmt.Sprintf("app=x spread(1 zone app=a%d)", i)))
	}
	busy := w.pod("app=x spread(1 zone app=a7)")
	w.pass(sweepEvery, busy)
	if n := len(w.topology.tallies); n != mostTallies+10 {
		t.Errorf("%d tallies, want all kept that the last decisions asked for", n)
	}
	w.pass(sweepEvery, busy)
	w.expect(t, "two sweeps later", "kinds 0 tallies 1 domains 1 areas 0 terms 0")
}

// One selector that each pod uses on nodes of its own: each has a column of all rows.
func TestTooManyPartitionsAreDroppedSooner(t *testing.T) {
	w := newTown()
	for i := range mostPartitions + 10 {
		w.ask(w.pod(fmt.Sprintf("app=x wants(disk=d%d) spread(1 zone app=x)", i)))
	}
	busy := w.pod("app=x wants(disk=d7) spread(1 zone app=x)")
	w.pass(2*sweepEvery, busy)
	w.expect(t, "two sweeps later", "kinds 0 tallies 1 domains 1 areas 1 terms 0")
}
