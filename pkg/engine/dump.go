package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// Dump is the engine's state for operators to read.
type Dump struct {
	Nodes   string // each with its pods
	Summary string // how many pods wait, by where
	Pods    string // those that wait, are decided on or are being bound
}

// Dump writes down how the engine stands. It takes its time.
func (e *Engine) Dump() Dump {
	var d Dump
	var b strings.Builder
	for row := range e.cluster.Live().All() {
		e.dumpNode(&b, row)
	}
	d.Nodes = b.String()
	d.Summary = fmt.Sprintf("activeQ:%d; backoffQ:%d; unschedulableEntities:%d",
		e.queue.Len(queue.Active), e.queue.Len(queue.Backoff), e.queue.Len(queue.Unschedulable)+e.queue.Len(queue.Gated))
	b.Reset()
	for _, uid := range slices.Sorted(maps.Keys(e.pods)) {
		if it := e.queue.Get(uid); it != nil {
			dumpPod(&b, it.Pod, e.nominator.NodeOf(uid))
			fmt.Fprintf(&b, ", in: %v, attempts: %d, rejected by: %v\n", it.Place, it.Attempts, it.Rejectors)
		}
	}
	d.Pods = b.String()
	return d
}

func (e *Engine) dumpNode(b *strings.Builder, row int32) {
	v := &e.cluster.View
	fmt.Fprintf(b, "Node name: %s\nDeleted: false\n", v.Name(row))
	fmt.Fprintf(b, "Requested Resources: %s\nAllocatable Resources: %s\n", e.amounts(row, v.Requested), e.amounts(row, v.Allocatable))
	fmt.Fprintf(b, "Scheduled Pods(number: %d):\n", v.PodCount()[row])
	for p := range v.PodsOn(row) {
		dumpPod(b, p, "")
		b.WriteByte('\n')
	}
	if nominated := e.nominator.Nominated(v.Name(row)); len(nominated) > 0 {
		fmt.Fprintf(b, "Nominated Pods(number: %d):\n", len(nominated))
		for _, p := range nominated {
			dumpPod(b, p, v.Name(row))
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
}

// amounts lists what a row has of each resource, if it has any.
func (e *Engine) amounts(row int32, column func(col int32) []int64) string {
	var parts []string
	for col := range e.cluster.Resources().Len() {
		if list := column(int32(col)); list != nil && list[row] != 0 {
			parts = append(parts, fmt.Sprintf("%s:%d", e.cluster.Resources().Name(int32(col)), list[row]))
		}
	}
	return strings.Join(parts, " ")
}

func dumpPod(b *strings.Builder, p *podspec.Pod, nominated string) {
	fmt.Fprintf(b, "name: %s, namespace: %s, uid: %s, nominated node: %s", p.Name, p.Namespace, p.UID, nominated)
}
