package config

import (
	"slices"

	configv1 "k8s.io/kube-scheduler/config/v1"
)

// all in a list of disabled plugins stands for every one.
const all = "*"

// merge brings what a user says about plugins together with the default profile, for
// each point by itself:
//
//  1. A default plugin that the user disables goes; "*" disables all of them.
//  2. One that the user enables stays where it is, as the user writes it: without a
//     weight, the default weight is lost.
//  3. What else the user enables follows, in the user's order. Whoever disables a
//     default plugin and enables it again so moves it to the end.
func merge(defaults, user *configv1.Plugins) *configv1.Plugins {
	out := &configv1.Plugins{}
	for i, to := range sets(out) {
		*to = mergeSet(sets(defaults)[i], sets(user)[i])
	}
	return out
}

func mergeSet(defaults, user *configv1.PluginSet) configv1.PluginSet {
	out := configv1.PluginSet{Disabled: slices.Concat(user.Disabled, defaults.Disabled)}
	replaced := map[int]bool{} // places in the user's list
	for _, d := range defaults.Enabled {
		if names(out.Disabled, d.Name) || names(out.Disabled, all) {
			continue
		}
		if i := slices.IndexFunc(user.Enabled, called(d.Name)); i >= 0 {
			d, replaced[i] = user.Enabled[i], true
		}
		out.Enabled = append(out.Enabled, d)
	}
	for i, u := range user.Enabled {
		if !replaced[i] {
			out.Enabled = append(out.Enabled, u)
		}
	}
	for _, list := range [][]configv1.Plugin{out.Enabled, out.Disabled} {
		for i := range list {
			if list[i].Weight == nil {
				list[i].Weight = weight(0)
			}
		}
	}
	return out
}

func called(name string) func(configv1.Plugin) bool {
	return func(p configv1.Plugin) bool { return p.Name == name }
}

func names(list []configv1.Plugin, name string) bool { return slices.ContainsFunc(list, called(name)) }
