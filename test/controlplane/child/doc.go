// Package child runs programs as children that end with this process: etcd, kube-apiserver, and schedulers of both
// makes, for tests, benchmarks and `make run`.
//
// It is given a path, arguments and a file for what the program prints. A child leads a process group of its own, so
// that the Ctrl-C of a terminal reaches only us and we end the children in order. They start no processes themselves.
//
// It promises:
//
//  1. Stop returns when the child is gone. It asks by SIGTERM first, and kills one that takes too long.
//  2. When this process dies, even by SIGKILL, the kernel kills the child too (Linux). So a test that panics, or that
//     `go test` ends for its timeout, leaves no scheduler that goes on trying.
//  3. A signal never reaches another process that has got the child's id.
package child
