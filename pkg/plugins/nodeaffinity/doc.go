// Package nodeaffinity keeps a pod on the nodes that its node selector and required
// node affinity name, and prefers those that its preferred terms name. A profile may
// add terms to every pod.
//
// Each requirement is held against the distinct values of its label key once, which
// gives a table by value number. A row costs one load and one look-up per requirement.
// What the operators mean is the library's business: selectors of package labels
// decide for each value.
package nodeaffinity
