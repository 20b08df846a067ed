// Package defaultbinder binds a pod by posting the API's Binding. The call itself
// belongs to the edge; the plugin says that it is to be made.
package defaultbinder

import (
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Name is the plugin's name in a profile.
const Name = "DefaultBinder"

// DefaultBinder is the Bind plugin.
type DefaultBinder struct{}

var _ framework.Binder = DefaultBinder{}

// Name returns the plugin's name.
func (DefaultBinder) Name() string { return Name }

// Binds says yes to every pod.
func (DefaultBinder) Binds(*podspec.Pod) bool { return true }
