package oracle

import (
	"reflect"
	"strings"
	"sync"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/plugins"
)

// defaultPlugins are asked for with every question; they take a while to make.
var defaultPlugins = sync.OnceValue(config.DefaultPlugins)

// instances makes the plugins of a profile that this version has, and names those that
// it has not.
func instances(p Profile) (have []runtime.Enabled, missing []string, err error) {
	for _, entry := range defaultPlugins() {
		plugin, err := plugins.New(entry.Name, p.args[entry.Name], plugins.Options{})
		if err != nil {
			return nil, nil, err
		}
		if isGuard(plugin) {
			missing = append(missing, entry.Name)
			continue
		}
		if w, changed := p.weights[entry.Name]; changed {
			entry.Weight = w
		}
		have = append(have, runtime.Enabled{Plugin: plugin, Weight: entry.Weight})
	}
	return have, missing, nil
}

// isGuard tells a stand-in from a plugin. The package of the stand-ins goes with the
// last of them, so it is known here by its name alone.
func isGuard(p framework.Plugin) bool {
	t := reflect.TypeOf(p)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.HasSuffix(t.PkgPath(), "/plugins/notbuilt")
}

// names lists plugins by name, in order.
func names(list []runtime.Enabled) []string {
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, e.Plugin.Name())
	}
	return out
}
