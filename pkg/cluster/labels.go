package cluster

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/intern"
)

// Label is the column of one label key: the number of each row's value. It is what
// node selectors read, and the domains of a topology key.
type Label struct {
	numbers []int32 // by row: 0 where the node lacks the key, else the value's number + 1
	values  intern.Pool[string]
	holders int // counters that go by the column, which stays for them
}

// Absent is what Numbers holds for a row whose node lacks the key.
const Absent int32 = 0

// Numbers returns the value numbers by row, Absent where the key is missing. It may be
// shorter than Rows; what is beyond it is absent.
func (l *Label) Numbers() []int32 { return l.numbers }

// Number returns the number of a value that some node has, else Absent.
func (l *Label) Number(value string) int32 {
	if id, ok := l.values.Lookup(value); ok {
		return id + 1
	}
	return Absent
}

// number returns the value number of a row.
func (l *Label) number(row int32) int32 {
	if int(row) >= len(l.numbers) {
		return Absent
	}
	return l.numbers[row]
}

// padded returns Numbers for all rows.
func (l *Label) padded(rows int) []int32 {
	l.numbers = grown(l.numbers, rows)
	return l.numbers
}

// Top returns one past the highest number in use.
func (l *Label) Top() int32 { return int32(l.values.Cap()) + 1 }

// Value returns the value of a number; "" and false where the number is not in use.
func (l *Label) Value(number int32) (string, bool) {
	if number == Absent || l.values.Refs(number-1) == 0 {
		return "", false
	}
	return l.values.Value(number - 1), true
}

// labelColumns is the label columns of all keys that some node has.
type labelColumns struct {
	columns map[string]*Label
	rows    []map[string]string // by row: the labels that are in the columns
}

func newLabels() *labelColumns { return &labelColumns{columns: map[string]*Label{}} }

func (l *labelColumns) set(row int32, n *corev1.Node) {
	for int(row) >= len(l.rows) {
		l.rows = append(l.rows, nil)
	}
	if maps.Equal(l.rows[row], n.Labels) { // most updates of a node
		return
	}
	l.clear(row)
	l.rows[row] = n.Labels
	for key, value := range n.Labels {
		l.column(key).put(row, value)
	}
}

func (l *labelColumns) clear(row int32) {
	if int(row) >= len(l.rows) {
		return
	}
	for key := range l.rows[row] {
		column := l.columns[key]
		column.drop(row)
		l.sweep(key, column)
	}
	l.rows[row] = nil
}

// hold returns the column of a key, which stays until it is released as often.
func (l *labelColumns) hold(key string) *Label {
	column := l.column(key)
	column.holders++
	return column
}

func (l *labelColumns) release(key string) {
	column := l.columns[key]
	column.holders--
	l.sweep(key, column)
}

// sweep forgets a column that no node is in and nobody holds.
func (l *labelColumns) sweep(key string, column *Label) {
	if column.values.Len() == 0 && column.holders == 0 {
		delete(l.columns, key)
	}
}

func (l *labelColumns) column(key string) *Label {
	column := l.columns[key]
	if column == nil {
		column = &Label{}
		l.columns[key] = column
	}
	return column
}

func (l *Label) put(row int32, value string) {
	for int(row) >= len(l.numbers) {
		l.numbers = append(l.numbers, Absent)
	}
	l.numbers[row] = l.values.Acquire(value) + 1
}

func (l *Label) drop(row int32) {
	l.values.Release(l.numbers[row] - 1)
	l.numbers[row] = Absent
}

// Label returns the column of a key, nil when no node has it.
func (v *View) Label(key string) *Label {
	column := v.labels.columns[key]
	if column == nil || column.values.Len() == 0 {
		return nil
	}
	return column
}
