package cluster

// Domains is how many pods of a tally are in each domain of a topology key: on the rows
// that have one value of it. Rows outside of an area do not count.
type Domains struct {
	v     *View
	key   string
	label *Label
	area  *Area  // nil: all rows
	used  uint64 // the turn in which it was asked for last

	sums  []int32 // by value number
	rows  []int32 // the same; how many rows make up the domain. None: it is no domain
	count int     // domains
	all   int     // pods in them

	min   int32 // the smallest sum, if
	atMin int   // so many domains have it. 0: must be looked for
}

// Domains returns the counter of a tally's pods by a topology key.
func (v *View) Domains(tally *Tally, key string, area *Area) *Domains {
	for _, d := range tally.domains {
		if d.key == key && d.area == area {
			d.used = v.topology.turn
			return d
		}
	}
	d := &Domains{v: v, key: key, area: area, label: v.labels.hold(key), used: v.topology.turn}
	d.countAll(tally)
	tally.domains = append(tally.domains, d)
	return d
}

// countAll is enter for each row, on counters that are empty.
func (d *Domains) countAll(tally *Tally) {
	d.fit(d.label.Top() - 1)
	rows, numbers := &d.v.live, d.Numbers()
	if d.area != nil {
		rows = &d.area.rows
	}
	for row := range rows.All() {
		if number := numbers[row]; number != Absent {
			d.sums[number] += tally.On(row)
			d.rows[number]++
		}
	}
	for number, rows := range d.rows {
		if rows > 0 {
			d.count++
			d.all += int(d.sums[number])
		}
	}
}

// Numbers returns the domain of each row: its value's number, or [Absent].
func (d *Domains) Numbers() []int32 { return d.label.padded(d.v.Rows()) }

// Top returns one past the highest number of a domain.
func (d *Domains) Top() int32 { return d.label.Top() }

// Sum returns how many pods are in a domain.
func (d *Domains) Sum(number int32) int32 {
	if int(number) >= len(d.sums) {
		return 0
	}
	return d.sums[number]
}

// Sums returns the sums by value number. It may be shorter than the numbers go.
func (d *Domains) Sums() []int32 { return d.sums }

// Len returns how many domains there are.
func (d *Domains) Len() int { return d.count }

// Pods returns how many pods there are in all domains.
func (d *Domains) Pods() int { return d.all }

// Min returns the smallest sum of a domain, 0 without any.
func (d *Domains) Min() int32 {
	if d.count == 0 {
		return 0
	}
	if d.atMin == 0 {
		d.findMin()
	}
	return d.min
}

func (d *Domains) findMin() {
	for number, rows := range d.rows {
		switch {
		case rows == 0:
		case d.atMin == 0 || d.sums[number] < d.min:
			d.min, d.atMin = d.sums[number], 1
		case d.sums[number] == d.min:
			d.atMin++
		}
	}
}

// add counts d more pods on a row.
func (d *Domains) add(row, n int32) {
	if number := d.numberOf(row); number != Absent {
		d.change(number, n)
	}
}

// enter takes a row with n pods into its domain, leave out of it.
func (d *Domains) enter(row, n int32) {
	number := d.numberOf(row)
	if number == Absent {
		return
	}
	d.fit(number)
	if d.rows[number]++; d.rows[number] == 1 {
		d.count++
		d.atMin = 0
	}
	d.change(number, n)
}

func (d *Domains) fit(number int32) {
	if missing := int(number) + 1 - len(d.sums); missing > 0 {
		d.sums = append(d.sums, make([]int32, missing)...)
		d.rows = append(d.rows, make([]int32, missing)...)
	}
}

func (d *Domains) leave(row, n int32) {
	number := d.numberOf(row)
	if number == Absent {
		return
	}
	d.change(number, -n)
	if d.rows[number]--; d.rows[number] == 0 {
		d.count--
		d.atMin = 0
	}
}

func (d *Domains) change(number, n int32) {
	was := d.sums[number]
	now := was + n
	d.sums[number] = now
	d.all += int(n)
	switch {
	case d.atMin == 0 || n == 0:
	case now < d.min:
		d.min, d.atMin = now, 1
	case was == d.min:
		d.atMin-- // the last one leaves it to be looked for
	case now == d.min:
		d.atMin++
	}
}

// numberOf returns the domain in which a row counts.
func (d *Domains) numberOf(row int32) int32 {
	if d.area != nil && !d.area.rows.Has(row) {
		return Absent
	}
	return d.label.number(row)
}
