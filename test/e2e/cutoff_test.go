package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/kube"
	"github.com/berth-scheduler/berth/pkg/metrics"
	"github.com/berth-scheduler/berth/pkg/scheduler"
	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// A leader loses its way to the lease, and to nothing else. Pods go on coming. One renew
// deadline after its last renewal nothing more is written, long before the lease runs out.
func TestLeaderThatCannotRenewWritesNothingMore(t *testing.T) {
	const deadline = 3 * time.Second
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("400"), object.Pods("4000"))))
	var cut atomic.Bool
	var renewed, wrote latest
	fence := kube.NewFence(deadline)
	leases := through(t, c, func(r *http.Request) error {
		if cut.Load() {
			return errors.New("no route to host")
		}
		if r.Method != http.MethodGet {
			renewed.see(time.Now())
		}
		return nil
	})
	worker := c.RESTConfig(controlplane.Scheduler)
	worker.Wrap(fence.Wrap)
	worker.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			now := time.Now() // before the fence looks, so that no write seems late on a slow machine
			answer, err := next.RoundTrip(r)
			if r.Method != http.MethodGet && !errors.Is(err, kube.ErrFenced) {
				wrote.see(now)
			}
			return answer, err
		})
	})
	client, err := kubernetes.NewForConfig(worker)
	must(t, err)
	cfg := config.Default()
	cfg.LeaderElection.LeaseDuration = metav1.Duration{Duration: 10 * time.Second}
	cfg.LeaderElection.RenewDeadline = metav1.Duration{Duration: deadline}
	cfg.LeaderElection.RetryPeriod = metav1.Duration{Duration: time.Second}
	metrics.Register()
	s, err := scheduler.New(cfg, scheduler.Deps{
		Client: client, Seed: 1, Grace: 5 * time.Second, Observers: []scheduler.Observer{metrics.NewRecorder()},
		Election: &kube.Election{Config: cfg.Election(), Client: leases, Identity: "berth", Fence: fence},
	})
	must(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()

	h := &handover{t: t, c: c}
	stopLoad := h.load(ctx, 1000)
	defer stopLoad()
	_, err = c.WaitBound(ctx, "default", "p0")
	must(t, err)
	cut.Store(true)
	if err := <-ended; !errors.Is(err, kube.ErrLost) {
		t.Errorf("ended with %v, want %v", err, kube.ErrLost)
	}
	after := wrote.last().Sub(renewed.last())
	t.Logf("the last write came to the fence %v after the last renewal left, the end came after %v", after, time.Since(renewed.last()))
	if after >= deadline || after < deadline/2 {
		t.Errorf("the last write passed the fence %v after the last renewal, want a bit less than %v", after, deadline)
	}
	meterInside(c).expectNobodyFlushed(t)
	pod, err := c.Client(controlplane.Admin).CoreV1().Pods("default").Get(ctx, fmt.Sprintf("p%d", stopLoad()-1), metav1.GetOptions{})
	must(t, err)
	if pod.Spec.NodeName != "" {
		t.Errorf("pod %s is on %s, though nobody leads", pod.Name, pod.Spec.NodeName)
	}
}

// through returns a client of the scheduler that asks before each request.
func through(t *testing.T, c *controlplane.ControlPlane, may func(*http.Request) error) kubernetes.Interface {
	t.Helper()
	rc := c.RESTConfig(controlplane.Scheduler)
	rc.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if err := may(r); err != nil {
				return nil, err
			}
			return next.RoundTrip(r)
		})
	})
	client, err := kubernetes.NewForConfig(rc)
	must(t, err)
	return client
}

// latest is the last of some times that are seen in any order.
type latest struct {
	mu sync.Mutex // of at
	at time.Time
}

func (l *latest) see(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at.After(l.at) {
		l.at = at
	}
}

func (l *latest) last() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
