package cluster

// partition is how a topology key divides the rows of an area into domains. All counters
// that are asked for by the key, in the area, share it.
type partition struct {
	partitionKey
	label   *Label
	numbers []int32 // domain by row, [Absent] outside of the area too. Without an area, the label's are it
	users   int     // counters
}

type partitionKey struct {
	key  string
	area *Area // nil: all rows
}

func (t *topology) holdPartition(key partitionKey) *partition {
	p := t.partitions[key]
	if p == nil {
		p = &partition{partitionKey: key, label: t.v.labels.hold(key.key)}
		t.partitions[key] = p
		for row := range t.v.live.All() {
			p.check(row)
		}
	}
	p.users++
	return p
}

func (t *topology) releasePartition(p *partition) {
	if p.users--; p.users == 0 {
		delete(t.partitions, p.partitionKey)
		t.v.labels.release(p.key)
	}
}

// check finds out in which domain row is, after its label or the area has changed.
func (p *partition) check(row int32) {
	if p.area == nil {
		return
	}
	p.numbers = grown(p.numbers, int(row)+1)
	if p.numbers[row] = Absent; p.area.rows.Has(row) {
		p.numbers[row] = p.label.number(row)
	}
}

// column returns the domain in which each row counts, or [Absent].
func (p *partition) column(rows int) []int32 {
	if p.area == nil {
		return p.label.padded(rows)
	}
	p.numbers = grown(p.numbers, rows)
	return p.numbers
}
