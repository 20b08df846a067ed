package plugins

import (
	"reflect"
	"testing"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/plugins/nodeunschedulable"
	"github.com/berth-scheduler/berth/pkg/plugins/podtopologyspread"
	"github.com/berth-scheduler/berth/pkg/plugins/tainttoleration"
)

func TestEachDefaultPluginCanBeMade(t *testing.T) {
	for _, p := range config.DefaultPlugins() {
		plugin, err := New(p.Name, nil, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if plugin.Name() != p.Name {
			t.Errorf("%s is called %s", p.Name, plugin.Name())
		}
	}
}

func TestUnknownPluginDoesNotExist(t *testing.T) {
	plugin, err := New("Nope", nil, Options{})
	if want := `plugin "Nope" does not exist`; plugin != nil || err == nil || err.Error() != want {
		t.Errorf("New makes %v, %v, want %s", plugin, err, want)
	}
}

func TestProfilesDoNotShareWhatHasState(t *testing.T) {
	for name := range registry {
		a, _ := New(name, nil, Options{})
		b, _ := New(name, nil, Options{})
		if kind := reflect.TypeOf(a); kind.Kind() == reflect.Pointer && kind.Elem().Size() > 0 && a == b {
			t.Errorf("two profiles share one %s", name)
		}
	}
}

func TestTaintComparisonReachesThosePluginsThatLookAtTaints(t *testing.T) {
	for _, on := range []bool{false, true} {
		taints, _ := New(tainttoleration.Name, nil, Options{TaintComparison: on})
		spread, _ := New(podtopologyspread.Name, nil, Options{TaintComparison: on})
		cordons, _ := New(nodeunschedulable.Name, nil, Options{TaintComparison: on})
		if got := taints.(*tainttoleration.TaintToleration).CompareOperators; got != on {
			t.Errorf("%s compares: %v, want %v", tainttoleration.Name, got, on)
		}
		if got := spread.(*podtopologyspread.PodTopologySpread).CompareOperators; got != on {
			t.Errorf("%s compares: %v, want %v", podtopologyspread.Name, got, on)
		}
		if got := cordons.(*nodeunschedulable.NodeUnschedulable).CompareOperators; got != on {
			t.Errorf("%s compares: %v, want %v", nodeunschedulable.Name, got, on)
		}
	}
}
