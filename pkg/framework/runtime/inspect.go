package runtime

import (
	"slices"

	"github.com/berth-scheduler/berth/pkg/framework"
)

// PluginScores is what one scorer gave each of some rows.
type PluginScores struct {
	Plugin string
	Weight int64   // how often each score counts in the total
	Scores []int64 // by index into the rows; in 0..100, after normalisation
}

// Scores returns the feasible rows and what each scorer gives them, as Rank does and
// for a single row too. Scorers that skip are left out. It is for those who check or
// explain a choice, and allocates.
func (ch *Chain) Scores() (rows []int32, scores []PluginScores, err error) {
	defer ch.contain(&err)
	ch.rows = ch.fit.AppendTo(ch.rows[:0])
	if err := ch.preScore(); err != nil {
		return nil, nil, err
	}
	ch.total = resize(ch.total, len(ch.rows))
	for i := range ch.scorers {
		s := &ch.scorers[i]
		if s.skipped {
			continue
		}
		if err := ch.add(s); err != nil {
			return nil, nil, err
		}
		scores = append(scores, PluginScores{Plugin: s.name, Weight: s.weight, Scores: slices.Clone(ch.raw)})
	}
	return slices.Clone(ch.rows), scores, nil
}

// Refused returns the PreFilter rejection of every node that ended the last Narrow,
// and by whom; nil when none did.
func (ch *Chain) Refused() (plugins []string, r *framework.Rejection) {
	if ch.refusal == nil {
		return nil, nil
	}
	return ch.refusal.plugins, ch.refusal.Rejection
}
