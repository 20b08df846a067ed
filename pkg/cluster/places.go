package cluster

// places is in which domain of a topology key the pods on each row count. All tallies that
// are asked for by the key, in the area, share it.
type places struct {
	placesKey
	label   *Label
	numbers []int32 // without an area, those of the label are it
	users   int
}

type placesKey struct {
	key  string
	area *Area // nil: all rows
}

func (t *topology) holdPlaces(key placesKey) *places {
	p := t.places[key]
	if p == nil {
		p = &places{placesKey: key, label: t.v.labels.hold(key.key)}
		t.places[key] = p
		for row := range t.v.live.All() {
			p.check(row)
		}
	}
	p.users++
	return p
}

func (t *topology) releasePlaces(p *places) {
	if p.users--; p.users == 0 {
		delete(t.places, p.placesKey)
		t.v.labels.release(p.key)
	}
}

// check finds out where row is, after its label or the area has changed.
func (p *places) check(row int32) {
	if p.area == nil {
		return
	}
	if missing := int(row) + 1 - len(p.numbers); missing > 0 {
		p.numbers = append(p.numbers, make([]int32, missing)...)
	}
	if p.numbers[row] = Absent; p.area.rows.Has(row) {
		p.numbers[row] = p.label.number(row)
	}
}

// column returns the domain by row, or [Absent] where none counts.
func (p *places) column(rows int) []int32 {
	if p.area == nil {
		return p.label.padded(rows)
	}
	if missing := rows - len(p.numbers); missing > 0 {
		p.numbers = append(p.numbers, make([]int32, missing)...)
	}
	return p.numbers
}
