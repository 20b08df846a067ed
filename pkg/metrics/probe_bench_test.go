package metrics

import (
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/config"
)

// BenchmarkProbe is what an attempt costs more that is measured: from PreFilter to Permit.
func BenchmarkProbe(b *testing.B) {
	Register()
	p := NewProbe("bench")
	b.ReportAllocs()
	for b.Loop() {
		since, _ := p.Begin()
		since = p.Point(config.PreFilter, fwk.Success, since)
		p.Point(config.Filter, fwk.Success, since)
		since, _ = p.Begin()
		since = p.Point(config.PreScore, fwk.Success, since)
		p.Point(config.Score, fwk.Success, since)
		for _, at := range []config.Point{config.Reserve, config.Permit} {
			since, _ = p.Begin()
			p.Point(at, fwk.Success, since)
		}
	}
}
