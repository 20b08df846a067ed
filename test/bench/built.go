package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/berth-scheduler/berth/pkg/plugins"
	"github.com/berth-scheduler/berth/test/bench/workload"
)

// missingPlugins returns the workloads that Berth cannot run yet, with the plugins that it lacks for them.
func missingPlugins(set *workload.Set) map[string][]string {
	missing := map[string][]string{}
	for _, name := range set.Names() {
		if lacks := slices.DeleteFunc(set.Needs(name), isBuilt); len(lacks) > 0 {
			missing[name] = lacks
		}
	}
	return missing
}

// isBuilt tells a plugin from the guard that stands in for it. The package of the guards goes with the last of them,
// so it is known here by its name alone.
func isBuilt(name string) bool {
	plugin, err := plugins.New(name, nil, plugins.Options{})
	if err != nil {
		return false
	}
	t := reflect.TypeOf(plugin)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return !strings.HasSuffix(t.PkgPath(), "/plugins/notbuilt")
}
