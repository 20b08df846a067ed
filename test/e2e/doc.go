// Package e2e runs the scheduler against a real API server and looks at what a user
// would see: pods on nodes, conditions, events, and every request that was written.
//
// Most tests run the real binary with the rights of system:kube-scheduler and nothing
// more. Tests that must come between the scheduler and its API server run it in this
// process, with a transport of their own.
package e2e
