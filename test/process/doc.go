// Package process runs our binary and kube-scheduler's side by side, each as a process of
// its own, on the same command lines and configuration files, and compares what a user
// would see: the exit code, the message, and the file that --write-config-to writes.
//
// Most of it needs no API server: a scheduler that only writes its configuration calls
// nobody. TestBothAtWork gives each a cluster of its own with the same in it, and compares
// every endpoint as each kind of user finds it, the metrics, and what signals do.
//
//	make parity
//
// prints what is equal, what deviates on purpose and what is missing.
//
//	go test ./test/process -update
//
// writes what kube-scheduler answers into testdata of pkg/config and pkg/scheduler, where
// tests without any binary read it.
package process
