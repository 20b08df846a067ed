package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// world is an API server, its users and a bad network, in one goroutine and by seed.
// Binds are compare-and-set, watches are late, answers get lost. Nodes come and go, pods
// are nominated by others, and stay for a while when they are deleted.
type world struct {
	chance *rand.Rand
	now    clock.Now
	rv     int
	nodes  []*corev1.Node // that exist, one at least
	away   []*corev1.Node // that went and may come back
	pods   []*corev1.Pod  // that exist
	late   []Input        // watch events on their way, in order
	calls  []Effect       // effects on their way
	made   int
	told   map[types.UID]int // Scheduled events
}

func newWorld(seed uint64) *world {
	w := &world{chance: rand.New(rand.NewPCG(seed, 7)), told: map[types.UID]int{}}
	w.now.Wall = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 1 + w.chance.IntN(4) {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i), ResourceVersion: w.next()}}
		n.Status.Allocatable = corev1.ResourceList{
			corev1.ResourceCPU:  *resource.NewQuantity(int64(1+w.chance.IntN(3)), resource.DecimalSI),
			corev1.ResourcePods: resource.MustParse("5"),
		}
		if w.chance.IntN(4) == 0 {
			n.Spec.Taints = []corev1.Taint{{Key: "x", Effect: corev1.TaintEffectNoSchedule}}
		}
		w.nodes = append(w.nodes, n)
		w.late = append(w.late, NodeSeen{Node: n})
	}
	return w
}

func (w *world) next() string { w.rv++; return strconv.Itoa(w.rv) }

// turn lets one thing happen and returns what the engine is told of it.
func (w *world) turn() Input {
	w.now = w.now.Add(time.Duration(w.chance.IntN(300)) * time.Millisecond)
	switch n := w.chance.IntN(100); {
	case n < 15:
		w.create()
	case n < 20 && len(w.pods) > 0:
		w.remove(w.chance.IntN(len(w.pods)))
	case n < 22:
		w.nodeChange()
	case n < 24 && len(w.pods) > 0:
		w.podChange(w.pods[w.chance.IntN(len(w.pods))])
	case n < 45 && len(w.calls) > 0:
		return w.call()
	case n < 70 && len(w.late) > 0:
		in := w.late[0]
		w.late = w.late[1:]
		return in
	case n < 90:
		return Decide{}
	}
	return Tick{}
}

func (w *world) create() {
	w.made++
	name := fmt.Sprint("p", w.chance.IntN(8)) // names come again
	for _, p := range w.pods {
		if p.Name == name {
			return
		}
	}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(fmt.Sprint("u", w.made))}}
	p.Spec.SchedulerName = corev1.DefaultSchedulerName
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: *resource.NewMilliQuantity(int64(250*(1+w.chance.IntN(5))), resource.DecimalSI),
	}}}}
	if w.chance.IntN(2) == 0 {
		p.Spec.Tolerations = []corev1.Toleration{{Key: "x", Operator: corev1.TolerationOpExists}}
	}
	priority := int32(w.chance.IntN(3))
	p.Spec.Priority = &priority
	w.pods = append(w.pods, p)
	w.changed(p)
}

// nodeChange takes a node away, or brings one back as it was.
func (w *world) nodeChange() {
	if i := w.chance.IntN(len(w.nodes)); len(w.nodes) > 1 && w.chance.IntN(2) == 0 {
		n := w.nodes[i]
		w.nodes, w.away = slices.Delete(w.nodes, i, i+1), append(w.away, n)
		w.late = append(w.late, NodeGone{Name: n.Name})
		return
	}
	if len(w.away) == 0 {
		return
	}
	n := w.away[0].DeepCopy()
	n.ResourceVersion = w.next()
	w.nodes, w.away = append(w.nodes, n), w.away[1:]
	w.late = append(w.late, NodeSeen{Node: n})
}

// podChange nominates a pod that has no node, or takes that back, or begins to delete it.
func (w *world) podChange(p *corev1.Pod) {
	switch w.chance.IntN(4) {
	case 0:
		p.DeletionTimestamp = &metav1.Time{Time: w.now.Wall}
	case 1:
		p.Status.NominatedNodeName = ""
	default:
		if p.Spec.NodeName != "" {
			return
		}
		p.Status.NominatedNodeName = w.nodes[w.chance.IntN(len(w.nodes))].Name
	}
	w.changed(p)
}

// changed gives a pod its next version and sends it to the watchers.
func (w *world) changed(p *corev1.Pod) {
	p.ResourceVersion = w.next()
	w.late = append(w.late, PodSeen{Pod: p.DeepCopy()})
}

func (w *world) remove(i int) {
	p := w.pods[i]
	w.pods = append(w.pods[:i], w.pods[i+1:]...)
	w.late = append(w.late, PodGone{Pod: podspec.RefOf(p)})
}

func (w *world) find(uid types.UID) *corev1.Pod {
	for _, p := range w.pods {
		if p.UID == uid {
			return p
		}
	}
	return nil
}

// call carries out one effect and returns its answer, which may be lost.
func (w *world) call() Input {
	i := w.chance.IntN(len(w.calls)) // they overtake each other
	effect := w.calls[i]
	w.calls = append(w.calls[:i], w.calls[i+1:]...)
	switch f := effect.(type) {
	case Bind:
		return w.bind(f)
	case PatchStatus:
		p := w.find(f.Pod.UID)
		if p == nil || w.chance.IntN(10) == 0 {
			return StatusDone{Pod: f.Pod, Failed: true}
		}
		if f.Condition != nil {
			p.Status.Conditions = []corev1.PodCondition{*f.Condition}
		}
		if f.Nominate != nil {
			p.Status.NominatedNodeName = *f.Nominate
		}
		w.changed(p)
		return StatusDone{Pod: f.Pod}
	case Event:
		if f.Reason == "Scheduled" {
			w.told[f.Pod.UID]++
		}
	}
	return Tick{}
}

// bind is the API's compare-and-set. A third of the answers are lost, before or after.
func (w *world) bind(b Bind) Input {
	done := BindDone{Pod: b.Pod, Attempt: b.Attempt, Result: Unknown}
	fate := w.chance.IntN(7)
	switch fate {
	case 0:
		if done.Message = "the server fails"; w.chance.IntN(2) == 0 {
			done.Message = "" // it does not answer
		}
		return done // lost on the way there
	case 2:
		done.Result = Withdrawn // never sent; an earlier one may have been
		return done
	}
	p := w.find(b.Pod.UID)
	switch {
	case p == nil:
		done.Result = Gone
	case p.Spec.NodeName != "":
		done.Result, done.Node = Bound, p.Spec.NodeName
	case b.Look || p.DeletionTimestamp != nil:
		done.Result = Refused
	default:
		p.Spec.NodeName, p.Status.NominatedNodeName = b.Node, ""
		w.changed(p)
		done.Result = Bound
	}
	if fate == 1 {
		done = BindDone{Pod: b.Pod, Attempt: b.Attempt, Result: Unknown} // lost on the way back
	}
	return done
}

// overcommitted returns a node that holds more than it offers, "" if none does.
func (w *world) overcommitted() string {
	for _, n := range w.nodes {
		free := n.Status.Allocatable.Cpu().MilliValue()
		for _, p := range w.pods {
			if p.Spec.NodeName == n.Name {
				free -= p.Spec.Containers[0].Resources.Requests.Cpu().MilliValue()
			}
		}
		if free < 0 {
			return n.Name
		}
	}
	return ""
}
