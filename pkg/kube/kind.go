package kube

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// kind is one kind of object that decisions depend on. Its informer puts what it sees, and
// so does a barrier, which may be ahead of it or behind. What counts is the order in which
// they put: an object that is gone stays gone, and of two versions the later one stays.
type kind struct {
	name     string
	informer cache.SharedIndexInformer
	put      Put
	inputs   inputs
	calls    calls
	fields   string // selects the objects that are watched; empty for all

	refusal refusal // of the API server

	mu    sync.Mutex           // guards what follows, and the order of puts
	at    string               // the latest revision that the informer has put
	gone  map[types.UID]bool   // by what a barrier has seen; the informer has not yet
	ahead map[types.UID]string // the versions that a barrier has put, until the informer is past it
	until string               // the revision of that barrier
	left  map[types.UID]bool   // by what the informer has seen while a barrier looks; else nil
}

var _ cache.ResourceEventHandler = (*kind)(nil)

// inputs are what an object is to the engine, when it is seen and when it is gone.
type inputs struct{ seen, gone func(any) engine.Input }

func inputsOf[T any](seen, gone func(T) engine.Input) inputs {
	return inputs{func(obj any) engine.Input { return seen(obj.(T)) }, func(obj any) engine.Input { return gone(obj.(T)) }}
}

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

// The informer calls the methods below. What it knows already may still be on its way here.

// OnAdd puts an object.
func (k *kind) OnAdd(obj any, _ bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reach(obj)
	uid := uidOf(obj)
	if !k.gone[uid] && !isOlder(versionOf(obj), k.ahead[uid]) {
		k.put(k.inputs.seen(obj))
	}
}

// reach notes how far the informer has come.
func (k *kind) reach(obj any) {
	version := versionOf(obj)
	if k.at == "" || reached(version, k.at) {
		k.at = version
	}
	if k.until != "" && reached(version, k.until) {
		k.ahead, k.until = nil, ""
	}
}

// OnUpdate puts a change. Between two looks an object may have been deleted and made again;
// and when the API server's data was restored from a copy, it is older than it was. Both
// are another object to the engine.
func (k *kind) OnUpdate(before, after any) {
	if uidOf(before) != uidOf(after) || isOlder(versionOf(after), versionOf(before)) {
		k.OnDelete(before)
	}
	k.OnAdd(after, false)
}

// OnDelete puts that an object is gone, if a barrier has not. Some objects are known by
// their names: if the barrier has put another one of the name, that is there.
func (k *kind) OnDelete(obj any) {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = last.Obj
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reach(obj)
	uid := uidOf(obj)
	if k.left != nil {
		k.left[uid] = true
	}
	if k.gone[uid] {
		delete(k.gone, uid)
		return
	}
	k.put(k.inputs.gone(obj))
	if len(k.ahead) == 0 { // nearly always
		return
	}
	delete(k.ahead, uid)
	if known, exists, err := k.informer.GetStore().Get(obj); err == nil && exists && k.ahead[uidOf(known)] != "" {
		k.put(k.inputs.seen(known))
	}
}

// The barrier calls those below, between begin and end.

func (k *kind) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left, k.ahead, k.until = map[types.UID]bool{}, map[types.UID]string{}, ""
}

// passed returns a revision up to which the informer has put everything, or its store has
// it. A relist puts objects in any order, but those that are gone first, and none that is
// later than the store. It is "" if the informer does not tell.
func (k *kind) passed() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.informer.GetStore().LastStoreSyncResourceVersion()
	if known == "" || k.at == "" || isOlder(known, k.at) {
		return known
	}
	return k.at
}

func (k *kind) end(revision string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left, k.until = nil, revision
}

// putSeen puts an object, or what the informer knows of it if that is as new: it may be
// on its way still.
func (k *kind) putSeen(obj runtime.Object) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	uid := uidOf(obj)
	if k.gone[uid] || k.left[uid] {
		return nil
	}
	known, exists, err := k.informer.GetStore().Get(obj)
	if err != nil {
		return err
	}
	if !exists || uidOf(known) != uid || isOlder(versionOf(known), versionOf(obj)) {
		if known, err = Trim(obj.DeepCopyObject()); err != nil { // a list is not kept for one object of it
			return err
		}
	}
	k.ahead[uid] = versionOf(known)
	k.put(k.inputs.seen(known))
	return nil
}

// putGone puts that an object is gone. The informer will see it go as well.
func (k *kind) putGone(obj any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	uid := uidOf(obj)
	if k.gone[uid] || k.left[uid] {
		return
	}
	if k.gone == nil {
		k.gone = map[types.UID]bool{}
	}
	k.gone[uid] = true
	k.put(k.inputs.gone(obj))
}

func uidOf(obj any) types.UID {
	if o, err := meta.Accessor(obj); err == nil {
		return o.GetUID()
	}
	return ""
}

func versionOf(obj any) string {
	if o, err := meta.Accessor(obj); err == nil {
		return o.GetResourceVersion()
	}
	return ""
}

// isOlder reports whether version a came before b. What cannot be compared did not.
func isOlder(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// reached reports whether revision at is want or later. What cannot be compared is not.
func reached(at, want string) bool {
	order, err := resourceversion.CompareResourceVersion(at, want)
	return err == nil && order >= 0
}
