// Command run is `make run`: a first look at Berth at work.
//
// It starts a real etcd and kube-apiserver on loopback, and this scheduler next to them as a process of its own
// with the rights that Kubernetes gives a scheduler. Then it creates sample nodes and pods, shows each decision as
// the API server tells of it, and goes on until Ctrl-C. There is no kubelet and no controller: pods get a node and
// stay there, but nothing runs in them.
//
//	BERTH_RUN_ONCE=1 make run
//
// ends by itself after the summary. It fails when, 15 s after everything was built, a sample pod is not yet what
// sample.go says becomes of it.
//
// Whatever ends it, a signal, a failure or the summary, it leaves no process behind: first the scheduler is
// stopped, then the control plane. A second signal changes nothing, as each step of that has a time limit. On Linux
// the children also die when this process is killed.
//
// Files go to _out/run, or to _out/run-2 and so on while another run uses that: the scheduler, its log, and a
// kubeconfig for the curious.
package main
