package scheduler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// Dump logs how the engine stands, and where it differs from what the informers have
// told. What they told just now may still be in the mailbox.
func (s *Scheduler) Dump(ctx context.Context) {
	var dump engine.Dump
	var mismatch engine.Mismatch
	if !s.look(ctx, func(e *engine.Engine) {
		mismatch = e.Compare(s.known())
		dump = e.Dump()
	}) {
		return
	}
	if !mismatch.Empty() {
		klog.InfoS("Cache mismatch", "missedNodes", mismatch.MissedNodes, "redundantNodes", mismatch.RedundantNodes,
			"missedPods", mismatch.MissedPods, "redundantPods", mismatch.RedundantPods)
	}
	klog.InfoS("Dump of cached NodeInfo", "nodes", dump.Nodes)
	klog.InfoS("Dump of scheduling queue", "summary", dump.Summary, "pods", dump.Pods)
}

// known is what the informers have told.
func (s *Scheduler) known() (pods map[types.UID]*corev1.Pod, nodes map[string]struct{}) {
	pods, nodes = map[types.UID]*corev1.Pod{}, map[string]struct{}{}
	for _, p := range s.watch.Pods() {
		pods[p.UID] = p
	}
	for _, name := range s.watch.Nodes() {
		nodes[name] = struct{}{}
	}
	return pods, nodes
}

// look lets f see the engine between two turns of the loop. It reports whether f was
// called before ctx ended.
func (s *Scheduler) look(ctx context.Context, f func(*engine.Engine)) bool {
	done := make(chan struct{})
	select {
	case s.looks <- func(e *engine.Engine) { f(e); close(done) }:
		s.mail.signal()
	case <-ctx.Done():
		return false
	}
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
