package runtime

import (
	"fmt"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Narrow starts an attempt for p and finds the rows that take it. It returns how
// many there are. None is not an error: Explain tells why.
func (ch *Chain) Narrow(p *podspec.Pod) (rows int, err error) {
	defer ch.contain(&err)
	ch.start(p)
	since := ch.begin()
	err = ch.prepare()
	since = ch.ran(config.PreFilter, ch.outcomeOfPrepare(err), since)
	if err != nil || ch.refusal != nil {
		return 0, err
	}
	rows, err = ch.search()
	ch.ran(config.Filter, outcome(err), since)
	return rows, err
}

// search finds the rows that take the pod.
func (ch *Chain) search() (rows int, err error) {
	if found, err := ch.tryNominatedNode(); err != nil || found {
		ch.evaluated = 1
		return 1, err
	}
	ch.fit.CopyFrom(ch.cycle.View.Live())
	if len(ch.narrowed) > 0 {
		ch.fit.And(&ch.only)
	}
	if err := ch.narrow(&ch.fit); err != nil {
		return 0, err
	}
	if err := ch.narrowNominated(&ch.fit); err != nil {
		return 0, err
	}
	ch.limit()
	return ch.fit.Count(), nil
}

// Feasible returns the rows that are left.
func (ch *Chain) Feasible() *bitset.Set { return &ch.fit }

func (ch *Chain) start(p *podspec.Pod) {
	ch.cycle.Pod = p
	ch.refusal = nil
	ch.narrowed = ch.narrowed[:0]
	ch.answers = ch.answers[:0]
	ch.fit.Resize(ch.cycle.View.Rows()) // a rejected pod must not find an earlier one's rows
	ch.fit.Clear()
	ch.evaluated = ch.cycle.View.Nodes()
	for i := range ch.steps {
		ch.steps[i].skipped = false
	}
	for i := range ch.scorers {
		ch.scorers[i].skipped = false
	}
}

// prepare runs PreFilter in configured order. A rejection that nothing can resolve
// ends it; another is kept while the rest still prepare, as preemption needs them.
func (ch *Chain) prepare() error {
	since := ch.call()
	for i := range ch.steps {
		s := &ch.steps[i]
		if s.pre == nil {
			continue
		}
		ch.running = s.name
		prep := s.pre.PreFilter(&ch.cycle)
		since = ch.called(s.name, config.PreFilter, outcomeOf(&prep), since)
		if !prep.Skip {
			s.prepared++
		}
		switch {
		case prep.Err != nil:
			return fmt.Errorf("running PreFilter plugin %q: %w", s.name, prep.Err)
		case prep.Reject != nil:
			ch.refusal = &refusal{plugins: []string{s.name}, Rejection: prep.Reject}
			if prep.Reject.Code == fwk.UnschedulableAndUnresolvable {
				return nil
			}
		case prep.Skip:
			s.skipped = true
		case prep.Names != nil:
			if disjoint := ch.restrict(s.name, prep.Names); disjoint {
				ch.refusal = &refusal{plugins: slices.Clone(ch.narrowed), Rejection: framework.Reject(fwk.UnschedulableAndUnresolvable, ch.noneLeft())}
				return nil
			}
		}
	}
	ch.findNamed()
	return nil
}

// restrict leaves the nodes that another PreFilter named. It reports whether they have
// none in common with those named before. A node that is not there may be common: such a
// pod is refused node by node.
func (ch *Chain) restrict(plugin string, names []string) (disjoint bool) {
	ch.narrowed = append(ch.narrowed, plugin)
	if len(ch.narrowed) == 1 {
		ch.names = append(ch.names[:0], names...)
	} else {
		ch.names = slices.DeleteFunc(ch.names, func(name string) bool { return !slices.Contains(names, name) })
	}
	return len(ch.names) == 0
}

// noneLeft is the message for PreFilters whose names have none in common.
func (ch *Chain) noneLeft() string {
	if len(ch.narrowed) == 1 {
		return "node(s) didn't satisfy plugin " + ch.narrowed[0]
	}
	names := slices.Sorted(slices.Values(ch.narrowed))
	return fmt.Sprintf("node(s) didn't satisfy plugin(s) %v simultaneously", names)
}

// findNamed looks up the rows of the nodes that PreFilter left.
func (ch *Chain) findNamed() {
	if len(ch.narrowed) == 0 { // most pods
		return
	}
	ch.only.Resize(ch.cycle.View.Rows())
	ch.only.Clear()
	for _, name := range ch.names {
		if row, known := ch.cycle.View.Row(name); known {
			ch.only.Add(row)
		}
	}
}

// narrow runs the filters on fit, cheapest first, until no row is left.
func (ch *Chain) narrow(fit *bitset.Set) error {
	since := ch.call()
	for _, s := range ch.quick {
		if s.skipped {
			continue
		}
		ch.running = s.name
		if ch.probe != nil {
			s.narrowed += uint64(fit.Count())
		}
		err := s.filter.Narrow(&ch.cycle, fit, nil)
		since = ch.called(s.name, config.Filter, outcome(err), since)
		if err != nil {
			return fmt.Errorf("running %q filter plugin: %w", s.name, err)
		}
		if fit.Empty() {
			return nil
		}
	}
	return nil
}

// tryNominatedNode looks at the node that the pod is nominated to before any other.
func (ch *Chain) tryNominatedNode() (bool, error) {
	if ch.cycle.Pod.Nominated == "" { // most pods
		return false, nil
	}
	row, known := ch.cycle.View.Row(ch.cycle.Pod.Nominated)
	if !known {
		return false, nil
	}
	ch.fit.CopyFrom(ch.single(row))
	if err := ch.narrow(&ch.fit); err != nil || ch.fit.Empty() {
		return false, nil // what went wrong here shows again in the full search
	}
	err := ch.narrowNominated(&ch.fit)
	return err == nil && !ch.fit.Empty(), nil
}

// narrowNominated clears the rows that do not take the pod together with the pods
// nominated there.
func (ch *Chain) narrowNominated(fit *bitset.Set) error {
	for _, node := range ch.nominator.Nodes() {
		row, known := ch.cycle.View.Row(node)
		if !known || !fit.Has(row) {
			continue
		}
		ok, err := ch.fitsBeside(row, ch.nominator.Nominated(node))
		if err != nil {
			return err
		}
		if !ok {
			fit.Remove(row)
		}
	}
	return nil
}

// fitsBeside reports whether row takes the pod when those of the nominated pods
// count that it must respect.
func (ch *Chain) fitsBeside(row int32, nominated []*podspec.Pod) (bool, error) {
	mark := ch.cycle.Try.Mark()
	defer ch.cycle.Try.Rollback(mark)
	if !ch.addNominated(row, nominated) {
		return true, nil
	}
	mask := ch.single(row)
	err := ch.narrow(mask)
	return !mask.Empty(), err
}

func (ch *Chain) addNominated(row int32, nominated []*podspec.Pod) bool {
	added := false
	for _, n := range nominated {
		if n.UID != ch.cycle.Pod.UID && n.Priority >= ch.cycle.Pod.Priority {
			ch.cycle.Try.Add(n, row)
			added = true
		}
	}
	return added
}

// fits is Cycle.Fits: both passes for one row.
func (ch *Chain) fits(row int32) (bool, error) {
	mask := ch.single(row)
	if err := ch.narrow(mask); err != nil || mask.Empty() {
		return false, err
	}
	return ch.fitsBeside(row, ch.nominator.Nominated(ch.cycle.View.Name(row)))
}

// single returns a mask with one row, in a buffer that the next call reuses.
func (ch *Chain) single(row int32) *bitset.Set {
	ch.one.Resize(ch.cycle.View.Rows())
	ch.one.Clear()
	ch.one.Add(row)
	return &ch.one
}
