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

var (
	errNotReached      = errors.New("the revision was not reached in time")
	errUnknownRevision = errors.New("the informer does not tell its revision")
)

// CatchUp is the barrier of a scheduler that takes over: it returns when everything has
// been put that existed when it was called. Informers may be seconds behind what the last
// leader did, and then it would give room away twice. For each kind, all at once:
//
//  1. A consistent list of the first few tells the revision that must be reached. If
//     there are no more, they are put, and that is all.
//  2. Else what the informer knows is put, and a short watch from there brings what it
//     does not know. It ends with a bookmark at that revision or a later one.
//  3. If it does not come in time, everything is listed and put.
//
// The informers put the same again, sooner or later; the engine ignores what is not news.
func (w *Watch) CatchUp(ctx context.Context) error {
	errs := make([]error, len(w.kinds))
	var kinds sync.WaitGroup
	for i, k := range w.kinds {
		kinds.Go(func() { errs[i] = k.catchUp(ctx) })
	}
	kinds.Wait()
	return errors.Join(errs...)
}

func (k *kind) catchUp(ctx context.Context) error {
	k.begin()
	want := ""
	defer func() { k.end(want) }()
	began, how := time.Now(), "list"
	first, err := k.list(ctx, few)
	if err != nil {
		return err
	}
	want = first.GetResourceVersion()
	if first.GetContinue() == "" {
		err = k.putAll(first)
	} else if missed := k.follow(ctx, want); missed != nil {
		klog.V(2).InfoS("Listing after a takeover", "kind", k.name, "reason", missed.Error())
		err = k.relist(ctx)
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

func (k *kind) relist(ctx context.Context) error {
	list, err := k.list(ctx, 0)
	if err != nil {
		return err
	}
	return k.putAll(list)
}

// putAll puts that objects are gone which the informer knows and a whole list does not,
// and then those of the list: one may have the name of another that is gone.
func (k *kind) putAll(list objects) error {
	there := map[types.UID]bool{}
	err := meta.EachListItem(list, func(obj runtime.Object) error { there[uidOf(obj)] = true; return nil })
	if err != nil {
		return fmt.Errorf("cannot read the list of %s: %w", k.name, err)
	}
	for _, known := range k.informer.GetStore().List() {
		if !there[uidOf(known)] && reached(list.GetResourceVersion(), versionOf(known)) {
			k.putGone(known)
		}
	}
	if err := meta.EachListItem(list, k.putSeen); err != nil {
		return fmt.Errorf("cannot read the list of %s: %w", k.name, err)
	}
	return nil
}

// follow puts what the informer knows, and what watches bring from there until revision
// want.
func (k *kind) follow(ctx context.Context, want string) error {
	ctx, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	from := k.passed() // before the list, which may be later
	if from == "" {
		return errUnknownRevision
	}
	for _, known := range k.informer.GetStore().List() {
		if err := k.putSeen(known.(runtime.Object)); err != nil {
			return err
		}
	}
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
	switch ev.Type {
	case watch.Bookmark:
	case watch.Deleted:
		k.putGone(ev.Object)
	default:
		return k.putSeen(ev.Object)
	}
	return nil
}
