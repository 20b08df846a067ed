package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

const (
	// few is how many objects of a kind are listed rather than followed.
	few = 500
	// catchUp is how long a watch may take. The API server sends a bookmark two seconds
	// before a watch of a given length ends.
	catchUp     = 5 * time.Second
	probeLength = int64(3) // seconds
)

var errNotReached = errors.New("the revision was not reached in time")

// CatchUp is the barrier of a scheduler that takes over: it returns when everything has
// been put that existed when it was called. Informers may be seconds behind what the last
// leader did, and then it would give room away twice. For each kind, all at once:
//
//  1. A consistent list of the first few tells the revision that must be reached. If
//     there are no more, they are put, and that is all.
//  2. Else a short watch from where the informer is brings what it has not seen, and ends
//     with a bookmark at that revision or a later one.
//  3. If it does not come in time, everything is listed and put.
//
// The informers put the same again later; the engine ignores what is not news.
func (w *Watch) CatchUp(ctx context.Context) error {
	errs := make([]error, len(w.kinds))
	var kinds sync.WaitGroup
	for i, k := range w.kinds {
		if k.onlyScores {
			continue
		}
		kinds.Go(func() { errs[i] = k.catchUp(ctx) })
	}
	kinds.Wait()
	return errors.Join(errs...)
}

func (k *kind) catchUp(ctx context.Context) error {
	began, from, how := time.Now(), k.reachedBy(), "list"
	first, err := k.list(ctx, few)
	if err != nil {
		return err
	}
	want := first.GetResourceVersion()
	if first.GetContinue() == "" {
		err = k.putAll(first, from)
	} else if missed := k.follow(ctx, from, want); missed != nil {
		klog.V(2).InfoS("Listing after a takeover", "kind", k.name, "reason", missed.Error())
		err = k.relist(ctx, from)
	} else {
		how = "watch"
	}
	klog.V(2).InfoS("Caught up after a takeover", "kind", k.name, "revision", want, "by", how, "took", time.Since(began), "err", err)
	return err
}

// list lists consistently, up to a number of objects; 0 means all.
func (k *kind) list(ctx context.Context, limit int64) (objects, error) {
	list, err := k.calls.list(ctx, metav1.ListOptions{FieldSelector: k.fields, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("cannot list %s: %w", k.name, err)
	}
	return list, nil
}

func (k *kind) relist(ctx context.Context, from string) error {
	list, err := k.list(ctx, 0)
	if err != nil {
		return err
	}
	return k.putAll(list, from)
}

// putAll puts the objects of a whole list that are newer than revision from, and that
// others are gone which the informer knows.
func (k *kind) putAll(list objects, from string) error {
	there := map[types.UID]bool{}
	err := meta.EachListItem(list, func(obj runtime.Object) error {
		object := obj.(metav1.Object)
		there[object.GetUID()] = true
		if reached(from, object.GetResourceVersion()) {
			return nil // the informer has put it
		}
		trimmed, err := Trim(obj.DeepCopyObject()) // the list is not kept for one object of it
		if err == nil {
			k.handler.OnAdd(trimmed, false)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot read the list of %s: %w", k.name, err)
	}
	for _, obj := range k.informer.GetStore().List() {
		known := obj.(metav1.Object)
		if !there[known.GetUID()] && reached(list.GetResourceVersion(), known.GetResourceVersion()) {
			k.handler.OnDelete(obj)
		}
	}
	return nil
}

// follow puts what watches bring until revision want.
func (k *kind) follow(ctx context.Context, from, want string) error {
	ctx, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	length := probeLength
	for !reached(from, want) {
		w, err := k.calls.watch(ctx, metav1.ListOptions{
			FieldSelector: k.fields, ResourceVersion: from, AllowWatchBookmarks: true, TimeoutSeconds: &length,
		})
		if err != nil {
			return err
		}
		from, err = k.drain(ctx, w, from, want)
		w.Stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// drain puts the events of one watch until it ends or has reached want, and returns how
// far it came.
func (k *kind) drain(ctx context.Context, w watch.Interface, from, want string) (string, error) {
	for !reached(from, want) {
		select {
		case <-ctx.Done():
			return from, errNotReached
		case ev, open := <-w.ResultChan():
			if !open {
				return from, nil
			}
			object, ok := ev.Object.(metav1.ObjectMetaAccessor)
			if !ok || ev.Type == watch.Error {
				return from, fmt.Errorf("the watch broke: %v", ev.Object)
			}
			from = object.GetObjectMeta().GetResourceVersion()
			if err := k.putEvent(ev); err != nil {
				return from, err
			}
		}
	}
	return from, nil
}

// putEvent puts an event as the informer would.
func (k *kind) putEvent(ev watch.Event) error {
	if ev.Type == watch.Bookmark {
		return nil
	}
	obj, err := Trim(ev.Object)
	if err != nil {
		return err
	}
	if ev.Type == watch.Deleted {
		k.handler.OnDelete(obj)
	} else {
		k.handler.OnAdd(obj, false)
	}
	return nil
}

// reached reports whether revision at is want or later. What cannot be compared is not.
func reached(at, want string) bool {
	order, err := resourceversion.CompareResourceVersion(at, want)
	return err == nil && order >= 0
}
