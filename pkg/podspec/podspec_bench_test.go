package podspec_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func BenchmarkCompile(b *testing.B) {
	c := podspec.NewCompiler()
	pod := object.Pod("p", object.CPU("100m"), object.Memory("200Mi"), object.Tolerate("k", "v", corev1.TaintEffectNoSchedule))
	b.ReportAllocs()
	for b.Loop() {
		c.Compile(pod)
	}
}
