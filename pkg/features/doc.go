// Package features is the table of feature gates: what each is called, what it is by
// default in which version, and what it switches here.
//
// A gate is a row. All the gates of a cluster's components are known, since they share
// one --feature-gates; most switch nothing in a scheduler. The rows were read off
// kube-scheduler 1.37 itself, at each version that it can emulate.
//
// Gates is what one command was told. It belongs to that command: two in one process
// do not see each other's gates. Whoever assembles the scheduler reads it once, and
// hands on steps and arguments; nothing below knows of gates.
//
// A gate whose feature is not built may not be turned on. Set then says which and what
// is missing, rather than let somebody rely on what is not there. Where such a gate is
// on by default it is accepted either way.
package features
