package server

import (
	"net/http"
	"runtime"

	"k8s.io/apiserver/pkg/server/flagz"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/apiserver/pkg/server/mux"
	"k8s.io/apiserver/pkg/server/routes"
	"k8s.io/apiserver/pkg/server/statusz"
	"k8s.io/component-base/compatibility"
	"k8s.io/component-base/configz"
	"k8s.io/component-base/logs"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/component-base/metrics/prometheus/slis"
)

// component is what the pages call us.
const component = "kube-scheduler"

// Pages is what there is to see.
type Pages struct {
	Healthz, Livez, Readyz []healthz.HealthChecker

	// Resources is the registry of /metrics/resources, which is empty unless Leads.
	Resources metrics.KubeRegistry
	Leads     func() bool

	Flags   flagz.Reader                   // nil: no /flagz
	Version compatibility.EffectiveVersion // nil: no /statusz

	Profiling  bool // /debug/pprof and /debug/flags
	Contention bool // with Profiling: profile what goroutines block on
}

// handler returns the pages. Those that it lists show in /statusz.
func (p *Pages) handler() http.Handler {
	m := mux.NewPathRecorderMux(component)
	healthz.InstallHandler(m, p.Healthz...)
	healthz.InstallLivezHandler(m, p.Livez...)
	healthz.InstallReadyzHandler(m, p.Readyz...)
	m.Handle("/metrics", legacyregistry.HandlerWithReset())
	m.Handle("/metrics/resources", p.leaderOnly(metrics.HandlerWithReset(p.Resources, metrics.HandlerOpts{})))
	slis.SLIMetricsWithReset{}.Install(m)
	configz.InstallHandler(m)
	if p.Flags != nil {
		flagz.Install(m, component, p.Flags)
	}
	if p.Profiling {
		p.profile(m)
	}
	if p.Version != nil {
		statusz.Install(m, component, statusz.NewRegistry(p.Version, statusz.WithListedPaths(m.ListedPaths())))
	}
	return m
}

// leaderOnly answers with an empty page while another scheduler leads: it counts the same.
func (p *Pages) leaderOnly(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Leads() {
			page.ServeHTTP(w, r)
		}
	})
}

func (p *Pages) profile(m *mux.PathRecorderMux) {
	routes.Profiling{}.Install(m)
	if p.Contention {
		runtime.SetBlockProfileRate(1)
	}
	routes.DebugFlags{}.Install(m, "v", routes.StringFlagPutHandler(logs.GlogSetter))
}
