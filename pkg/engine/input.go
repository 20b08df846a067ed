package engine

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Input is one thing that the engine is told. The types below are all there are.
type Input interface{ input() }

type (
	// NodeSeen says that a node exists and how it looks.
	NodeSeen struct {
		Node *corev1.Node `json:"node"`
	}

	// NodeGone says that a node does not exist any more.
	NodeGone struct {
		Name string `json:"name"`
	}

	// PodSeen says that a pod exists and how it looks.
	PodSeen struct {
		Pod *corev1.Pod `json:"pod"`
	}

	// PodGone says that a pod does not exist any more, or has finished.
	PodGone struct {
		Pod podspec.Ref `json:"pod"`
	}

	// NamespaceSeen says that a namespace exists, and which labels it has.
	NamespaceSeen struct {
		Namespace *corev1.Namespace `json:"namespace"`
	}

	// NamespaceGone says that a namespace does not exist any more.
	NamespaceGone struct {
		Name string `json:"name"`
	}

	// ServiceSeen says that a service exists, and which pods it selects.
	ServiceSeen struct {
		Namespace string            `json:"namespace"`
		Name      string            `json:"name"`
		Selector  map[string]string `json:"selector,omitempty"`
	}

	// ServiceGone says that a service does not exist any more.
	ServiceGone struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}

	// ControllerSeen says that a controller exists, and which pods it takes for its own.
	ControllerSeen struct {
		Controller podspec.Controller    `json:"controller"`
		Selector   *metav1.LabelSelector `json:"selector,omitempty"`
	}

	// ControllerGone says that a controller does not exist any more.
	ControllerGone struct {
		Controller podspec.Controller `json:"controller"`
	}

	// BindDone is what came of a Bind.
	BindDone struct {
		Pod     podspec.Ref `json:"pod"`
		Attempt uint64      `json:"attempt"`
		Result  BindResult  `json:"result"`
		Node    string      `json:"node,omitempty"`    // with Bound: where the pod is, if not where it was sent
		Message string      `json:"message,omitempty"` // with Refused or Unknown: what the API server answered, if it did, to a bind
	}

	// StatusDone is what came of a PatchStatus.
	StatusDone struct {
		Pod    podspec.Ref `json:"pod"`
		Failed bool        `json:"failed,omitempty"`
	}

	// Answered is an asker's answer to an Ask.
	Answered struct {
		Attempt uint64     `json:"attempt"`
		Keep    []string   `json:"keep,omitempty"`   // nodes that may take the pod
		Failed  []NodeFail `json:"failed,omitempty"` // why others may not
		Error   string     `json:"error,omitempty"`  // the attempt fails with it
	}

	// Allow lets a pod that waits on a Permit plugin go on.
	Allow struct {
		Pod    podspec.Ref `json:"pod"`
		Plugin string      `json:"plugin"`
	}

	// Deny ends the attempt of a pod that waits on Permit.
	Deny struct {
		Pod     podspec.Ref `json:"pod"`
		Plugin  string      `json:"plugin"`
		Message string      `json:"message"`
	}

	// Tick says that time has passed. It is due at Next.
	Tick struct{}

	// Decide asks for the next decision.
	Decide struct{}
)

// NodeFail is a node that an asker refused.
type NodeFail struct {
	Node       string `json:"node"`
	Reason     string `json:"reason"`
	Unsolvable bool   `json:"unsolvable,omitempty"` // preemption cannot help
}

// BindResult is how a bind ended.
type BindResult string

// How a bind can end.
const (
	Bound   BindResult = "bound"
	Refused BindResult = "refused" // it did not happen and will not
	Gone    BindResult = "gone"    // there is no such pod any more
	Unknown BindResult = "unknown" // it may have happened

	Withdrawn BindResult = "withdrawn" // it was not sent, and will not be
)

func (NodeSeen) input()       {}
func (NodeGone) input()       {}
func (PodSeen) input()        {}
func (PodGone) input()        {}
func (NamespaceSeen) input()  {}
func (NamespaceGone) input()  {}
func (ServiceSeen) input()    {}
func (ServiceGone) input()    {}
func (ControllerSeen) input() {}
func (ControllerGone) input() {}
func (BindDone) input()       {}
func (StatusDone) input()     {}
func (Answered) input()       {}
func (Allow) input()          {}
func (Deny) input()           {}
func (Tick) input()           {}
func (Decide) input()         {}
