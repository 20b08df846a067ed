// Package controlplane starts a real etcd and a real kube-apiserver on loopback, for tests and for `make run`.
//
//	 test or program                          children of this process, stopped with it
//	┌─────────────────┐  https, token, RBAC  ┌────────────────┐  http  ┌──────┐
//	│ Client(user)    ├─────────────────────►│ kube-apiserver ├───────►│ etcd │
//	│ Kubeconfig(user)│                      └───────┬────────┘        └───┬──┘
//	└─────────────────┘                              └──── Dir(): logs, ───┘
//	                                                 audit.log, certificates, data
//
// It is given Options. The zero value is what most tests want: no kubelet, no controllers, no admission that
// taints hand-made Nodes or asks for service accounts, no request limits, data that is thrown away.
// The programs are built on first use by hack/tools.sh, which takes minutes once.
//
// It promises:
//
//  1. When New or Start returns, the API server is ready, namespace default exists and users have their rights.
//  2. Both ports are held for the life of the control plane, also while the API server is stopped, so it comes
//     back under the same URL, certificates and tokens, and any number of control planes run side by side.
//  3. TLS is verified against a CA made for this control plane; tokens are random; RBAC decides.
//  4. After Stop no child is left. When this process dies instead, even by SIGKILL, the children die too (Linux).
//     Only processes started here are ever signalled.
//  5. When a start fails, the error ends with the last lines that the program logged.
//
// What it does not do: it has no namespace, service account, volume or disruption controller and no kubelet, so
// tests patch what those would write. Package object makes Nodes and Pods in the shorthand of our cases.
package controlplane
