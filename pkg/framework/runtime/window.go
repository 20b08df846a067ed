package runtime

// A Window limits an attempt to some of the feasible nodes, as percentageOfNodesToScore
// asks for. The search walks the nodes zone by zone in turn, starts where the last one
// stopped, and stops when it has found enough. All profiles share where that is.
//
// Every row has been narrowed by then: the window costs nothing to leave out and is
// there for those who set it.
type Window struct {
	next int // where the next search starts, in zone order
}

// Sample is how many nodes a profile wants to choose among.
type Sample int32

// AllNodes chooses among all feasible nodes. Adaptive looks for a share that falls with
// the size of the cluster, as upstream does when nothing is set. Else it is a percentage.
const (
	AllNodes Sample = -1
	Adaptive Sample = 0
)

const (
	fewNodes = 100 // so many are always looked for
	leastPct = 5
)

// enough returns how many feasible nodes are enough among n.
func (s Sample) enough(n int) int {
	if s == AllNodes || n < fewNodes {
		return n
	}
	pct := int(s)
	if s == Adaptive {
		pct = max(50-n/125, leastPct)
	}
	return max(n*pct/100, fewNodes)
}

// SampleFrom makes the chain choose among a sample of the feasible nodes. Without it all
// of them count.
func (ch *Chain) SampleFrom(w *Window, s Sample) { ch.window, ch.sample = w, s }

// Evaluated returns how many nodes the last Narrow looked at.
func (ch *Chain) Evaluated() int { return ch.evaluated }

// limit drops the feasible rows beyond what is enough, and lets the next search start at
// the first of them.
func (ch *Chain) limit() {
	if ch.window == nil || ch.sample == AllNodes {
		return
	}
	order := ch.cycle.View.InZoneOrder()
	if len(ch.narrowed) > 0 {
		ch.evaluated = ch.only.Count()
	}
	enough := ch.sample.enough(ch.evaluated)
	if len(ch.scorers) == 0 {
		enough = 1 // nothing to choose by
	}
	start := ch.window.next % len(order)
	if ch.fit.Count() > enough {
		ch.evaluated = ch.keepFirst(order, start, enough)
	}
	ch.window.next = (start + ch.evaluated) % len(order)
}

// keepFirst keeps the first feasible rows of an order, and returns how many rows come
// before the next one, of those that PreFilter left.
func (ch *Chain) keepFirst(order []int32, start, enough int) (before int) {
	found, looked := 0, 0
	for i := range order {
		row := order[(start+i)%len(order)]
		if len(ch.narrowed) > 0 && !ch.only.Has(row) {
			continue
		}
		looked++
		if !ch.fit.Has(row) {
			continue
		}
		if found++; found > enough {
			ch.fit.Remove(row)
		}
		if found == enough+1 {
			before = looked - 1
		}
	}
	return before
}
