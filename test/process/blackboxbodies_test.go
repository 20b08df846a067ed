package process

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
)

// What is told of all requests together.
const (
	bodies   = "all scenes: bodies of status patches"
	repeated = "all scenes: events of refusals that repeat"
)

// wholeLog takes down what kinds of status patches were sent, and whether refusals that
// repeat become several events.
func wholeLog(log []controlplane.AuditEvent, requests map[string]string) error {
	kinds, events, most := counts{}, counts{}, 0.0
	for i := range log {
		e := &log[i]
		switch {
		case e.ObjectRef.Subresource == "status":
			keys, err := keysOf(e.RequestObject)
			if err != nil {
				return err
			}
			kinds[keys] = 1
		case e.ObjectRef.Resource == "events" && e.Verb == "create":
			event := eventsv1.Event{}
			if err := json.Unmarshal(e.RequestObject, &event); err != nil {
				return err
			}
			key := fmt.Sprint(event.Regarding.UID, event.Note)
			events[key]++
			most = max(most, events[key])
		}
	}
	requests[bodies] = fmt.Sprint(slices.Sorted(maps.Keys(kinds)))
	requests[repeated] = fmt.Sprintf("several for one pod and text: %v", most > 1)
	return nil
}

// keysOf is which keys a body has.
func keysOf(body json.RawMessage) (string, error) {
	text, err := plain(body)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(regexp.MustCompile(`"[$\w/]+":`).FindAllString(text, -1)), nil
}

var (
	uid   = regexp.MustCompile(`"uid":"[0-9a-f-]{36}"`)
	clock = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`)
)

// plain is a body with sorted keys and without what differs from run to run.
func plain(body json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return "", fmt.Errorf("cannot read a body: %w: %s", err, body)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	return string(clock.ReplaceAll(uid.ReplaceAll(text, []byte(`"uid":"UID"`)), []byte(`"TIME"`))), nil
}
