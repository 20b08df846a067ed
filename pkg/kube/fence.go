package kube

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"
)

// Fence stops writes that leave while the lease may be another's. It is shut until the
// lease is acquired, and each renewal opens it for one renew deadline. The time is this
// process's own, counted from when a renewal was sent, by the monotonic clock and by the
// wall clock: the one may stand still while the machine does, the other may be set.
type Fence struct {
	valid   time.Duration
	renewed atomic.Pointer[time.Time] // the last renewal, with its monotonic reading; nil while shut
}

// ErrFenced is the answer to a write that came too late, or too early.
var ErrFenced = errors.New("not sent: the lease may be another scheduler's")

// NewFence returns a fence that shuts when the lease has not been renewed for so long.
func NewFence(renewDeadline time.Duration) *Fence { return &Fence{valid: renewDeadline} }

// Renewed opens the fence from when a renewal that succeeded was sent.
func (f *Fence) Renewed(sent time.Time) { f.renewed.Store(&sent) }

// Close shuts the fence: the lease is given away, or was seen with another.
func (f *Fence) Close() { f.renewed.Store(nil) }

// Open reports whether a write may leave now.
func (f *Fence) Open(now time.Time) bool {
	renewed := f.renewed.Load()
	return renewed != nil && now.Sub(*renewed) < f.valid && now.Round(0).Sub(renewed.Round(0)) < f.valid
}

// Wrap returns a transport that lets reads pass, and writes while the fence is open.
func (f *Fence) Wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead && !f.Open(time.Now()) {
			return nil, ErrFenced
		}
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
