package cluster

// Domains is how many pods of a tally are in each domain of a topology key: on the rows
// that have one value of it. Rows outside of an area do not count.
type Domains struct {
	tally     *Tally
	partition *partition
	used      uint64 // the turn in which it was asked for last

	sums []int32 // by value number
	rows []int32 // the same; how many rows make up the domain. None: it is no domain
	len  int     // domains
	pods int     // in them

	least least
}

// Domains returns the counter of a tally's pods by a topology key.
func (v *View) Domains(tally *Tally, key string, area *Area) *Domains {
	in := partitionKey{key, area}
	for _, d := range tally.domains {
		if d.partition.partitionKey == in {
			d.used = v.topology.turn
			return d
		}
	}
	d := &Domains{tally: tally, partition: v.topology.holdPartition(in), used: v.topology.turn}
	d.countAll()
	tally.domains = append(tally.domains, d)
	return d
}

// countAll is enter for each row, on counters that are empty.
func (d *Domains) countAll() {
	d.fit(d.Top() - 1)
	pods := d.tally.Rows()
	for row, number := range d.column() {
		if number != Absent {
			d.sums[number] += pods[row]
			d.rows[number]++
		}
	}
	for number, rows := range d.rows {
		if rows > 0 {
			d.len++
			d.pods += int(d.sums[number])
		}
	}
}

// Numbers returns the domain of each row: its value's number, or [Absent].
// Rows outside of the area have one, too.
func (d *Domains) Numbers() []int32 { return d.partition.label.padded(d.tally.topology.v.Rows()) }

// Top returns one past the highest number of a domain.
func (d *Domains) Top() int32 { return d.partition.label.Top() }

// Number returns the domain of a value, [Absent] if no row has it.
func (d *Domains) Number(value string) int32 { return d.partition.label.Number(value) }

// Beside returns how many pods are on rows of the area whose nodes lack the key. They are
// in no domain, and it looks at each row.
func (d *Domains) Beside() int32 {
	rows, numbers, pods := &d.tally.topology.v.live, d.Numbers(), d.tally.Rows()
	if area := d.partition.area; area != nil {
		rows = &area.rows
	}
	sum := int32(0)
	for row := range rows.All() {
		if numbers[row] == Absent {
			sum += pods[row]
		}
	}
	return sum
}

// Sum returns how many pods are in a domain.
func (d *Domains) Sum(number int32) int32 {
	if sums := d.Sums(); int(number) < len(sums) {
		return sums[number]
	}
	return 0
}

// Sums returns the sums by value number. It may be shorter than the numbers go, and is good
// until something changes.
func (d *Domains) Sums() []int32 {
	d.tally.catchUp()
	return d.sums
}

// Len returns how many domains there are.
func (d *Domains) Len() int { return d.len }

// Pods returns how many pods there are in all domains.
func (d *Domains) Pods() int {
	d.tally.catchUp()
	return d.pods
}

// Min returns the smallest sum of a domain, 0 without any.
func (d *Domains) Min() int32 {
	d.tally.catchUp()
	if d.len == 0 {
		return 0
	}
	if d.least.at == 0 {
		d.findMin()
	}
	return d.least.sum
}

func (d *Domains) findMin() {
	for number, rows := range d.rows {
		switch {
		case rows == 0:
		case d.least.at == 0 || d.sums[number] < d.least.sum:
			d.least = least{d.sums[number], 1}
		case d.sums[number] == d.least.sum:
			d.least.at++
		}
	}
}

// least is the smallest sum.
type least struct {
	sum int32 // if
	at  int   // so many domains have it. 0: must be looked for
}

func (l *least) change(was, now int32) {
	switch {
	case l.at == 0 || was == now:
	case now < l.sum:
		*l = least{now, 1}
	case was == l.sum:
		l.at-- // the last one leaves it to be looked for
	case now == l.sum:
		l.at++
	}
}

// count adds pods that came to rows and subtracts those that went.
func (d *Domains) count(moves []move) {
	numbers, sums, pods, least := d.column(), d.sums, d.pods, d.least
	for _, m := range moves {
		number := numbers[m.row]
		if number == Absent {
			continue
		}
		was := sums[number]
		now := was + m.pods
		sums[number] = now
		pods += int(m.pods)
		least.change(was, now)
	}
	d.pods, d.least = pods, least
}

// enter takes a row with n pods into its domain, leave out of it.
func (d *Domains) enter(row, n int32) {
	number := d.column()[row]
	if number == Absent {
		return
	}
	d.fit(number)
	if d.rows[number]++; d.rows[number] == 1 {
		d.len++
		d.least.at = 0
	}
	d.change(number, n)
}

func (d *Domains) fit(number int32) {
	d.sums, d.rows = grown(d.sums, int(number)+1), grown(d.rows, int(number)+1)
}

func (d *Domains) leave(row, n int32) {
	number := d.column()[row]
	if number == Absent {
		return
	}
	d.change(number, -n)
	if d.rows[number]--; d.rows[number] == 0 {
		d.len--
		d.least.at = 0
	}
}

func (d *Domains) change(number, n int32) {
	was := d.sums[number]
	d.sums[number] += n
	d.pods += int(n)
	d.least.change(was, was+n)
}

// column returns the domain in which each row counts.
func (d *Domains) column() []int32 { return d.partition.column(d.tally.topology.v.Rows()) }
