package kube

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// kind is one kind of object that decisions depend on.
type kind struct {
	name     string
	informer cache.SharedIndexInformer
	handler  cache.ResourceEventHandler // puts what the informer sees
	calls    calls
	fields   string // selects the objects that are watched; empty for all

	onlyScores bool // no rule is broken if what is known of it is late

	refusal refusal // of the API server

	mu sync.Mutex // guards at
	at string     // the revision up to which everything has been put, by the informer
}

var _ cache.ResourceEventHandler = (*kind)(nil)

// objects are a list of a kind.
type objects interface {
	runtime.Object
	metav1.ListInterface
}

// calls lists and watches a kind as its informer does, but on its own.
type calls struct {
	list  func(context.Context, metav1.ListOptions) (objects, error)
	watch func(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// callsOf returns the calls of a client for one kind.
func callsOf[L objects](client interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}) calls {
	return calls{
		list:  func(ctx context.Context, o metav1.ListOptions) (objects, error) { return client.List(ctx, o) },
		watch: client.Watch,
	}
}

// The informer calls the methods below in the order of revisions, since its queue keeps
// that. What it knows already may still be on its way to them.

// OnAdd puts an object.
func (k *kind) OnAdd(obj any, initial bool) {
	k.handler.OnAdd(obj, initial)
	k.reach(obj)
}

// OnUpdate puts a change.
func (k *kind) OnUpdate(before, after any) {
	k.handler.OnUpdate(before, after)
	k.reach(after)
}

// OnDelete puts that an object is gone.
func (k *kind) OnDelete(obj any) {
	k.handler.OnDelete(obj)
	k.reach(obj) // the revision of its deletion, if the watch told it
}

// reach notes how far the informer has come. Objects that existed at the start come in
// any order, so the revision counts only after the first sync.
func (k *kind) reach(obj any) {
	object, ok := obj.(metav1.ObjectMetaAccessor)
	if !ok {
		return
	}
	version := object.GetObjectMeta().GetResourceVersion()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.at == "" || reached(version, k.at) {
		k.at = version
	}
}

// reachedBy returns the revision up to which everything has been put.
func (k *kind) reachedBy() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.at
}
