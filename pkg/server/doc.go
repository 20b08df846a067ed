// Package server is the scheduler's port: health, metrics, configuration, flags, status
// and profiles, over HTTPS, for those who may see them.
//
//	TLS ─► log ─► who are you ─► may you ─► /healthz /livez /readyz
//	             (TokenReview,   (always-    /metrics /metrics/resources /metrics/slis
//	              client certs)   allowed     /configz /statusz /flagz
//	                              paths, SAR) /debug/...
//
// All of it is the library's that every Kubernetes component is served with; what is here
// says which pages there are and in which order a request meets its judges. Nothing below
// knows of it: pages read what others publish.
//
// It promises that a Server that was stopped has let go of its port, of the process's
// registry of configurations, and of requests that would not end. What is registered once
// per process for good is metrics and the names of debug flags.
//
// Where this differs from kube-scheduler on purpose: /livez has two checks more. One fails
// when the loop that decides is stuck (progress), one when a lease is held that is not
// renewed (leaderElection), as kubelets ask no other path. The pages are served until the
// last bind is settled, with /readyz failing, and not just until the signal.
package server
