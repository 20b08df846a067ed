package kube

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

// An informer tries again for as long as it takes. What the API server answers is told
// once, until it says something else, or had let the informer watch in between.
func TestRefusalIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
		lines := logger.GetSink().(ktesting.Underlier).GetBuffer()
		ctx := klog.NewContext(t.Context(), logger)
		k := &kind{name: "replicasets"}
		resource := schema.GroupResource{Group: "apps", Resource: "replicasets"}
		forbidden := func(verb string) error {
			return fmt.Errorf("failed to list: %w", apierrors.NewForbidden(resource, "", errors.New("no right to "+verb)))
		}
		f := func(err error, want int) {
			t.Helper()
			before := strings.Count(lines.String(), "refuses a watch")
			k.onError(ctx, nil, err)
			if got := strings.Count(lines.String(), "refuses a watch") - before; got != want {
				t.Errorf("%v: %d lines, want %d:\n%s", err, got, want, lines.String())
			}
			time.Sleep(time.Minute) // of the bubble: the longest an informer waits
		}
		f(forbidden("list"), 1)
		f(forbidden("list"), 0)
		f(forbidden("list"), 0)
		f(forbidden("watch"), 1)
		f(forbidden("list"), 1)
		time.Sleep(newsAfter)
		f(forbidden("list"), 1)
		f(apierrors.NewNotFound(resource, ""), 1)
		f(apierrors.NewNotFound(resource, ""), 0)
		if text := lines.String(); !strings.Contains(text, `resource="replicasets"`) || !strings.Contains(text, "no right to list") {
			t.Errorf("the log does not name what is refused, and why:\n%s", text)
		}
	})
}
