package runtime

import (
	"testing"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/pkg/plugins/notbuilt"
)

// What an in-tree plugin implements and its name does not stand for would never run.
func TestInTreePluginsImplementNothingThatDoesNotRun(t *testing.T) {
	for _, p := range config.DefaultPlugins() {
		if _, missing := notbuilt.For(p.Name); missing {
			continue
		}
		plugin, err := plugins.New(p.Name, nil, plugins.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for at := range config.Points {
			if implements(plugin, at) && !extends(plugin, at) {
				t.Errorf("%s implements %v and is not known to extend it", p.Name, at)
			}
		}
	}
}
