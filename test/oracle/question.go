package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/test/sim"
)

// Question is a cluster, a pod to place in it, and what happens afterwards.
type Question struct {
	Profile string `json:"profile,omitempty"` // of the pod; the default one has no name

	Nodes     []*corev1.Node `json:"nodes"`
	Bound     []*corev1.Pod  `json:"bound,omitempty"`
	Nominated []*corev1.Pod  `json:"nominated,omitempty"` // other pods that wait, with status.nominatedNodeName
	Pod       *corev1.Pod    `json:"pod"`
	Events    []Event        `json:"events,omitempty"`

	Namespaces []*corev1.Namespace `json:"namespaces,omitempty"`
	Services   []*corev1.Service   `json:"services,omitempty"`
	Backers    []sim.Backer        `json:"backers,omitempty"`
}

// Event is something that happens to one node or one pod: it comes, it changes, or it
// goes. What it was before is what the cluster has.
type Event struct {
	Node     *corev1.Node `json:"node,omitempty"`
	NodeGone string       `json:"nodeGone,omitempty"` // by name
	Pod      *corev1.Pod  `json:"pod,omitempty"`      // the pod of the question when it has its UID
	PodGone  types.UID    `json:"podGone,omitempty"`  // of a bound pod
}

// nodeOf and podOf return an object of the cluster, nil when it is not there.
func (q *Question) nodeOf(name string) *corev1.Node {
	for _, n := range q.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

func (q *Question) podOf(uid types.UID) *corev1.Pod {
	for _, p := range append([]*corev1.Pod{q.Pod}, q.Bound...) {
		if p.UID == uid {
			return p
		}
	}
	return nil
}

// Draw draws the question of a seed, and the name of the stratum that it is from.
func Draw(seed uint64) (*Question, string) {
	g := sim.New(seed)
	stratum := g.Stratum()
	w := stratum.Draw(g)
	q := &Question{
		Nodes: w.Nodes, Bound: w.Bound, Pod: w.Pending[0],
		Namespaces: w.Namespaces, Services: w.Services, Backers: w.Backers,
	}
	for _, p := range w.Pending[1:] {
		if p.Status.NominatedNodeName != "" {
			q.Nominated = append(q.Nominated, p)
		}
	}
	for _, c := range g.Changes(w, q.Pod) {
		q.Events = append(q.Events, eventOf(c))
	}
	if g.Chance(30) {
		q.Profile = sim.Pick(g, profiles[1:]...).Name
	}
	q.complete()
	return q, stratum.Name
}

// complete fills in what the API gives to each pod that does not say it, and which
// would only be noise in a fixture.
func (q *Question) complete() {
	pods := append([]*corev1.Pod{q.Pod}, q.Nominated...)
	for _, e := range q.Events {
		if e.Pod != nil {
			pods = append(pods, e.Pod)
		}
	}
	for _, p := range pods {
		if p.Spec.SchedulerName == "" {
			p.Spec.SchedulerName = corev1.DefaultSchedulerName
		}
	}
}

func eventOf(c sim.Change) Event {
	switch {
	case c.NodeAfter != nil:
		return Event{Node: c.NodeAfter}
	case c.NodeBefore != nil:
		return Event{NodeGone: c.NodeBefore.Name}
	case c.PodAfter != nil:
		return Event{Pod: c.PodAfter}
	}
	return Event{PodGone: c.PodBefore.UID}
}

// world returns the cluster as the simulator's type.
func (q *Question) world() *sim.World {
	return &sim.World{
		Nodes: q.Nodes, Bound: q.Bound, Pending: append([]*corev1.Pod{q.Pod}, q.Nominated...),
		Namespaces: q.Namespaces, Services: q.Services, Backers: q.Backers,
	}
}

// String draws the question, a line an object. The pod to place is the first one
// without a node.
func (q *Question) String() string {
	var b strings.Builder
	if q.Profile != "" {
		b.WriteString("profile " + q.Profile + "\n")
	}
	b.WriteString(q.world().String())
	for _, e := range q.Events {
		fmt.Fprintln(&b, "then "+e.String())
	}
	return b.String()
}

// String is one line.
func (e Event) String() string {
	switch {
	case e.Node != nil:
		return sim.NodeLine(e.Node)
	case e.Pod != nil:
		return sim.PodLine(e.Pod)
	case e.NodeGone != "":
		return "node " + e.NodeGone + " is gone"
	}
	return "pod " + string(e.PodGone) + " is gone"
}

// YAML writes the question as a fixture, without what every object carries along.
func (q *Question) YAML() ([]byte, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("cannot write a question: %w", err)
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // an int64 may be too large for a float64
	if err := decoder.Decode(&tree); err != nil {
		return nil, fmt.Errorf("cannot write a question: %w", err)
	}
	return yaml.Marshal(bare(tree))
}

// bare drops what says nothing: fields without a value, empty structs, and two that
// nodes always have and no rule reads.
func bare(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			value = bare(value)
			empty, isMap := value.(map[string]any)
			noise := key == "daemonEndpoints" || key == "nodeInfo" || (key == "spec" || key == "status" || key == "resources") && isMap && len(empty) == 0
			if tree[key] = value; value == nil || noise {
				delete(tree, key)
			}
		}
	case []any:
		for i := range tree {
			tree[i] = bare(tree[i])
		}
	}
	return tree
}

// ParseQuestion reads a fixture.
func ParseQuestion(text []byte) (*Question, error) {
	q := &Question{}
	if err := yaml.UnmarshalStrict(text, q); err != nil {
		return nil, fmt.Errorf("cannot read a question: %w", err)
	}
	if !q.whole() {
		return nil, fmt.Errorf("a question wants a pod, at least one node, and events that are some")
	}
	q.complete()
	return q, nil
}
