package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"
)

// Coverage counts what questions were about, by upstream's answers.
type Coverage struct {
	questions int
	some      int // some nodes take the pod, and some do not
	several   int // nodes refused for more than one reason
	nominated int // with nominated pods that count
	tied      int // with more than one best node
	failed    int // attempts that end with an error
	strata    map[string]int
	mixed     map[string]int            // those where some nodes take the pod, and some do not
	reasons   map[string]map[string]int // by plugin and reason
	codes     map[fwk.Code]int
	hints     map[string]map[Wake]int // by plugin and kind of event
	woken     map[string]int
	excused   map[string]int
	scored    map[string]int // nodes with a score of each plugin
}

// NewCoverage returns one that has seen nothing.
func NewCoverage() *Coverage {
	return &Coverage{
		strata: map[string]int{}, mixed: map[string]int{}, reasons: map[string]map[string]int{}, codes: map[fwk.Code]int{},
		hints: map[string]map[Wake]int{}, woken: map[string]int{}, excused: map[string]int{}, scored: map[string]int{},
	}
}

// Add counts a question.
func (c *Coverage) Add(q *Question, stratum string, r *Result) {
	c.questions++
	c.strata[stratum]++
	up := r.Upstream
	taken := len(q.Nodes) - len(up.Nodes)
	if up.Refused.Code == fwk.Success && taken > 0 && len(up.Nodes) > 0 {
		c.some++
		c.mixed[stratum]++
	}
	if len(q.Nominated) > 0 {
		c.nominated++
	}
	if len(up.Best) > 1 {
		c.tied++
	}
	if up.Failed != "" {
		c.failed++
	}
	c.refused(up.Gate)
	c.refused(up.Refused)
	for _, refused := range up.Nodes {
		c.refused(refused)
	}
	for _, scores := range up.Scores {
		for plugin := range scores {
			c.scored[plugin]++
		}
	}
	for _, h := range up.Hints {
		key := h.Plugin + " " + h.On
		if c.hints[key] == nil {
			c.hints[key] = map[Wake]int{}
		}
		c.hints[key][h.Wake]++
	}
	for _, w := range up.Woken {
		c.woken[w]++
	}
	for id, n := range r.Excused {
		c.excused[id] += n
	}
}

func (c *Coverage) refused(r Refusal) {
	if r.Code == fwk.Success {
		return
	}
	if len(r.Reasons) > 1 {
		c.several++
	}
	for _, reason := range r.Reasons {
		plugin := r.Plugin
		if generic(byFramework, reason) != reason {
			plugin = byFramework
		}
		if c.reasons[plugin] == nil {
			c.reasons[plugin] = map[string]int{}
		}
		c.reasons[plugin][generic(plugin, reason)]++
	}
	c.codes[r.Code]++
}

// generic returns the entry of the table of reasons that a reason falls under, or the
// reason itself.
func generic(plugin, reason string) string {
	for _, entry := range reasons[plugin] {
		if start, more := strings.CutSuffix(entry, "*"); more && strings.HasPrefix(reason, start) {
			return entry
		}
	}
	return reason
}

// Gaps returns what questions should have been about and were not. Of 20,000 questions
// each reason must come in 50, each score on 50 nodes, and each kind of event that a
// plugin listens to 10 times after it has refused the pod. Few questions are held to
// half of that.
func (c *Coverage) Gaps(o *Oracle) []string {
	var gaps []string
	few := func(n, share int, what string, args ...any) {
		want := c.questions / share
		if c.questions < 20000 {
			want /= 2
		}
		if n < want {
			gaps = append(gaps, fmt.Sprintf(what+": %d times, want %d", append(args, n, want)...))
		}
	}
	for _, plugin := range append([]string{byFramework}, o.Compared...) {
		texts, known := reasons[plugin]
		if !known {
			gaps = append(gaps, plugin+" is built and has no line in the table of reasons")
			continue
		}
		for _, text := range texts {
			few(c.reasons[plugin][text], 400, "%s says %q", plugin, text)
		}
		for text := range c.reasons[plugin] {
			if !slices.Contains(texts, text) {
				gaps = append(gaps, fmt.Sprintf("%s says %q, which the table of reasons does not have", plugin, text))
			}
		}
	}
	for _, plugin := range o.Scorers {
		few(c.scored[plugin], 400, "%s scores a node", plugin)
	}
	for _, w := range o.Wakers {
		n := 0
		for _, times := range c.hints[w.String()] {
			n += times
		}
		few(n, 2000, "%s is heard", w)
	}
	for _, code := range []fwk.Code{fwk.Unschedulable, fwk.UnschedulableAndUnresolvable} {
		few(c.codes[code], 400, "somebody says %s", code)
	}
	if share := percent(c.some, c.questions); share < 60 {
		gaps = append(gaps, fmt.Sprintf("in %d %% of the questions some nodes take the pod and others do not, want 60", share))
	}
	slices.Sort(gaps)
	return gaps
}

func percent(n, of int) int { return 100 * n / max(1, of) }

// String is a table for people.
func (c *Coverage) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d questions; some nodes take the pod and others do not in %d %%\n", c.questions, percent(c.some, c.questions))
	fmt.Fprintf(&b, "  %7d  with nominated pods\n  %7d  with more than one best node\n  %7d  that end with an error\n", c.nominated, c.tied, c.failed)
	fmt.Fprintf(&b, "  %7d  refusals with several reasons at once\n", c.several)
	b.WriteString("questions by stratum, and in how many of a hundred some nodes take the pod and others do not\n")
	for _, stratum := range slices.Sorted(maps.Keys(c.strata)) {
		fmt.Fprintf(&b, "  %7d  %3d  %s\n", c.strata[stratum], percent(c.mixed[stratum], c.strata[stratum]), stratum)
	}
	for _, plugin := range slices.Sorted(maps.Keys(c.reasons)) {
		section(&b, "reasons of "+plugin, c.reasons[plugin])
	}
	fmt.Fprintf(&b, "codes\n  %7d  %s\n  %7d  %s\n", c.codes[fwk.Unschedulable], fwk.Unschedulable,
		c.codes[fwk.UnschedulableAndUnresolvable], fwk.UnschedulableAndUnresolvable)
	section(&b, "nodes with a score other than 0 of", c.scored)
	c.drawHints(&b)
	section(&b, "parked pods after an event", c.woken)
	section(&b, "differences excused as", c.excused)
	return b.String()
}

// drawHints draws who says what to which event. Events that a plugin does not listen
// to come together in one line.
func (c *Coverage) drawHints(b *strings.Builder) {
	b.WriteString("hints: Queue and Skip\n")
	deaf := 0
	for _, key := range slices.Sorted(maps.Keys(c.hints)) {
		h := c.hints[key]
		deaf += h[Deaf]
		if h[Queue]+h[Skip] > 0 {
			fmt.Fprintf(b, "  %7d %7d  %s\n", h[Queue], h[Skip], key)
		}
	}
	fmt.Fprintf(b, "  %7d  events that the plugin does not listen to\n", deaf)
}

func section[K ~string](b *strings.Builder, title string, counts map[K]int) {
	fmt.Fprintln(b, title)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(b, "  %7d  %s\n", counts[key], key)
	}
}
