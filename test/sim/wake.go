package sim

import (
	fwk "k8s.io/kube-scheduler/framework"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Wake tells what an event does to a pod that a plugin rejected: "Queue", "QueueSkip",
// "none" when no hint is for such events, or "Queue: " and an error.
func Wake(plugin framework.Hinter, on fwk.EventResource, action fwk.ActionType, pod *corev1.Pod, before, after any) string {
	return WakeIn(&World{}, plugin, on, action, pod, before, after)
}

// WakeIn is Wake on a world.
func WakeIn(w *World, plugin framework.Hinter, on fwk.EventResource, action fwk.ActionType, pod *corev1.Pod, before, after any) string {
	specs := podspec.NewCompiler()
	view := &w.Load(specs).View
	for _, h := range plugin.Hints() {
		if h.On.Resource != on || h.On.ActionType&action != action {
			continue
		}
		if h.Ask == nil {
			return fwk.Queue.String()
		}
		hint, err := h.Ask(view, specs.Compile(pod), before, after)
		if err != nil {
			return hint.String() + ": " + err.Error()
		}
		return hint.String()
	}
	return "none"
}
