// Package process runs our binary and kube-scheduler's side by side, each as a process of
// its own, on the same command lines and configuration files, and compares what a user
// would see: the exit code, the message, and the file that --write-config-to writes.
//
// Both are as in production. Ours is built without invariants and the race detector, which
// are kube-scheduler's neither: test/e2e has those.
//
// Most of it needs no API server: a scheduler that only writes its configuration calls
// nobody. TestBothAtWork gives each a cluster of its own with the same in it, and compares
// every endpoint as each kind of user finds it, the metrics, and what signals do.
//
// TestBlackBox has both play the same scenes, each in a cluster of its own. At each step,
// one change of the cluster, it compares which pods came to which queue, as the metrics
// count them by event; after each scene, what was written about each pod, as the audit
// log of the API server has it. A step is over when changes that were made after it, and
// that wake nobody, have been handled and counted, and all who were woken have been tried.
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
