// Package config is what a scheduler is told: it reads a KubeSchedulerConfiguration,
// fills in what is left out, says what is wrong with it, and prints it.
//
//	text ── Load ──► Config ── flags ── Validate ── Complete ──► Encode, or a scheduler
//
// There is one form of a configuration, the types of kubescheduler.config.k8s.io/v1,
// from the first byte read to the last one printed. Defaults, the order of the default
// plugins, their weights and the texts of errors are those of kube-scheduler: users and
// their tools read them. Pairs of files in testdata, as written and as completed, are
// that program's own answers.
//
// A profile's plugins are merged with the default ones here, for each extension point
// by itself. Which plugins MultiPoint then stands for is settled in framework/runtime,
// where plugins are known by what they implement.
//
// Validation finds everything at once, with one exception that is kept for the sake of
// equal texts: the arguments of NodeResourcesFit are checked when the plugin is made.
//
// Nothing here touches files, clocks or the environment.
package config
