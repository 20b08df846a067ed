package oracle

import (
	"fmt"
	"slices"
)

// Kind is a part of an answer.
type Kind string

// The parts, in the order in which they are compared.
const (
	AtGate     Kind = "gate"
	InOrder    Kind = "order"
	AllNodes   Kind = "refused"
	OneNode    Kind = "node"
	WhatFound  Kind = "found"
	WhatText   Kind = "failure"
	Rejectors  Kind = "rejectors"
	HowScored  Kind = "score"
	WhatFailed Kind = "failed"
	WhatChosen Kind = "choice"
	HowTop     Kind = "top"
	HowMany    Kind = "ties"
	HowHinted  Kind = "hint"
	IfWoken    Kind = "woken"
)

// Difference is one thing that the two sides do not agree on.
type Difference struct {
	Kind           Kind
	Node           string // for nodes and scores
	Plugin         string // for scores and hints
	Event          int    // for hints and what is woken
	On             string // for hints: the kind of event
	Upstream, Ours string

	class   string // what else makes two of them alike
	up, our *Answer
}

// String is one line.
func (d Difference) String() string {
	where := string(d.Kind)
	for _, s := range []string{d.Node, d.Plugin, d.On} {
		if s != "" {
			where += " " + s
		}
	}
	if d.Kind == HowHinted || d.Kind == IfWoken {
		where += fmt.Sprintf(" (event %d)", d.Event)
	}
	return fmt.Sprintf("%s: upstream says %q, we say %q", where, d.Upstream, d.Ours)
}

// like reports whether two differences are of one kind.
func (d Difference) like(o Difference) bool {
	return d.Kind == o.Kind && d.Plugin == o.Plugin && d.On == o.On && d.class == o.class
}

// Compare returns what the two sides do not agree on. What only follows from a
// difference, such as the text that counts a node, is not told.
func Compare(up, our *Answer) []Difference {
	c := &comparison{up: up, our: our}
	c.refusal(Difference{Kind: AtGate}, up.Gate, our.Gate)
	c.text(Difference{Kind: InOrder}, up.Before, our.Before)
	before := len(c.list)
	if c.text(Difference{Kind: WhatFailed}, up.Failed, our.Failed); up.Failed != "" || our.Failed != "" {
		return c.list // an attempt that fails says no more
	}
	if c.refusal(Difference{Kind: AllNodes}, up.Refused, our.Refused); len(c.list) > before {
		return c.list
	}
	if c.nodes(); len(c.list) > before {
		return c.list
	}
	c.text(Difference{Kind: WhatFound}, up.Found, our.Found)
	c.text(Difference{Kind: WhatText}, up.Failure, our.Failure)
	c.text(Difference{Kind: Rejectors}, up.Plugins, our.Plugins)
	c.scores()
	if len(c.list) == before {
		c.hints()
	}
	return c.list
}

type comparison struct {
	up, our *Answer
	list    []Difference
}

func (c *comparison) add(d Difference, up, our any) {
	d.Upstream, d.Ours, d.up, d.our = fmt.Sprint(up), fmt.Sprint(our), c.up, c.our
	c.list = append(c.list, d)
}

// text compares values by what they look like.
func (c *comparison) text(d Difference, up, our any) {
	if fmt.Sprint(up) != fmt.Sprint(our) {
		c.add(d, up, our)
	}
}

func (c *comparison) refusal(d Difference, up, our Refusal) {
	if !up.same(our) {
		d.class = fmt.Sprint(up.Plugin, up.Code, our.Plugin, our.Code)
		c.add(d, up, our)
	}
}

func (c *comparison) nodes() {
	names := slices.Collect(func(yield func(string) bool) {
		for _, nodes := range []map[string]Refusal{c.up.Nodes, c.our.Nodes} {
			for name := range nodes {
				if !yield(name) {
					return
				}
			}
		}
	})
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		up, our := c.up.Nodes[name], c.our.Nodes[name]
		if up.Plugin == "" && len(up.Reasons) == 0 && up.Code == our.Code {
			continue // upstream's PreFilter left the node out, and does not say more
		}
		c.refusal(Difference{Kind: OneNode, Node: name}, up, our)
	}
}

func (c *comparison) scores() {
	before := len(c.list)
	for _, node := range c.up.Found {
		up, our := c.up.Scores[node], c.our.Scores[node]
		for _, plugin := range scorers(up, our) {
			c.text(Difference{Kind: HowScored, Node: node, Plugin: plugin}, up[plugin], our[plugin])
		}
	}
	if len(c.list) > before {
		return
	}
	c.text(Difference{Kind: HowTop}, c.up.Top, c.our.Top)
	c.text(Difference{Kind: HowMany}, c.up.Ties, c.our.Ties)
	c.text(Difference{Kind: WhatChosen}, c.up.Chosen, c.our.Chosen)
}

func scorers(up, our map[string]int64) []string {
	var list []string
	for _, scores := range []map[string]int64{up, our} {
		for plugin := range scores {
			list = append(list, plugin)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// hints compares what wakes the pod. A plugin that is deaf to an event and one that
// skips it come to the same.
func (c *comparison) hints() {
	if len(c.up.Hints) != len(c.our.Hints) {
		c.add(Difference{Kind: HowHinted}, c.up.Hints, c.our.Hints)
		return
	}
	for i, up := range c.up.Hints {
		our := c.our.Hints[i]
		if (up.Wake == Queue) != (our.Wake == Queue) || (up.Err != "") != (our.Err != "") {
			c.add(Difference{Kind: HowHinted, Event: up.Event, On: up.On, Plugin: up.Plugin}, say(up), say(our))
		}
	}
	for i, up := range c.up.Woken {
		c.text(Difference{Kind: IfWoken, Event: i, class: up}, up, c.our.Woken[i])
	}
}

func say(h Hint) string {
	if h.Err != "" {
		return string(h.Wake) + ": " + h.Err
	}
	return string(h.Wake)
}
