package kube

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// The API server is away for a while. An event is sent until it is answered, in whatever
// way, and not for ever.
func TestEventIsSentUntilItIsAnswered(t *testing.T) {
	events := schema.GroupResource{Group: "events.k8s.io", Resource: "events"}
	refused := errors.New("dial tcp 127.0.0.1:1: connect: connection refused")
	for want, answers := range map[int][]error{
		1:  {nil},
		4:  {refused, refused, refused, nil},
		2:  {refused, apierrors.NewAlreadyExists(events, "a.1")}, // the first one arrived
		3:  {refused, refused, apierrors.NewForbidden(events, "a.1", errors.New("no"))},
		12: {refused},
	} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				client := fake.NewClientset()
				client.PrependReactor("create", "events", func(clienttesting.Action) (bool, kruntime.Object, error) {
					err := answers[min(tries, len(answers)-1)]
					tries++
					return true, nil, err
				})
				w := NewWriter(client, nil)
				w.record(context.Background(), newSeries(), engine.Event{Pod: podA, Type: "Normal"})
				if tries != want {
					t.Errorf("sent %d times, want %d", tries, want)
				}
			})
		})
	}
	t.Run("fenced", func(t *testing.T) {
		tries := 0
		err := untilAnswered(context.Background(), func(context.Context) error { tries++; return ErrFenced })
		if tries != 1 || !errors.Is(err, ErrFenced) {
			t.Errorf("sent %d times: %v", tries, err)
		}
	})
}
