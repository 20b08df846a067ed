package runtime

import (
	"slices"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// Keep drops the rows that an answer does not keep and returns how many are left.
// Several answers add up. Narrow starts afresh without any.
func (ch *Chain) Keep(a *framework.Answer) int {
	ch.answers = append(ch.answers, a)
	ch.fit.And(&a.Keep)
	return ch.fit.Count()
}

// explainAnswers gives the rows that the filters took but an answer did not their
// reasons. Who dropped rows is a rejector even where he gave no reason.
func (ch *Chain) explainAnswers(fit *bitset.Set, f *Failure) {
	for _, a := range ch.answers {
		before := fit.Count()
		ch.why.By(a.By)
		for i := range a.Failed {
			v := &a.Failed[i]
			ch.why.Note(fit, &v.Rows, v.Code, v.Reason)
		}
		fit.And(&a.Keep)
		if fit.Count() < before && !slices.Contains(f.Plugins, a.By) {
			f.Plugins = append(f.Plugins, a.By)
		}
	}
}
