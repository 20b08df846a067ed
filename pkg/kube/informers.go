package kube

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Put hands an input to the engine. It must not block for long.
type Put func(engine.Input)

// Watch is the informers and what they feed. Make one with NewWatch.
type Watch struct {
	factory informers.SharedInformerFactory
	kinds   []*kind
	synced  []cache.DoneChecker

	nodes, pods cache.Store
}

// unfinished selects the pods that take room; a pod that finishes is seen as gone.
var unfinished = fields.AndSelectors(
	fields.OneTermNotEqualSelector("status.phase", string(corev1.PodSucceeded)),
	fields.OneTermNotEqualSelector("status.phase", string(corev1.PodFailed)),
).String()

// NewWatch prepares informers that put what they see. Metrics know them by a name, unless
// it is nil.
func NewWatch(client kubernetes.Interface, put Put, name *cache.InformerName) (*Watch, error) {
	w := &Watch{factory: informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(Trim), informers.WithInformerName(name))}
	core := client.CoreV1()
	nodes := w.factory.Core().V1().Nodes().Informer()
	pods := w.factory.InformerFor(&corev1.Pod{}, newPodInformer(name))
	w.nodes, w.pods = nodes.GetStore(), pods.GetStore()
	w.kinds = []*kind{
		{name: "nodes", informer: nodes, handler: nodeHandler(put), calls: callsOf(core.Nodes())},
		{name: "pods", informer: pods, handler: podHandler(put), calls: callsOf(core.Pods(metav1.NamespaceAll)), fields: unfinished},
	}
	w.kinds = append(w.kinds, w.relations(client, put)...)
	for _, k := range w.kinds {
		if err := k.informer.SetWatchErrorHandlerWithContext(k.onError); err != nil {
			return nil, fmt.Errorf("adding event handlers: %w", err)
		}
		reg, err := k.informer.AddEventHandler(k)
		if err != nil {
			return nil, fmt.Errorf("adding event handlers: %w", err)
		}
		w.synced = append(w.synced, reg.HasSyncedChecker())
	}
	return w, nil
}

func newPodInformer(name *cache.InformerName) internalinterfaces.NewInformerFunc {
	return func(client kubernetes.Interface, _ time.Duration) cache.SharedIndexInformer {
		return coreinformers.NewPodInformerWithOptions(client, metav1.NamespaceAll, internalinterfaces.InformerOptions{
			InformerName:     name,
			TweakListOptions: func(o *metav1.ListOptions) { o.FieldSelector = unfinished },
		})
	}
}

// Run watches until ctx ends, and returns when all of it has stopped.
func (w *Watch) Run(ctx context.Context) {
	w.factory.StartWithContext(ctx)
	<-ctx.Done()
	w.factory.Shutdown()
}

// WaitForSync returns true once everything that existed at the start has been put.
func (w *Watch) WaitForSync(ctx context.Context) bool {
	return cache.WaitFor(ctx, "what exists", w.synced...)
}

func nodeHandler(put Put) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { put(engine.NodeSeen{Node: obj.(*corev1.Node)}) },
		UpdateFunc: func(_, obj any) { put(engine.NodeSeen{Node: obj.(*corev1.Node)}) },
		DeleteFunc: func(obj any) {
			if name, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err != nil {
				klog.ErrorS(err, "Cannot tell which node was deleted", "object", obj)
			} else {
				put(engine.NodeGone{Name: name})
			}
		},
	}
}

func podHandler(put Put) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { put(engine.PodSeen{Pod: obj.(*corev1.Pod)}) },
		UpdateFunc: func(before, after any) {
			was, now := before.(*corev1.Pod), after.(*corev1.Pod)
			if was.UID != now.UID { // deleted and made again between two looks
				put(engine.PodGone{Pod: podspec.RefOf(was)})
			}
			put(engine.PodSeen{Pod: now})
		},
		DeleteFunc: func(obj any) {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = last.Obj
			}
			put(engine.PodGone{Pod: podspec.RefOf(obj.(*corev1.Pod))})
		},
	}
}
