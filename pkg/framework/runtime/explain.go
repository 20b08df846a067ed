package runtime

import (
	"fmt"
	"slices"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
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
		parts := make([]string, 0, len(f.counts))
		for reason, n := range f.counts {
			parts = append(parts, fmt.Sprintf("%d %s", n, reason))
		}
		slices.Sort(parts) // as strings: "10 x" before "2 x"
		b.WriteString(" " + strings.Join(parts, ", ") + ".")
	}
	if f.extra != "" {
		b.WriteString(" " + f.extra)
	}
	return b.String()
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

// explainNarrowed gives the rows that PreFilter excluded their reason.
func (ch *Chain) explainNarrowed(fit *bitset.Set) {
	if len(ch.narrowed) == 0 {
		return
	}
	var out bitset.Set
	out.CopyFrom(fit)
	out.AndNot(&ch.only)
	ch.why.By(ch.narrowed[0])
	names := slices.Sorted(slices.Values(ch.narrowed))
	ch.why.Clear(fit, &out, fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", names))
}

// explainNominated explains the rows with nominated pods: what counts there first is
// how the row looks with them.
func (ch *Chain) explainNominated(fit *bitset.Set) error {
	for _, node := range ch.nominator.Nodes() {
		row, known := ch.cycle.View.Row(node)
		if !known || !fit.Has(row) {
			continue
		}
		mark := ch.cycle.Try.Mark()
		var err error
		if ch.addNominated(row, ch.nominator.Nominated(node)) {
			mask := ch.single(row)
			if err = ch.explain(mask); mask.Empty() {
				fit.Remove(row)
			}
		}
		ch.cycle.Try.Rollback(mark)
		if err != nil {
			return err
		}
	}
	return nil
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

// postFilter lets the PostFilter plugins make room, and adds what they say.
func (ch *Chain) postFilter(f *Failure) error {
	var said []string
	for _, p := range ch.postFilters {
		ch.running = p.Name()
		r := p.PostFilter(&ch.cycle, &ch.why)
		if r.Err != nil {
			return fmt.Errorf("running PostFilter plugin %q: %w", p.Name(), r.Err)
		}
		if r.Message != "" {
			said = append(said, r.Message)
		}
		if r.Nominate != nil {
			f.Nominate = r.Nominate
		}
		if r.Done {
			break
		}
	}
	f.extra = strings.Join(said, ", ")
	return nil
}

// Verdicts returns what the last Explain found, by row.
func (ch *Chain) Verdicts() *framework.Verdicts { return &ch.why }
