package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"
)

// heraldTimeout is how long an event about the lease may take, and with it the end.
const heraldTimeout = 2 * time.Second

// herald writes events about the lease: who became leader, and who stopped. They are few,
// and no decision waits for them, so each is a call of its own.
type herald struct {
	client  kubernetes.Interface
	source  string // where events say they come from
	telling sync.WaitGroup
}

var _ resourcelock.EventRecorder = (*herald)(nil)

// Eventf writes an event without being waited for.
func (h *herald) Eventf(about runtime.Object, kind, reason, format string, args ...any) {
	ref, err := reference.GetReference(scheme.Scheme, about)
	if err != nil {
		panic("BUG: kube: an event about what is no object: " + err.Error())
	}
	now := metav1.Now()
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: ref.Namespace, Name: eventName(ref.Name, now.UnixNano())},
		InvolvedObject: *ref,
		Reason:         reason,
		Message:        fmt.Sprintf(format, args...),
		Source:         corev1.EventSource{Component: h.source},
		FirstTimestamp: now,
		LastTimestamp:  now,
		Count:          1,
		Type:           kind,
	}
	h.telling.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), heraldTimeout)
		defer cancel()
		if _, err := h.client.CoreV1().Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{}); err != nil {
			klog.V(2).InfoS("Cannot write event", "lease", klog.KRef(ref.Namespace, ref.Name), "reason", reason, "err", err)
		}
	})
}

// wait returns when all events have been written, or could not be.
func (h *herald) wait() { h.telling.Wait() }
