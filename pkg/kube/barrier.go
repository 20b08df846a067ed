package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// A Barrier lets a scheduler that takes over catch up with what the last one did. Its
// informers may be seconds behind, and then it would give room away twice.
//
//  1. A consistent read of one object tells the revision that must be reached.
//  2. A short watch from where the informers are brings what they have not seen, as
//     facts, and ends with a bookmark at that revision or a later one.
//  3. If it does not come in time, everything is listed.
//
// The informers bring the same again later; the engine ignores what is not news.
type Barrier struct {
	Client kubernetes.Interface
	Watch  *Watch
	Put    Put
}

// catchUp is how long the watch of step 2 may take. The API server sends a bookmark two
// seconds before a watch of a given length ends.
const (
	catchUp     = 5 * time.Second
	probeLength = int64(3) // seconds
)

var errNotReached = errors.New("the revision was not reached in time")

// kindOf is one kind of object that decisions depend on.
type kindOf struct {
	name  string
	at    func() string // the revision that the informer has reached
	list  func(context.Context, metav1.ListOptions) (runtime.Object, string, error)
	watch func(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// Pass returns when everything has been put that existed when it was called.
func (b *Barrier) Pass(ctx context.Context) error {
	for _, k := range b.kinds() {
		_, want, err := k.list(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			return fmt.Errorf("cannot tell the revision of %s: %w", k.name, err)
		}
		began := time.Now()
		if err := b.reach(ctx, k, want); err != nil {
			klog.V(2).InfoS("Listing after a takeover", "kind", k.name, "reason", err.Error())
			if err := b.relist(ctx, k); err != nil {
				return err
			}
		}
		klog.V(2).InfoS("Caught up after a takeover", "kind", k.name, "revision", want, "took", time.Since(began))
	}
	return nil
}

// reach puts what a watch brings until revision want.
func (b *Barrier) reach(ctx context.Context, k kindOf, want string) error {
	ctx, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	from := k.at()
	for !reached(from, want) {
		length := probeLength
		w, err := k.watch(ctx, metav1.ListOptions{ResourceVersion: from, AllowWatchBookmarks: true, TimeoutSeconds: &length})
		if err != nil {
			return err
		}
		from, err = b.follow(ctx, w, from, want)
		w.Stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// follow puts the events of one watch until it ends or has reached want, and returns how
// far it came.
func (b *Barrier) follow(ctx context.Context, w watch.Interface, from, want string) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return from, errNotReached
		case ev, open := <-w.ResultChan():
			if !open {
				return from, nil
			}
			version, err := b.take(ev)
			if err != nil {
				return from, err
			}
			if from = version; reached(from, want) {
				return from, nil
			}
		}
	}
}

// take puts one event and returns its revision.
func (b *Barrier) take(ev watch.Event) (string, error) {
	object, ok := ev.Object.(metav1.ObjectMetaAccessor)
	if !ok || ev.Type == watch.Error {
		return "", fmt.Errorf("the watch broke: %v", ev.Object)
	}
	version := object.GetObjectMeta().GetResourceVersion()
	if ev.Type == watch.Bookmark {
		return version, nil
	}
	b.putObject(ev.Object, ev.Type == watch.Deleted)
	return version, nil
}

// putObject puts an object as the informers would.
func (b *Barrier) putObject(object runtime.Object, gone bool) {
	switch o := object.(type) {
	case *corev1.Pod:
		if gone {
			b.Put(engine.PodGone{Pod: podspec.RefOf(o)})
			return
		}
		trimPod(o)
		b.Put(engine.PodSeen{Pod: o})
	case *corev1.Node:
		if gone {
			b.Put(engine.NodeGone{Name: o.Name})
			return
		}
		trimNode(o)
		b.Put(engine.NodeSeen{Node: o})
	}
}

// relist puts everything of a kind. What has gone meanwhile, the informers will tell.
func (b *Barrier) relist(ctx context.Context, k kindOf) error {
	list, _, err := k.list(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("cannot list %s: %w", k.name, err)
	}
	switch l := list.(type) {
	case *corev1.PodList:
		for i := range l.Items {
			b.putObject(&l.Items[i], false)
		}
	case *corev1.NodeList:
		for i := range l.Items {
			b.putObject(&l.Items[i], false)
		}
	}
	return nil
}

func (b *Barrier) kinds() []kindOf {
	core := b.Client.CoreV1()
	return []kindOf{
		{
			name: "pods", at: b.Watch.PodsAt,
			list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, string, error) {
				o.FieldSelector = unfinished
				l, err := core.Pods(metav1.NamespaceAll).List(ctx, o)
				return l, l.GetResourceVersion(), err
			},
			watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
				o.FieldSelector = unfinished
				return core.Pods(metav1.NamespaceAll).Watch(ctx, o)
			},
		},
		{
			name: "nodes", at: b.Watch.NodesAt,
			list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, string, error) {
				l, err := core.Nodes().List(ctx, o)
				return l, l.GetResourceVersion(), err
			},
			watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
				return core.Nodes().Watch(ctx, o)
			},
		},
	}
}

// reached reports whether revision at is want or later. What cannot be compared is not.
func reached(at, want string) bool {
	order, err := resourceversion.CompareResourceVersion(at, want)
	return err == nil && order >= 0
}
