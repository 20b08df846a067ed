package nodeaffinity

import (
	"math/bits"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
)

// term is requirements that must all hold. The zero value holds nowhere.
type term struct {
	ok     bool // it can hold: it is neither empty nor malformed
	checks []check
	name   *int32 // the only row that it may hold on; -1 for a node that is not there
	not    []int32
}

// check is one requirement, decided for each value of its key.
type check struct {
	numbers []int32 // of the key, by row
	holds   []bool  // by value number; [cluster.Absent] for rows without the key
}

type weightedTerm struct {
	term
	weight int64
}

// narrow clears the rows of fit for which the term does not hold.
func (t *term) narrow(fit *bitset.Set) {
	if !t.ok {
		fit.Clear()
		return
	}
	if t.name != nil {
		there := fit.Has(*t.name)
		fit.Clear()
		if there {
			fit.Add(*t.name)
		}
	}
	for _, row := range t.not {
		if fit.Has(row) {
			fit.Remove(row)
		}
	}
	for i := range t.checks {
		t.checks[i].narrow(fit)
	}
}

func (c *check) narrow(fit *bitset.Set) {
	absent := c.holds[cluster.Absent]
	words := fit.Words()
	for w, word := range words {
		base := w << 6 // 64 rows a word
		for left := word; left != 0; left &= left - 1 {
			row := base + bits.TrailingZeros64(left)
			holds := absent
			if row < len(c.numbers) {
				holds = c.holds[c.numbers[row]]
			}
			if !holds {
				word &^= left & -left
			}
		}
		words[w] = word
	}
}

func appendTerms(list []term, v *cluster.View, terms []corev1.NodeSelectorTerm) []term {
	for i := range terms {
		list = append(list, newTerm(v, &terms[i]))
	}
	return list
}

func appendWeighted(list []weightedTerm, v *cluster.View, terms []corev1.PreferredSchedulingTerm) []weightedTerm {
	for i := range terms {
		if terms[i].Weight != 0 {
			list = append(list, weightedTerm{newTerm(v, &terms[i].Preference), int64(terms[i].Weight)})
		}
	}
	return list
}

// newTerm compiles a term. One that is empty or malformed holds nowhere.
func newTerm(v *cluster.View, t *corev1.NodeSelectorTerm) term {
	if len(t.MatchExpressions) == 0 && len(t.MatchFields) == 0 {
		return term{}
	}
	out := term{ok: true}
	for i := range t.MatchFields {
		if !out.addField(v, &t.MatchFields[i]) {
			return term{}
		}
	}
	for i := range t.MatchExpressions {
		r := &t.MatchExpressions[i]
		c, ok := newCheck(v, r.Key, r.Operator, r.Values)
		if !ok {
			return term{}
		}
		out.checks = append(out.checks, c)
	}
	return out
}

// addField adds a requirement on a field. Only the name is a field of nodes; any other
// is as if it were there and empty. False means that the requirement cannot hold.
func (t *term) addField(v *cluster.View, r *corev1.NodeSelectorRequirement) bool {
	if len(r.Values) != 1 {
		return false
	}
	value := r.Values[0]
	if r.Key != metav1.ObjectNameField {
		return (r.Operator == corev1.NodeSelectorOpIn) == (value == "") && isFieldOperator(r.Operator)
	}
	row, known := v.Row(value)
	if !known {
		row = -1
	}
	switch r.Operator {
	case corev1.NodeSelectorOpIn:
		if t.name != nil && *t.name != row {
			row = -1
		}
		t.name = &row
	case corev1.NodeSelectorOpNotIn:
		t.not = append(t.not, row)
	default:
		return false
	}
	return true
}

func isFieldOperator(op corev1.NodeSelectorOperator) bool {
	return op == corev1.NodeSelectorOpIn || op == corev1.NodeSelectorOpNotIn
}

var operators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn:           selection.In,
	corev1.NodeSelectorOpNotIn:        selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist,
	corev1.NodeSelectorOpGt:           selection.GreaterThan,
	corev1.NodeSelectorOpLt:           selection.LessThan,
}

// newCheck decides a requirement for each value that its key has now, and for rows
// without the key.
func newCheck(v *cluster.View, key string, op corev1.NodeSelectorOperator, values []string) (check, bool) {
	operator, known := operators[op]
	if !known {
		return check{}, false
	}
	r, err := labels.NewRequirement(key, operator, values)
	if err != nil {
		return check{}, false
	}
	c := check{holds: []bool{r.Matches(labels.Set{})}}
	column := v.Label(key)
	if column == nil {
		return c, true
	}
	c.numbers = column.Numbers()
	c.holds = append(c.holds, make([]bool, column.Top())...)
	if operator == selection.In { // the usual case needs no walk over the values
		for _, value := range values {
			c.holds[column.Number(value)] = column.Number(value) != cluster.Absent
		}
		return c, true
	}
	for number := int32(1); number < column.Top(); number++ {
		if value, used := column.Value(number); used {
			c.holds[number] = r.Matches(labels.Set{key: value})
		}
	}
	return c, true
}

// selectorTerm is a plain node selector as a term. A value that no label can have is
// compared all the same, and found nowhere.
func selectorTerm(v *cluster.View, selector map[string]string) term {
	t := term{ok: true}
	for key, value := range selector {
		c := check{holds: []bool{false}}
		if column := v.Label(key); column != nil {
			c.numbers = column.Numbers()
			c.holds = make([]bool, column.Top())
			c.holds[column.Number(value)] = column.Number(value) != cluster.Absent
		}
		t.checks = append(t.checks, c)
	}
	return t
}

// namedNodes returns the nodes that the terms name, and whether each of them does. Two
// fields of a term must name the same node.
func namedNodes(terms []corev1.NodeSelectorTerm) (names []string, all bool) {
	for i := range terms {
		of, named := namedBy(&terms[i])
		if !named {
			return nil, false
		}
		for _, name := range of {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, len(terms) > 0
}

func namedBy(t *corev1.NodeSelectorTerm) (names []string, named bool) {
	for _, r := range t.MatchFields {
		if r.Key != metav1.ObjectNameField || r.Operator != corev1.NodeSelectorOpIn {
			continue
		}
		if !named {
			names, named = slices.Clone(r.Values), true
			continue
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(r.Values, name) })
	}
	return names, named
}
