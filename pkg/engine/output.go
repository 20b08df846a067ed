package engine

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Output is what one Step hands out. Its slices are valid until the next Step.
type Output struct {
	Decisions []Decision
	Effects   []Effect
	Settled   []Settled
	Events    []string // the cluster events that the input was, by their labels in metrics
}

// Verdict is what was decided for a pod.
type Verdict string

// What can be decided.
const (
	Placed        Verdict = "placed"        // a node was chosen and reserved
	Unschedulable Verdict = "unschedulable" // plugins refused every node
	Failed        Verdict = "error"         // something could not be found out, or done
	Skipped       Verdict = "skipped"       // the pod is being deleted
)

// Decision is the end of one attempt, or of the part of it that chooses. Metrics, log
// line, event and condition are printed from it.
type Decision struct {
	Seq      uint64        `json:"seq"` // attempts are numbered from 1
	Pod      podspec.Ref   `json:"pod"`
	Profile  string        `json:"profile"`
	Verdict  Verdict       `json:"verdict"`
	Node     string        `json:"node,omitempty"`
	Nodes    int           `json:"nodes"`             // how many there were
	Looked   int           `json:"looked"`            // how many were looked at
	Feasible int           `json:"feasible"`          // how many of those could take the pod
	Score    int64         `json:"score,omitempty"`   // the chosen node's weighted total
	Ties     int           `json:"ties,omitempty"`    // how many shared it
	Draw     uint64        `json:"draw,omitempty"`    // the random number that decided among them
	Attempts int           `json:"attempts"`          // of this pod, this one included
	Message  string        `json:"message,omitempty"` // why not, as users read it
	Plugins  []string      `json:"plugins,omitempty"` // who refused
	Waited   time.Duration `json:"waited"`            // since the pod first became active
	Flushed  bool          `json:"flushed,omitempty"` // nothing but time had woken the pod
	Stack    string        `json:"-"`                 // of a plugin's panic
}

// Settled is the end of a placement. Each Decision that is Placed gets one.
type Settled struct {
	Seq    uint64      `json:"seq"`
	Pod    podspec.Ref `json:"pod"`
	Node   string      `json:"node"`
	Result BindResult  `json:"result"` // never Unknown
}

// Effect is something that somebody shall do now. The types below are all there are.
type Effect interface{ effect() }

type (
	// Bind posts a Binding. It is answered by BindDone.
	Bind struct {
		Pod     podspec.Ref `json:"pod"`
		Attempt uint64      `json:"attempt"`
		Node    string      `json:"node"`
		Look    bool        `json:"look,omitempty"` // post none, look whether an earlier one happened: the node is gone
	}

	// PatchStatus writes a pod's status. It is answered by StatusDone.
	PatchStatus struct {
		Pod       podspec.Ref          `json:"pod"`
		Condition *corev1.PodCondition `json:"condition,omitempty"`
		Nominate  *string              `json:"nominate,omitempty"` // "" clears it
	}

	// Event tells users what happened to a pod.
	Event struct {
		Pod             podspec.Ref `json:"pod"`
		ResourceVersion string      `json:"resourceVersion,omitempty"` // of the pod it speaks of
		Profile         string      `json:"profile"`
		Type            string      `json:"type"`
		Reason          string      `json:"reason"`
		Action          string      `json:"action"`
		Note            string      `json:"note"`
	}

	// Ask puts a question to an asker. It is answered by Answered.
	Ask struct {
		Attempt uint64      `json:"attempt"`
		Asker   string      `json:"asker"`
		Pod     podspec.Ref `json:"pod"`
		Nodes   []string    `json:"nodes"`
	}
)

func (Bind) effect()        {}
func (PatchStatus) effect() {}
func (Event) effect()       {}
func (Ask) effect()         {}
