package cluster

// Counts is a number for each value of a label key, zero for most. While few are not,
// they are pairs, so that what counts a pod or two costs little; then they are a column.
type Counts struct {
	pairs  map[int32]int64
	column []int64 // by value number; nil while the pairs are in use
	set    int     // numbers of the column that are not zero
}

// mostPairs is how many values are kept as pairs. A column of 5000 takes as much room for
// each of so many pods as what is known of the pod itself.
const mostPairs = 64

func (c *Counts) add(number int32, d int64) {
	switch {
	case c.column != nil:
		c.addToColumn(number, d)
		return
	case c.pairs == nil:
		c.pairs = map[int32]int64{}
	}
	if c.pairs[number] += d; c.pairs[number] == 0 {
		delete(c.pairs, number)
	}
	if len(c.pairs) > mostPairs {
		c.spreadOut()
	}
}

func (c *Counts) spreadOut() {
	for number, n := range c.pairs {
		c.addToColumn(number, n)
	}
	c.pairs = nil
}

func (c *Counts) addToColumn(number int32, d int64) {
	c.column = grown(c.column, int(number)+1)
	was := c.column[number]
	c.column[number] = was + d
	switch {
	case was == 0 && d != 0:
		c.set++
	case was != 0 && was+d == 0:
		if c.set--; c.set == 0 {
			c.column = nil
		}
	}
}

// Empty reports whether all numbers are zero.
func (c *Counts) Empty() bool { return len(c.pairs) == 0 && c.set == 0 }

// Each calls visit with each number that is not zero, in no certain order.
func (c *Counts) Each(visit func(number int32, n int64)) {
	for number, n := range c.pairs {
		visit(number, n)
	}
	for number, n := range c.column {
		if n != 0 {
			visit(int32(number), n)
		}
	}
}
