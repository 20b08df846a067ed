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

var (
	nodeInputs = inputsOf(
		func(n *corev1.Node) engine.Input { return engine.NodeSeen{Node: n} },
		func(n *corev1.Node) engine.Input { return engine.NodeGone{Name: n.Name} })
	podInputs = inputsOf(
		func(p *corev1.Pod) engine.Input { return engine.PodSeen{Pod: p} },
		func(p *corev1.Pod) engine.Input { return engine.PodGone{Pod: podspec.RefOf(p)} })
)

// NewWatch prepares informers that put what they see. Metrics know them by a name, unless
// it is nil.
func NewWatch(client kubernetes.Interface, put Put, name *cache.InformerName) (*Watch, error) {
	w := &Watch{factory: informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(Trim), informers.WithInformerName(name))}
	core := client.CoreV1()
	nodes := w.factory.Core().V1().Nodes().Informer()
	pods := w.factory.InformerFor(&corev1.Pod{}, newPodInformer(name))
	w.nodes, w.pods = nodes.GetStore(), pods.GetStore()
	w.kinds = []*kind{
		{name: "nodes", informer: nodes, inputs: nodeInputs, calls: callsOf(core.Nodes())},
		{name: "pods", informer: pods, inputs: podInputs, calls: callsOf(core.Pods(metav1.NamespaceAll)), fields: unfinished},
	}
	w.kinds = append(w.kinds, w.relations(client)...)
	for _, k := range w.kinds {
		k.put = put
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
