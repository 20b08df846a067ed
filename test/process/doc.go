// Package process runs our binary and kube-scheduler's side by side, each as a process of
// its own, on the same command lines and configuration files, and compares what a user
// would see: the exit code, the message, and the file that --write-config-to writes.
//
// No API server is needed: a scheduler that only writes its configuration calls nobody.
//
//	go test ./test/process -update
//
// writes what kube-scheduler answers into testdata of pkg/config and pkg/scheduler, where
// tests without any binary read it.
package process
