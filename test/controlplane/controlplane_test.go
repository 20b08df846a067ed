package controlplane

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestTwoControlPlanesLiveSideBySide(t *testing.T) {
	other := shared(t)
	t.Parallel()
	c := Start(t, Options{
		FeatureGates: map[string]bool{"GenericWorkload": true},
		APIs:         []string{"scheduling.k8s.io/v1beta1"},
	})
	if err := c.CreatePods(t.Context(), object.Pod("only-here")); err != nil {
		t.Fatal(err)
	}
	_, err := other.Client(Admin).CoreV1().Pods("default").Get(t.Context(), "only-here", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("got error %v from the other control plane, want not found", err)
	}
	for plane, want := range map[*ControlPlane]bool{c: true, other: false} {
		_, err := plane.Client(Admin).Discovery().ServerResourcesForGroupVersion("scheduling.k8s.io/v1beta1")
		if got := err == nil; got != want {
			t.Errorf("got scheduling.k8s.io/v1beta1 served %v (error %v), want %v", got, err, want)
		}
	}
}

func TestAPIServerComesBackWithItsData(t *testing.T) {
	c := shared(t)
	client := c.Client(Admin).CoreV1()
	survivor := object.Pod(unused("survivor"))
	if err := c.CreatePods(t.Context(), survivor); err != nil {
		t.Fatal(err)
	}
	watch, err := client.Pods("default").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c.StopAPIServer(0)
	for range watch.ResultChan() { // ends with the server
	}
	if _, err := client.Pods("default").List(t.Context(), metav1.ListOptions{}); err == nil {
		t.Error("got an answer from a stopped API server")
	}
	if err := c.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Pods("default").Get(t.Context(), survivor.Name, metav1.GetOptions{}); err != nil {
		t.Errorf("got error %v through the client made before, want the pod", err)
	}
}

func TestDataDirOutlivesStop(t *testing.T) {
	t.Parallel()
	o := Options{DataDir: t.TempDir()}
	err := Run(t.Context(), o, func(ctx context.Context, c *ControlPlane) error {
		return c.CreateNodes(ctx, object.Node("n1", object.CPU("4")))
	})
	if err != nil {
		t.Fatal(err)
	}
	c := Start(t, o)
	node, err := c.Client(Admin).CoreV1().Nodes().Get(t.Context(), "n1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := node.Status.Allocatable.Cpu().String(); got != "4" {
		t.Errorf("got a node with cpu %s, want 4", got)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	t.Parallel()
	c, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := c.Client(Admin).CoreV1().Pods("").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	for range watch.ResultChan() { // ends with the server
	}
	if !c.api.HasEnded() || !c.etcd.HasEnded() {
		t.Error("a child is left")
	}
	if state := c.api.Wait(); !state.Exited() {
		t.Errorf("got %v for an API server with an open watch, want an orderly exit", state)
	}
	if _, err := os.Stat(c.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v for the data folder, want it gone", err)
	}
}

func TestFailedStartShowsTheLog(t *testing.T) {
	t.Parallel()
	_, err := New(t.Context(), Options{APIServerArgs: []string{"--no-such-flag"}})
	if err == nil || !strings.Contains(err.Error(), "unknown flag: --no-such-flag") {
		t.Errorf("got error %v, want what kube-apiserver logged", err)
	}
}

func TestRunEndsWhenAChildIsLost(t *testing.T) {
	t.Parallel()
	err := Run(t.Context(), Options{}, func(ctx context.Context, c *ControlPlane) error {
		c.api.Signal(syscall.SIGKILL)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(10 * time.Second):
			return errors.New("the context goes on")
		}
	})
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended by itself: signal: killed") {
		t.Errorf("got error %v, want the loss", err)
	}
}
