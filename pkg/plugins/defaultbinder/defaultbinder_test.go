package defaultbinder

import (
	"testing"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Judge: the end-to-end tests, since the plugin only says that the edge shall bind.

func TestBindsEveryPod(t *testing.T) {
	var plugin DefaultBinder
	if !plugin.Binds(podspec.NewCompiler().Compile(object.Pod("p"))) {
		t.Error("a pod is not bound, want every pod bound")
	}
	if plugin.Name() != "DefaultBinder" {
		t.Errorf("the plugin is called %s, want DefaultBinder", plugin.Name())
	}
}
