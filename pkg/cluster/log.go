package cluster

// Log remembers which rows changed last, in order. Whoever derived something from
// rows keeps the sequence number up to which it is current and catches up:
//
//	if !log.Since(seen, repair) { rebuild() }
//	seen = log.Seq()
//
// It is a ring: older changes fall out, and then only a rebuild helps.
type Log struct {
	ring []int32
	next uint64 // changes ever recorded; ring[next%len] is written next
}

const logSize = 1 << 14 // changes; about three per pod bound

// Seq returns the number of changes recorded so far.
func (l *Log) Seq() uint64 { return l.next }

// Since calls visit with each row that changed after the first seq changes,
// oldest first, repeats included. It returns false, and visits nothing, when some
// of them have fallen out of the ring.
func (l *Log) Since(seq uint64, visit func(row int32)) bool {
	if l.next-seq > uint64(len(l.ring)) {
		return false
	}
	for ; seq < l.next; seq++ {
		visit(l.ring[seq%uint64(len(l.ring))])
	}
	return true
}

func (l *Log) add(row int32) {
	if l.ring == nil {
		l.ring = make([]int32, logSize)
	}
	l.ring[l.next%uint64(len(l.ring))] = row
	l.next++
}
