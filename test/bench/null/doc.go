// Package main is the null scheduler: it binds every pod to the next node in turn and posts the Scheduled event,
// with the stock client-go that anyone would write a scheduler with.
//
// It decides nothing, so what it costs is the floor of the API path, and what another scheduler costs beyond that
// is the price of its decisions. It is given --kubeconfig and schedules for default-scheduler. It is no more than
// that: it needs a node to begin with, keeps deleted nodes in turn, looks at a pod once, when it appears, and does
// not repeat a bind that failed.
package main
