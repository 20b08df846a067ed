package kube

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

const (
	seriesLife    = 6 * time.Minute // after which a repetition is a new event
	seriesRefresh = 5 * time.Minute // between two writes of a series that goes on
	seriesKept    = 4096            // for each lane; more are swept when old
)

// series are the events of one lane that may repeat.
type series struct {
	known map[engine.Event]*repeated
	last  int64 // the stamp of the last event's name
}

// repeated is an event that was written, and how often it has come.
type repeated struct {
	name    string
	count   int32
	seen    time.Time
	written time.Time
}

func newSeries() *series { return &series{known: map[engine.Event]*repeated{}} }

// eventTries is how often an event is sent while nobody answers, and eventTimeout for how
// long at the most.
var eventTries = wait.Backoff{Steps: 12, Duration: 20 * time.Millisecond, Factor: 2}

const eventTimeout = 45 * time.Second

// record writes an event, or makes the one that it repeats a series.
func (w *Writer) record(ctx context.Context, s *series, e engine.Event) {
	now := time.Now()
	if r := s.repeats(e, now); r != nil {
		err := w.extend(ctx, e, r, now)
		if !apierrors.IsNotFound(err) { // one that has expired is written anew
			logEventError(e, err)
			return
		}
	}
	event := s.event(e, w.instance, now)
	err := untilAnswered(ctx, func(ctx context.Context) error {
		_, err := w.client.EventsV1().Events(e.Pod.Namespace).Create(ctx, event, metav1.CreateOptions{})
		return err
	})
	if apierrors.IsAlreadyExists(err) { // the name is ours: an answer was lost
		err = nil
	}
	if err == nil && e.Type == corev1.EventTypeWarning { // others happen once
		s.known[identity(e)] = &repeated{name: event.Name, count: 1, seen: now, written: now}
	}
	logEventError(e, err)
}

// repeats returns the event that e repeats, nil when it is news.
func (s *series) repeats(e engine.Event, now time.Time) *repeated {
	if len(s.known) > seriesKept {
		for key, r := range s.known {
			if now.Sub(r.seen) > seriesLife {
				delete(s.known, key)
			}
		}
	}
	r := s.known[identity(e)]
	if r == nil || now.Sub(r.seen) > seriesLife {
		return nil
	}
	r.count++
	r.seen = now
	return r
}

// identity is what two events must share for one to be the other's repetition.
func identity(e engine.Event) engine.Event {
	e.ResourceVersion = ""
	return e
}

// extend writes a series' count: when it becomes one, and now and then.
func (w *Writer) extend(ctx context.Context, e engine.Event, r *repeated, now time.Time) error {
	if r.count > 2 && now.Sub(r.written) < seriesRefresh {
		return nil
	}
	r.written = now
	body, err := json.Marshal(map[string]any{
		"series": eventsv1.EventSeries{Count: r.count, LastObservedTime: metav1.NewMicroTime(now)},
	})
	if err != nil {
		return err
	}
	return untilAnswered(ctx, func(ctx context.Context) error {
		_, err := w.client.EventsV1().Events(e.Pod.Namespace).Patch(ctx, r.name, types.StrategicMergePatchType, body, metav1.PatchOptions{})
		return err
	})
}

// untilAnswered makes a call again as long as the API server does not answer, within
// reason: the events behind it would not get there either.
func untilAnswered(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, eventTimeout)
	defer cancel()
	err := ctx.Err() // if no call is made
	_ = wait.ExponentialBackoffWithContext(ctx, eventTries, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		err = call(ctx)
		var status apierrors.APIStatus
		return err == nil || errors.As(err, &status) || errors.Is(err, ErrFenced), nil
	}) // err says more
	return err
}

func (s *series) event(e engine.Event, instance string, now time.Time) *eventsv1.Event {
	s.last = max(s.last+1, now.UnixNano())
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: e.Pod.Namespace, Name: eventName(e.Pod.Name, s.last)},
		EventTime:           metav1.NewMicroTime(now),
		ReportingController: e.Profile,
		ReportingInstance:   e.Profile + "-" + instance,
		Action:              e.Action,
		Reason:              e.Reason,
		Type:                e.Type,
		Note:                e.Note,
		Regarding: corev1.ObjectReference{
			Kind: "Pod", APIVersion: "v1",
			Namespace: e.Pod.Namespace, Name: e.Pod.Name, UID: e.Pod.UID, ResourceVersion: e.ResourceVersion,
		},
	}
}

// eventName makes a name from the pod's and a stamp, cut to what a name may be.
func eventName(pod string, stamp int64) string {
	const longest = 253
	suffix := "." + strconv.FormatInt(stamp, 16)
	return strings.TrimRight(pod[:min(len(pod), longest-len(suffix))], ".-") + suffix
}

func logEventError(e engine.Event, err error) {
	if err != nil {
		klog.V(2).InfoS("Cannot write event", "pod", klog.KRef(e.Pod.Namespace, e.Pod.Name), "reason", e.Reason, "err", err)
	}
}
