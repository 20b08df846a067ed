// Package app is the kube-scheduler command: its flags, and start and stop in order.
//
// A command line that works with kube-scheduler works here, and one that does not fails
// in the same place with the same words. setup.go is the start as a checklist. Its order
// decides which of several mistakes a user sees first.
//
// NewSchedulerCommand may be called many times in one process. Each command has feature
// gates of its own. Several may run at once; only must two not be executed at the same
// moment, as parsing writes to flags of the process. A host may have taken names that a
// scheduler uses, of metrics, informers or gates, or on /configz: then it keeps them, and
// what would be shown under them is not. What libraries keep once per process follows the last command that
// was told something about it: their gates, the logs, and what metrics show.
//
// The secure port is opened and those who know users and rights are found while setting
// up, so that mistakes there end the start; pages are served from when the scheduler runs
// until its last bind is settled. serve.go says which checks and pages there are.
//
// leadership.go prepares the election of a leader. The lease has a client of its own; the
// scheduler's writes leave only while it is held. A lost lease is an error, and ends the
// process with code 1.
//
// Where this differs from kube-scheduler on purpose: leader election flags are checked
// without --config too, --kubeconfig is used with a file that names no kubeconfig, a
// stop that was asked for is no failure, and mistakes in logging flags are told like all
// others.
package app
