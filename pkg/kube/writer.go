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

	"github.com/berth-scheduler/berth/pkg/engine"
)

const (
	bindWorkers   = 64
	statusWorkers = 8
	eventWorkers  = 8
	waitingEvents = 1 << 14 // for each event worker
	callTimeout   = 30 * time.Second
)

// Writer carries effects out. Make one with NewWriter.
type Writer struct {
	client   kubernetes.Interface
	put      Put
	instance string // where events say they come from, after the profile

	binds    fifo[engine.Bind]
	statuses [statusWorkers]fifo[engine.PatchStatus]
	events   [eventWorkers]fifo[engine.Event]
	dropped  atomic.Int64
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
		w.binds.put(f)
	case engine.PatchStatus:
		w.statuses[laneOf(f.Pod.UID, statusWorkers)].put(f)
	case engine.Event:
		if !w.events[laneOf(f.Pod.UID, eventWorkers)].put(f) {
			w.dropped.Add(1)
		}
	}
}

// DroppedEvents returns how many events found their lane full.
func (w *Writer) DroppedEvents() int64 { return w.dropped.Load() }

// Run works until Close, and returns when all that was taken over is done. When ctx
// ends, calls that are under way are cut off and the rest fail at once.
func (w *Writer) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range bindWorkers {
		workers.Go(func() { each(&w.binds, func(b engine.Bind) { w.put(w.bind(ctx, b)) }) })
	}
	for i := range w.statuses {
		workers.Go(func() { each(&w.statuses[i], func(p engine.PatchStatus) { w.put(w.patch(ctx, p)) }) })
	}
	for i := range w.events {
		known := newSeries()
		workers.Go(func() { each(&w.events[i], func(e engine.Event) { w.record(ctx, known, e) }) })
	}
	workers.Wait()
}

// Withdraw takes back the binds that no call has been made for, and answers them so.
func (w *Writer) Withdraw() {
	for _, b := range w.binds.drain() {
		w.put(engine.BindDone{Pod: b.Pod, Attempt: b.Attempt, Result: engine.Withdrawn})
	}
}

// Close takes no more effects. Run ends when those taken are done.
func (w *Writer) Close() {
	w.binds.close()
	for i := range w.statuses {
		w.statuses[i].close()
	}
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
