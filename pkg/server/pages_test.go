package server

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/features"
)

type flags map[string]string

func (f flags) GetFlagz() map[string]string { return f }

// newPages returns pages with one check that fails as long as err says something.
func newPages(err *error) *Pages {
	broken := healthz.NamedCheck("broken", func(*http.Request) error { return *err })
	return &Pages{
		Readyz:    []healthz.HealthChecker{healthz.PingHealthz, broken},
		Resources: metrics.NewKubeRegistry(),
		Leads:     func() bool { return true },
		Flags:     flags{"master": "there"},
		Version:   features.New().Version(),
	}
}

func TestHealthSaysWhichCheckFails(t *testing.T) {
	var err error
	h := newPages(&err).handler()
	f := func(path string, want int, body string) {
		t.Helper()
		if code, got := ask(h, "", "GET", path, ""); code != want || strings.TrimSpace(got) != body {
			t.Errorf("%s: %d %q, want %d %q", path, code, got, want, body)
		}
	}
	f("/healthz", 200, "ok")
	f("/healthz/ping", 200, "ok")
	f("/livez/ping", 200, "ok")
	f("/readyz", 200, "ok")
	f("/readyz?verbose", 200, "[+]ping ok\n[+]broken ok\nreadyz check passed")
	err = errors.New("a secret")
	f("/readyz", 500, "[+]ping ok\n[-]broken failed: reason withheld\nreadyz check failed")
	f("/readyz?exclude=broken", 200, "ok")
	f("/readyz/broken", 500, "internal server error: a secret")
	f("/readyz/nope", 404, "404 page not found")
}

func TestPagesThatMayBeOff(t *testing.T) {
	var err error
	f := func(p *Pages, path string, want int) {
		t.Helper()
		if code, _ := ask(p.handler(), "", "GET", path, ""); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
	on, off := newPages(&err), newPages(&err)
	on.Profiling = true
	off.Flags, off.Version = nil, nil
	for path, codes := range map[string][2]int{
		"/flagz": {200, 404}, "/statusz": {200, 404}, "/debug/pprof": {302, 404}, "/debug/pprof/": {200, 404},
		"/debug/pprof/heap": {200, 404}, "/debug/flags": {200, 404}, "/debug/flags/v": {406, 404},
		"/version": {404, 404}, "/": {404, 404}, "/metrics/nope": {404, 404},
	} {
		f(on, path, codes[0])
		f(off, path, codes[1])
	}
}

func TestStatusListsThePages(t *testing.T) {
	var err error
	_, got := ask(newPages(&err).handler(), "", "GET", "/statusz", "")
	if !strings.Contains(got, "/configz /flagz /healthz /livez /metrics /readyz\n") {
		t.Errorf("/statusz says\n%s", got)
	}
}

func TestVerbosityCanBeSet(t *testing.T) {
	var err error
	p := newPages(&err)
	p.Profiling = true
	h := p.handler()
	defer ask(h, "", "PUT", "/debug/flags/v", "0")
	if code, got := ask(h, "", "PUT", "/debug/flags/v", "4"); code != 200 || got != "successfully set klog.logging.verbosity to 4\n" || !klog.V(4).Enabled() {
		t.Errorf("%d %q, on: %v", code, got, klog.V(4).Enabled())
	}
	if code, _ := ask(h, "", "PUT", "/debug/flags/v", "x"); code != 400 {
		t.Errorf("a verbosity of x: %d, want 400", code)
	}
}

func TestMetricsAreServedAndReset(t *testing.T) {
	c := metrics.NewCounterVec(&metrics.CounterOpts{Name: "server_test_total", StabilityLevel: metrics.ALPHA}, []string{"l"})
	legacyregistry.MustRegister(c)
	c.WithLabelValues("x").Inc()
	var err error
	h := newPages(&err).handler()
	if _, got := ask(h, "", "GET", "/metrics", ""); !strings.Contains(got, `server_test_total{l="x"} 1`) {
		t.Error("a counter is not served")
	}
	if code, got := ask(h, "", "DELETE", "/metrics", ""); code != 200 || got != "metrics reset\n" {
		t.Errorf("DELETE: %d %q", code, got)
	}
	if _, got := ask(h, "", "GET", "/metrics", ""); strings.Contains(got, `server_test_total{`) {
		t.Error("a counter is there after the reset")
	}
	ask(h, "", "GET", "/readyz", "")
	if _, got := ask(h, "", "GET", "/metrics/slis", ""); !strings.Contains(got, `kubernetes_healthcheck{name="broken",type="readyz"} 1`) {
		t.Errorf("/metrics/slis says\n%s", got)
	}
}

func TestResourcesAreForTheLeader(t *testing.T) {
	var err error
	p := newPages(&err)
	c := metrics.NewCounter(&metrics.CounterOpts{Name: "asked", StabilityLevel: metrics.ALPHA})
	p.Resources.MustRegister(c)
	leads := false
	p.Leads = func() bool { return leads }
	h := p.handler()
	if code, got := ask(h, "", "GET", "/metrics/resources", ""); code != 200 || got != "" {
		t.Errorf("another leads: %d %q, want nothing", code, got)
	}
	leads = true
	if code, got := ask(h, "", "GET", "/metrics/resources", ""); code != 200 || !strings.Contains(got, "asked 0") {
		t.Errorf("we lead: %d %q", code, got)
	}
}

func TestProgressFailsWhileOneTurnLasts(t *testing.T) {
	var turn time.Duration
	check := Progress(func() time.Duration { return turn })
	f := func(took time.Duration, want string) {
		t.Helper()
		turn = took
		got := ""
		if err := check.Check(nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("a turn of %v: %q, want %q", took, got, want)
		}
	}
	f(0, "")
	f(longestTurn-1, "")
	f(longestTurn, "the scheduling loop has been at one turn for 15s")
	f(time.Minute, "the scheduling loop has been at one turn for 1m0s")
	f(time.Millisecond, "")
}

func TestClosedWaitsForAChannel(t *testing.T) {
	c := make(chan struct{})
	check := Closed("synced", c, "not yet")
	if err := check.Check(nil); err == nil || err.Error() != "not yet" {
		t.Errorf("open: %v", err)
	}
	close(c)
	if err := check.Check(nil); err != nil {
		t.Errorf("closed: %v", err)
	}
}
