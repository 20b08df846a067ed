package runtime_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// stage is a chain of fakes over nodes called a, b, c.
type stage struct {
	*runtime.Chain
	t         *testing.T
	cluster   *cluster.Cluster
	specs     *podspec.Compiler
	nominated nominated
}

func newStage(t *testing.T, nodes string, plugins ...framework.Plugin) *stage {
	t.Helper()
	enabled := make([]runtime.Enabled, len(plugins))
	for i, p := range plugins {
		enabled[i].Plugin = p
	}
	return newWeightedStage(t, nodes, enabled...)
}

func newWeightedStage(t *testing.T, nodes string, plugins ...runtime.Enabled) *stage {
	t.Helper()
	specs := podspec.NewCompiler()
	s := &stage{t: t, cluster: cluster.New(specs.Resources), specs: specs, nominated: nominated{}}
	for _, name := range strings.Fields(nodes) {
		s.cluster.SetNode(object.Node(name))
	}
	plugins = append(plugins, runtime.Enabled{Plugin: ends{"Ends"}})
	chain, err := runtime.New(runtime.AtAllPoints("test", plugins), s.cluster, s.nominated)
	if err != nil {
		t.Fatal(err)
	}
	s.Chain = chain
	return s
}

// pod compiles a pod with a UID of its own name.
func (s *stage) pod(name string, options ...object.PodOption) *podspec.Pod {
	p := object.Pod(name, options...)
	p.UID = types.UID(name)
	return s.specs.Compile(p)
}

// expectFit narrows and compares the names of the nodes that are left.
func (s *stage) expectFit(p *podspec.Pod, want string) {
	s.t.Helper()
	n, err := s.Narrow(p)
	var names []string
	for row := range s.Feasible().All() {
		names = append(names, s.cluster.Name(row))
	}
	if got := strings.Join(names, " "); err != nil || got != want || n != len(names) {
		s.t.Errorf("%d nodes take the pod: %q (%v), want %q", n, got, err, want)
	}
}

// expectNone narrows, and compares the text of the failure.
func (s *stage) expectNone(p *podspec.Pod, want string) *runtime.Failure {
	s.t.Helper()
	s.expectFit(p, "")
	failure, err := s.Explain()
	if err != nil {
		s.t.Fatalf("Explain: %v", err)
	}
	if got := failure.Text(); got != want {
		s.t.Errorf("got  %s\nwant %s", got, want)
	}
	return failure
}

// expectError narrows and compares the error.
func (s *stage) expectError(p *podspec.Pod, want string) {
	s.t.Helper()
	if _, err := s.Narrow(p); err == nil || err.Error() != want {
		s.t.Errorf("got error %v, want %s", err, want)
	}
	if mark := s.cluster.Try().Mark(); mark != 0 {
		s.t.Errorf("the Try is left with %d changes", mark)
	}
}

func expectNames(t *testing.T, what string, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s: %q, want %q", what, text, want)
	}
}
