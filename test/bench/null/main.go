package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os/signal"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	name    = "default-scheduler"
	workers = 64
	waiting = 1 << 17 // pods between informer and workers
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path to the kubeconfig")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	client, err := newClient(*kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	s := &scheduler{client: client, queue: make(chan *corev1.Pod, waiting)}
	if err := s.run(ctx); err != nil {
		log.Fatal(err)
	}
}

func newClient(kubeconfig string) (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 10000, 10000
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return kubernetes.NewForConfig(config)
}

// scheduler gives pods to nodes in turn.
type scheduler struct {
	client kubernetes.Interface
	queue  chan *corev1.Pod

	mu    sync.Mutex // of both below
	nodes []string
	next  int
}

// run schedules until ctx ends. Work begins when all nodes are known.
func (s *scheduler) run(ctx context.Context) error {
	factory := informers.NewSharedInformerFactory(s.client, 0)
	nodes, err := factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: s.addNode})
	if err != nil {
		return err
	}
	_, err = factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: s.addPod})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), nodes.HasSynced)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { s.work(ctx) })
	}
	group.Wait()
	return nil
}

func (s *scheduler) addNode(node any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes = append(s.nodes, node.(*corev1.Node).Name)
}

// addPod queues a pod that waits for a node.
func (s *scheduler) addPod(object any) {
	pod := object.(*corev1.Pod)
	if pod.Spec.NodeName == "" && pod.Spec.SchedulerName == name && pod.DeletionTimestamp == nil {
		s.queue <- pod
	}
}

func (s *scheduler) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case pod := <-s.queue:
			if err := s.bind(ctx, pod, s.nextNode()); err != nil {
				log.Printf("cannot schedule pod %s/%s: %v", pod.Namespace, pod.Name, err)
			}
		}
	}
}

func (s *scheduler) nextNode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return s.nodes[s.next%len(s.nodes)]
}

// bind posts the binding and then the event.
func (s *scheduler) bind(ctx context.Context, pod *corev1.Pod, node string) error {
	err := s.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	now := time.Now()
	_, err = s.client.EventsV1().Events(pod.Namespace).Create(ctx, &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%x", pod.Name, now.UnixNano())},
		EventTime:  metav1.NewMicroTime(now), ReportingController: name, ReportingInstance: name + "-null",
		Action: "Binding", Reason: "Scheduled", Type: corev1.EventTypeNormal,
		Note: fmt.Sprintf("Successfully assigned %s/%s to %s", pod.Namespace, pod.Name, node),
		Regarding: corev1.ObjectReference{Kind: "Pod", APIVersion: "v1",
			Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion},
	}, metav1.CreateOptions{})
	return err
}
