package framework

import (
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Plugin is a named part of a profile. What it does is in the interfaces below.
type Plugin interface{ Name() string }

// PreEnqueue decides whether a pod may enter the active queue. A rejection gates
// the pod: it waits without being attempted.
type PreEnqueue interface {
	Plugin
	PreEnqueue(p *podspec.Pod) *Rejection
}

// Queued is what QueueSort may compare of a pod in the queue.
type Queued struct {
	Pod      *podspec.Pod
	Since    time.Duration // monotonic time of the last entry into the queue
	Attempts int
}

// QueueSort orders the active queue. Where neither is less, arrival decides.
type QueueSort interface {
	Plugin
	Less(a, b *Queued) bool
}

// PreFilter prepares an attempt before rows are narrowed.
type PreFilter interface {
	Plugin
	PreFilter(c *Cycle) Prep
}

// Filter clears from fit every row that cannot take the pod. With why nil nobody
// asks for reasons. fit may hold one row; Narrow must then be cheap.
type Filter interface {
	Plugin
	Narrow(c *Cycle, fit *bitset.Set, why *Verdicts) error
}

// PreScorer prepares scoring. rows are the feasible ones.
type PreScorer interface {
	Plugin
	PreScore(c *Cycle, rows []int32) Prep
}

// Scorer sets out[i] for rows[i]. The chain brings the numbers to 0..100 as Norm
// says, weighs and adds them.
type Scorer interface {
	Plugin
	Score(c *Cycle, rows []int32, out []int64) error
	Norm() Norm
}

// Norm is how raw scores become 0..100 over the feasible rows.
type Norm int

const (
	NormNone        Norm = iota // they are in 0..100 already
	NormMax                     // the largest becomes 100
	NormMaxReversed             // the largest becomes 0, zero becomes 100
	NormMinMax                  // the largest becomes 100, the smallest 0
	NormCustom                  // Normalizer does it
)

// Normalizer is a Scorer whose Norm is NormCustom.
type Normalizer interface {
	Normalize(c *Cycle, rows []int32, out []int64) error
}

// PostFilter runs when no row was left. It may make room.
type PostFilter interface {
	Plugin
	PostFilter(c *Cycle, why *Verdicts) PostFilterResult
}

// PostFilterResult says what a PostFilter achieved.
type PostFilterResult struct {
	Nominate *string // the node to nominate, "" to clear; nil leaves it alone
	Message  string  // appended to the failure text
	Done     bool    // no further PostFilter runs
	Err      error
}

// Reserver takes what the pod needs on the chosen row beyond plain resources.
type Reserver interface {
	Plugin
	Reserve(c *Cycle, row int32) (Hold, *fwk.Status)
}

// Hold is something a Reserver took.
type Hold interface {
	// Undo gives it back. Holds are undone in reverse order, each exactly once,
	// unless the pod is bound.
	Undo()
}

// Awaited is a Hold that must become true before the pod may be bound, such as a
// volume that is being made.
type Awaited interface {
	Hold
	// Ready is asked after each change of the cluster. A status other than nil ends
	// the wait as a failure.
	Ready(v *cluster.View) (bool, *fwk.Status)
	// Timeout limits the wait. 0 means no limit.
	Timeout() time.Duration
}

// Permitter may hold the pod between choice and binding, or refuse it.
type Permitter interface {
	Plugin
	// Permit answers Success, Wait with a timeout, a rejection or an error.
	Permit(c *Cycle, row int32) (*fwk.Status, time.Duration)
}

// Binder says that the plugin binds by the API's own Binding, which the edge posts.
type Binder interface {
	Plugin
	Binds(p *podspec.Pod) bool
}

// Keeper says what the plugin's results for a pod depend on, so that they can be
// kept for pods of the same kind.
type Keeper interface {
	// Fragment spells out the part of the pod that matters. Pods with equal
	// fragments get equal results on equal state.
	Fragment(p *podspec.Pod) string
	Scope() Scope
}

// Scope says what makes kept results stale.
type Scope int

const (
	// Never: results are not kept.
	Never Scope = iota
	// PerRow: the result for a row depends on that row alone.
	PerRow
	// UntilChange: any change of what the plugin counts over all rows makes all
	// results stale.
	UntilChange
)

// Hinter says which cluster events may help a pod that the plugin rejected.
type Hinter interface {
	Plugin
	Hints() []Hint
}

// Hint is one kind of event, and a question. before and after are the trimmed API
// objects of the event, either may be nil. A nil Ask means that the event helps.
type Hint struct {
	On  fwk.ClusterEvent
	Ask func(v *cluster.View, p *podspec.Pod, before, after any) (fwk.QueueingHint, error)
}
