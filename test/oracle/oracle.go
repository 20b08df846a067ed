package oracle

import "fmt"

// Oracle is both sides, for each profile that a question asked for.
type Oracle struct {
	Compared []string // plugins, in the order of the profile
	Missing  []string // plugins of the default profile that are not built
	Scorers  []string // those of the compared ones that score
	Wakers   []Waker  // what they listen to

	sides map[string]sides // by profile
}

type sides struct {
	upstream *Upstream
	berth    *Berth
}

// New returns both sides with the plugins that are built.
func New() (*Oracle, error) {
	have, missing, err := instances(profiles[0])
	if err != nil {
		return nil, fmt.Errorf("cannot make our plugins: %w", err)
	}
	o := &Oracle{Compared: names(have), Missing: missing, sides: map[string]sides{}}
	s, err := o.both("")
	if err != nil {
		return nil, err
	}
	o.Scorers = s.upstream.scorers()
	o.Wakers, err = o.wakers(s)
	return o, err
}

// both returns the two sides of a profile, made when it is first asked for.
func (o *Oracle) both(name string) (sides, error) {
	if s, made := o.sides[name]; made {
		return s, nil
	}
	p, err := profileOf(name)
	if err != nil {
		return sides{}, err
	}
	theirs, err := p.upstream(o.Compared)
	if err != nil {
		return sides{}, err
	}
	s := sides{berth: &Berth{profile: p}}
	if s.upstream, err = NewUpstream(theirs); err == nil {
		o.sides[name] = s
	}
	return s, err
}

// Close ends what asking has started.
func (o *Oracle) Close() {
	for _, s := range o.sides {
		s.upstream.Close()
	}
}

// Result is what came of a question.
type Result struct {
	Upstream, Ours *Answer
	Unexplained    []Difference
	Excused        map[string]int // differences by id of a deviation
}

// Ask asks both sides. An error says that a side could not answer at all.
func (o *Oracle) Ask(q *Question, draw uint64) (*Result, error) {
	r := &Result{Excused: map[string]int{}}
	s, err := o.both(q.Profile)
	if err != nil {
		return nil, err
	}
	if r.Upstream, err = s.upstream.Ask(q); err != nil {
		return nil, err
	}
	if r.Ours, err = s.berth.Ask(q, draw); err != nil {
		return nil, err
	}
	for _, d := range Compare(r.Upstream, r.Ours) {
		if id := excuse(q, d); id != "" {
			r.Excused[id]++
		} else {
			r.Unexplained = append(r.Unexplained, d)
		}
	}
	return r, nil
}
