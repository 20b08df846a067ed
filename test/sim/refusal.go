package sim

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Refusal tells how a chain with one plugin puts it that no node takes a pod, and who
// counts as the rejector. A pod that some node takes is an error.
func Refusal(plugin framework.Plugin, pod *corev1.Pod, nodes ...*corev1.Node) (text string, by []string, err error) {
	specs := podspec.NewCompiler()
	c := (&World{Nodes: nodes}).Load(specs)
	f := &frame{}
	f.rows.CopyFrom(c.Live())
	plugins := []runtime.Enabled{{Plugin: plugin}, {Plugin: f}}
	chain, err := runtime.New(runtime.AtAllPoints("sim", plugins), c, nobody{})
	if err != nil {
		return "", nil, err
	}
	switch rows, err := chain.Narrow(specs.Compile(pod)); {
	case err != nil:
		return "", nil, err
	case rows > 0:
		return "", nil, errors.New("a node takes the pod")
	}
	failure, err := chain.Explain()
	if err != nil {
		return "", nil, err
	}
	return failure.Text(), failure.Plugins, nil
}
