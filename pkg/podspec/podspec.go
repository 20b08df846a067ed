package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/nodedeclaredfeatures"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
)

// Ref names a pod. Two pods of one name are told apart by UID.
type Ref struct {
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	UID       types.UID `json:"uid"`
}

// String returns namespace/name.
func (r Ref) String() string { return r.Namespace + "/" + r.Name }

// RefOf returns the name of an API pod.
func RefOf(p *corev1.Pod) Ref { return Ref{Namespace: p.Namespace, Name: p.Name, UID: p.UID} }

// Pod is a pod compiled for decisions. It is immutable: a changed API pod is
// compiled again.
type Pod struct {
	Ref
	API *corev1.Pod // what it was compiled from, for hints, conditions and foreign plugins

	Scheduler string // spec.schedulerName
	Priority  int32
	NodeName  string   // spec.nodeName; "" while unbound
	Nominated string   // status.nominatedNodeName
	Gates     []string // scheduling gates by name
	Deleting  bool     // metadata.deletionTimestamp is set

	Requests   Vector // what the pod asks of a node
	Scoring    Vector // what NodeResourcesFit's score adds for the pod
	Usage      Vector // what the pod takes from the node it is on, or would; its status counts
	UsageScore Vector // the same with defaults for containers without requests; CPU and memory only

	Tolerations       []corev1.Toleration
	PreferTolerations []corev1.Toleration // those that may tolerate a PreferNoSchedule taint

	HostPorts []HostPort // of containers and sidecars
	Images    []string   // normalised names: init containers, containers, image volumes

	Features    nodedeclaredfeatures.FeatureSet // that a node must declare
	FeaturesErr error                           // why they could not be told

	Kind       string     // spells out what selectors look at: namespace, labels, whether it is being deleted
	Controller Controller // that made it
	Affinity   *Affinity  // to other pods; nil for most pods
	Spread     *Spread    // its own topology spread constraints; nil without any

	nodes string // spells out its node selector and required node affinity; "" without any
}

// Compiler turns API pods into Pods. Its switches, and those of its resources, are read
// from feature gates once, at assembly.
type Compiler struct {
	*Resources

	MatchLabelKeys bool // of spread constraints count
}

// NewCompiler returns a compiler with a fresh resource table and every switch as
// it is by default.
func NewCompiler() *Compiler {
	return &Compiler{Resources: NewResources(), MatchLabelKeys: true}
}

// Compile reads everything that decisions need from p.
func (c *Compiler) Compile(p *corev1.Pod) *Pod {
	out := &Pod{
		Ref:         RefOf(p),
		API:         p,
		Scheduler:   p.Spec.SchedulerName,
		Priority:    corev1helpers.PodPriority(p),
		NodeName:    p.Spec.NodeName,
		Nominated:   p.Status.NominatedNodeName,
		Deleting:    p.DeletionTimestamp != nil,
		Tolerations: p.Spec.Tolerations,
	}
	for i := range p.Spec.SchedulingGates {
		out.Gates = append(out.Gates, p.Spec.SchedulingGates[i].Name)
	}
	for i := range p.Spec.Tolerations {
		t := &p.Spec.Tolerations[i]
		if t.Effect == "" || t.Effect == corev1.TaintEffectPreferNoSchedule {
			out.PreferTolerations = append(out.PreferTolerations, *t)
		}
	}
	out.Kind = kindOf(p)
	out.Controller = controllerOf(p)
	out.Affinity = compileAffinity(p)
	out.nodes = nodesKey(&p.Spec)
	out.Spread = compileSpread(out, c.MatchLabelKeys)
	out.HostPorts = HostPorts(p)
	out.Images = imageNames(&p.Spec)
	out.Features, out.FeaturesErr = RequiredFeatures(p)
	c.compileResources(p, out)
	return out
}
