// Package e2e runs the scheduler against a real API server and looks at what a user
// would see: pods on nodes, conditions, events, and every request that was written.
//
// Most tests run the real binary with the rights of system:kube-scheduler and nothing
// more. It is built with invariants checked, and looks for races if this package does.
// Whatever a test is about, its scheduler must have no fault of that kind, nobody placed
// by a flush, and in the end just the pods in its queue that wait.
//
// Tests that must come between the scheduler and its API server run it in this process,
// with a transport of their own.
//
// Each test has a control plane to itself, and most run side by side. Alone run those that
// bring a load of their own, those that hold the scheduler to a time, and those with the
// scheduler in this process, whose metrics are the process's.
package e2e
