package kube

import (
	"context"
	"hash/fnv"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

const (
	bindWorkers   = 64
	statusWorkers = 8
	eventWorkers  = 8
	waitingEvents = 1 << 14 // for each event worker
	callTimeout   = 30 * time.Second
	statusTimeout = 5 * time.Second // the pod's bind may wait for it
)

// Writer carries effects out. Make one with NewWriter.
type Writer struct {
	client   kubernetes.Interface
	put      Put
	instance string // where events say they come from, after the profile

	binds   fifo[engine.Bind]
	patches patches
	events  [eventWorkers]fifo[engine.Event]

	dropped lost         // events that found their lane full
	unsent  atomic.Int64 // status patches that were cut off at the end of a term
}

// NewWriter returns a writer that calls through client and puts what came of it.
func NewWriter(client kubernetes.Interface, put Put) *Writer {
	w := &Writer{client: client, put: put}
	w.instance, _ = os.Hostname() // an event without it still says enough
	for i := range w.events {
		w.events[i].limit = waitingEvents
	}
	return w
}

// Do takes an effect over. It does not wait for it.
func (w *Writer) Do(effect engine.Effect) {
	switch f := effect.(type) {
	case engine.Bind:
		w.takeBind(f)
	case engine.PatchStatus:
		w.patches.put(f)
	case engine.Event:
		if !w.events[laneOf(f.Pod.UID, eventWorkers)].put(f) {
			w.dropped.note(time.Now())
		}
	}
}

// takeBind lets a bind go at once, or after a status patch of the pod that is under way.
func (w *Writer) takeBind(b engine.Bind) {
	dropped, wait := w.patches.giveWay(b)
	if dropped {
		w.put(engine.StatusDone{Pod: b.Pod, Failed: true})
	}
	if !wait {
		w.binds.put(b)
	}
}

// Run works until Close, and returns when all that was taken over is done. When ctx
// ends, calls that are under way are cut off and the rest fail at once.
func (w *Writer) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range bindWorkers {
		workers.Go(func() { each(&w.binds, func(b engine.Bind) { w.put(w.bind(ctx, b)) }) })
	}
	for range statusWorkers {
		workers.Go(func() { w.patchEach(ctx) })
	}
	for i := range w.events {
		known := newSeries()
		workers.Go(func() { each(&w.events[i], func(e engine.Event) { w.record(ctx, known, e) }) })
	}
	workers.Wait()
	if n := w.unsent.Load(); n > 0 {
		klog.InfoS("The term ended before all that was decided was written", "statusPatches", n)
	}
}

func (w *Writer) patchEach(ctx context.Context) {
	for p, ok := w.patches.take(); ok; p, ok = w.patches.take() {
		done := w.patch(ctx, p)
		if b := w.patches.done(p.Pod.UID); b != nil && !w.binds.put(*b) {
			w.withdraw(*b)
		}
		w.put(done)
	}
}

// Withdraw takes back the binds that no call has been made for, and answers them so.
func (w *Writer) Withdraw() {
	for _, b := range append(w.binds.drain(), w.patches.drain()...) {
		w.withdraw(b)
	}
}

func (w *Writer) withdraw(b engine.Bind) {
	w.put(engine.BindDone{Pod: b.Pod, Attempt: b.Attempt, Result: engine.Withdrawn})
}

// Close takes no more effects. Run ends when those taken are done.
func (w *Writer) Close() {
	w.binds.close()
	w.patches.close()
	for i := range w.events {
		w.events[i].close()
	}
}

func each[T any](f *fifo[T], do func(T)) {
	for item, ok := f.take(); ok; item, ok = f.take() {
		do(item)
	}
}

// laneOf gives a pod's effects of one kind one lane, so that they stay in order.
func laneOf(uid types.UID, lanes uint32) uint32 {
	h := fnv.New32a()
	h.Write([]byte(uid))
	return h.Sum32() % lanes
}
