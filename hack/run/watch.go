package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// watchPods shows the board every pod of the cluster whenever it changes, until stop.
func watchPods(ctx context.Context, client kubernetes.Interface, b *board) (stop func(), err error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	_, err = factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { b.see(time.Now(), obj.(*corev1.Pod)) },
		UpdateFunc: func(_, obj any) { b.see(time.Now(), obj.(*corev1.Pod)) },
		DeleteFunc: func(obj any) {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = last.Obj
			}
			b.forget(time.Now(), obj.(*corev1.Pod))
		},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	factory.StartWithContext(ctx)
	return func() {
		cancel()
		factory.Shutdown()
	}, nil
}
