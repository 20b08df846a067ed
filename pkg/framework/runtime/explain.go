package runtime

import (
	"fmt"
	"slices"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// Failure is why an attempt found no row.
type Failure struct {
	Nodes    int      // nodes that there were
	Plugins  []string // who rejected, in the order of the chain
	Pending  []string // those of them whose rejection had the code Pending
	message  string   // a PreFilter's; then counts is not used
	counts   map[string]int
	Nominate *string // PostFilter's wish, nil to leave the nomination alone
	extra    string  // PostFilter's messages
}

// Text is the failure as users read it in the condition and the event.
func (f *Failure) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "0/%d nodes are available:", f.Nodes)
	switch {
	case f.message != "":
		b.WriteString(" " + f.message + ".")
	case len(f.counts) > 0:
		b.WriteString(" " + counted(f.counts) + ".")
	}
	if f.extra != "" {
		b.WriteString(" " + f.extra)
	}
	return b.String()
}

// Text says that none of so many nodes takes the pod, for these reasons.
func Text(nodes int, reasons []string) string {
	f := Failure{Nodes: nodes, counts: map[string]int{}}
	for _, r := range reasons {
		f.counts[r]++
	}
	return f.Text()
}

// counted lists how often there is each reason, sorted as strings: "10 x" before "2 x".
func counted(reasons map[string]int) string {
	parts := make([]string, 0, len(reasons))
	for reason, n := range reasons {
		parts = append(parts, fmt.Sprintf("%d %s", n, reason))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// Explain runs the filters again for the pod of the last Narrow, in configured order
// and with verdicts. Narrow must have left no row.
func (ch *Chain) Explain() (f *Failure, err error) {
	defer ch.contain(&err)
	f = &Failure{Nodes: ch.cycle.View.Nodes()}
	ch.why.Reset(ch.cycle.View.Rows())
	if r := ch.refusal; r != nil {
		f.Plugins, f.message = r.plugins, strings.Join(r.Reasons, ", ")
		if r.Code == fwk.Pending {
			f.Pending = r.plugins
		}
		return f, ch.postFilter(f)
	}
	var fit bitset.Set
	fit.CopyFrom(ch.cycle.View.Live())
	ch.explainNarrowed(&fit)
	if err := ch.explainNominated(&fit); err != nil {
		return nil, err
	}
	if err := ch.explain(&fit); err != nil {
		return nil, err
	}
	f.Plugins = ch.why.Plugins()
	ch.explainAnswers(&fit, f)
	f.counts = ch.why.Counts()
	for _, name := range ch.narrowed {
		if !slices.Contains(f.Plugins, name) {
			f.Plugins = append(f.Plugins, name)
		}
	}
	ch.inOrder(f.Plugins)
	return f, ch.postFilter(f)
}

// inOrder puts plugins in the order of the chain, others behind. Rows with nominated
// pods were explained before the rest, so a later plugin may have spoken first.
func (ch *Chain) inOrder(plugins []string) {
	place := func(name string) int {
		if i := slices.IndexFunc(ch.steps, func(s step) bool { return s.name == name }); i >= 0 {
			return i
		}
		return len(ch.steps)
	}
	slices.SortStableFunc(plugins, func(a, b string) int { return place(a) - place(b) })
}

// explainNarrowed gives the rows that PreFilter excluded their reason. The node that the
// pod is nominated to was looked at all the same, so it has its own, and whoever refused
// it there is named among those that left nodes out.
func (ch *Chain) explainNarrowed(fit *bitset.Set) {
	if len(ch.narrowed) == 0 {
		return
	}
	var out bitset.Set
	out.CopyFrom(fit)
	out.AndNot(&ch.only)
	if row, known := ch.cycle.View.Row(ch.cycle.Pod.Nominated); known && ch.explainRow(fit, row) == nil {
		out.Remove(row)
	}
	names := append(ch.why.Plugins(), ch.narrowed...)
	slices.Sort(names)
	ch.why.By(ch.narrowed[0])
	ch.why.Clear(fit, &out, fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", slices.Compact(names)))
}

// explainNominated explains the rows with nominated pods: what counts there first is
// how the row looks with them.
func (ch *Chain) explainNominated(fit *bitset.Set) error {
	for _, node := range ch.nominator.Nodes() {
		row, known := ch.cycle.View.Row(node)
		if !known || !fit.Has(row) {
			continue
		}
		if err := ch.explainBeside(fit, row); err != nil {
			return err
		}
	}
	return nil
}

// explainBeside explains one row with the pods nominated there.
func (ch *Chain) explainBeside(fit *bitset.Set, row int32) error {
	mark := ch.cycle.Try.Mark()
	defer ch.cycle.Try.Rollback(mark)
	if !ch.addNominated(row, ch.nominator.Nominated(ch.cycle.View.Name(row))) {
		return nil
	}
	return ch.explainAlone(fit, row)
}

// explainAlone explains one row as it is.
func (ch *Chain) explainAlone(fit *bitset.Set, row int32) error {
	mask := ch.single(row)
	err := ch.explain(mask)
	if mask.Empty() {
		fit.Remove(row)
	}
	return err
}

// explainRow explains one row with the pods nominated there, and then without.
func (ch *Chain) explainRow(fit *bitset.Set, row int32) error {
	if err := ch.explainBeside(fit, row); err != nil || !fit.Has(row) {
		return err
	}
	return ch.explainAlone(fit, row)
}

func (ch *Chain) explain(fit *bitset.Set) error {
	for _, s := range ch.filters {
		if s.skipped || fit.Empty() {
			continue
		}
		ch.running = s.name
		ch.why.By(s.name)
		if err := s.filter.Narrow(&ch.cycle, fit, &ch.why); err != nil {
			return fmt.Errorf("running %q filter plugin: %w", s.name, err)
		}
	}
	return nil
}

// MakesRoom reports whether some plugin may make room where a pod has none.
func (ch *Chain) MakesRoom() bool { return len(ch.postFilters) > 0 }

// postFilter lets the PostFilter plugins make room, and adds what they say.
func (ch *Chain) postFilter(f *Failure) error {
	if !ch.MakesRoom() {
		return nil
	}
	since := ch.begin()
	code, err := ch.makeRoom(f)
	ch.ran(config.PostFilter, code, since)
	return err
}

// makeRoom asks one PostFilter after the other. Success says that one has made room.
func (ch *Chain) makeRoom(f *Failure) (code fwk.Code, err error) {
	var said []string
	code = fwk.Unschedulable
	since := ch.call()
	for _, p := range ch.postFilters {
		ch.running = p.Name()
		r := p.PostFilter(&ch.cycle, &ch.why)
		since = ch.called(p.Name(), config.PostFilter, outcomeOfPostFilter(&r), since)
		if r.Err != nil {
			return fwk.Error, fmt.Errorf("running PostFilter plugin %q: %w", p.Name(), r.Err)
		}
		if r.Message != "" {
			said = append(said, r.Message)
		}
		if r.Nominate != nil {
			f.Nominate = r.Nominate
		}
		code = min(code, outcomeOfPostFilter(&r))
		if r.Done {
			break
		}
	}
	f.extra = strings.Join(said, ", ")
	return code, nil
}

// Verdicts returns what the last Explain found, by row.
func (ch *Chain) Verdicts() *framework.Verdicts { return &ch.why }
