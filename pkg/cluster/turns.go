package cluster

import "slices"

// How long what was counted for somebody is kept when nobody asks for it.
const (
	sweepEvery  = 256  // decisions
	keptFor     = 4096 // decisions
	mostTallies = 1024 // beyond them, only what the last decisions asked for is kept
)

// Turn says that a decision begins. Counters that nobody has asked for in a long time
// are dropped now, so that none is while a decision reads it.
func (c *Cluster) Turn() {
	c.mustBeSettled()
	t := c.topology
	if t.turn++; t.turn%sweepEvery == 0 {
		t.sweep()
	}
}

func (t *topology) sweep() {
	oldest := t.oldest(keptFor)
	if len(t.tallies) > mostTallies {
		oldest = t.oldest(sweepEvery)
	}
	for _, tally := range t.tallies {
		if tally.used < oldest {
			t.dropTally(tally)
			continue
		}
		t.dropDomains(tally, oldest)
	}
	for key, a := range t.areas {
		if a.used < oldest && !t.counting(a) {
			delete(t.areas, key)
		}
	}
	for _, term := range t.terms {
		if term.users == 0 && term.used < oldest {
			t.dropTerm(term)
		}
	}
	for _, k := range t.kinds {
		if len(k.rows) == 0 && k.used < oldest {
			t.dropKind(k)
		}
	}
}

// dropDomains forgets by which keys and in which areas nobody asks for a tally any more.
func (t *topology) dropDomains(tally *Tally, oldest uint64) {
	tally.domains = slices.DeleteFunc(tally.domains, func(d *Domains) bool {
		if d.used >= oldest {
			return false
		}
		t.v.labels.release(d.key)
		return true
	})
}

// oldest returns the turn n decisions ago.
func (t *topology) oldest(n uint64) uint64 { return t.turn - min(n, t.turn) }

// counting reports whether some domains count in an area.
func (t *topology) counting(a *Area) bool {
	for _, tally := range t.tallies {
		for _, d := range tally.domains {
			if d.area == a {
				return true
			}
		}
	}
	return false
}
