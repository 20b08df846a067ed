package cluster

import (
	"container/list"
	"slices"
)

// How long what was counted for somebody is kept when nobody asks for it.
const (
	sweepEvery     = 256  // decisions
	keptFor        = 4096 // decisions
	mostTallies    = 1024 // beyond them, only what the last decisions asked for is kept
	mostPartitions = 1024 // the same

	mostIdleKinds = 16_384 // without pods on rows; pods that wait ask for theirs at each event
	mostIdleTerms = 1024
)

// Turn says that a decision begins. Counters that nobody has asked for in a long time
// are dropped now, so that none is while a decision reads it.
func (c *Cluster) Turn() {
	c.mustBeSettled()
	t := c.topology
	t.turn++
	t.dropIdle()
	if t.turn%sweepEvery == 0 {
		t.sweep()
	}
}

// dropIdle drops kinds and terms that have been without pods for long, and beyond a number
// those that have been so the longest. Who only follows takes no turns, while pods of new
// kinds come and go: so it is called for each pod that is seen as well, which is never in
// the middle of a decision. A decision that asks for a kind again has it made again.
func (t *topology) dropIdle() {
	oldest := t.oldest(keptFor)
	for range portion(&t.idleKinds) {
		k := t.idleKinds.Front().Value.(*kind)
		if k.used >= oldest && t.idleKinds.Len() <= mostIdleKinds {
			break
		}
		t.dropKind(k)
	}
	for range portion(&t.idleTerms) {
		term := t.idleTerms.Front().Value.(*Term)
		if term.used >= oldest && t.idleTerms.Len() <= mostIdleTerms {
			break
		}
		t.dropTerm(term)
	}
}

// portion is how many of the idle are dropped at once: a few, as each may cost a look at all
// kinds, but more when there are many, so that they do not grow however fast they come.
func portion(idle *list.List) int { return min(idle.Len(), 16+idle.Len()/64) }

// sweep drops tallies, domains and areas. Only decisions ask for them.
func (t *topology) sweep() {
	oldest := t.oldest(keptFor)
	if len(t.tallies) > mostTallies || len(t.partitions) > mostPartitions {
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
}

// dropDomains forgets by which keys and in which areas nobody asks for a tally any more.
func (t *topology) dropDomains(tally *Tally, oldest uint64) {
	tally.domains = slices.DeleteFunc(tally.domains, func(d *Domains) bool {
		if d.used >= oldest {
			return false
		}
		t.releasePartition(d.partition)
		return true
	})
}

// oldest returns the turn n decisions ago.
func (t *topology) oldest(n uint64) uint64 { return t.turn - min(n, t.turn) }

// counting reports whether some domains count in an area.
func (t *topology) counting(a *Area) bool {
	for key := range t.partitions {
		if key.area == a {
			return true
		}
	}
	return false
}
