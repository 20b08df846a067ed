// Package interpodaffinity keeps pods near to other pods, and away from them: in a domain
// of a topology key, such as a zone or a host, that has or has not a pod that a term
// selects. Terms bind both sides: a pod stays away from where a pod on a node does not
// want it.
//
// Where the pods are that a term selects, and where those are whose terms select the
// pod, is in the cluster's counters. An attempt turns them into tables by domain, and
// passes over the rows once for each: one a term says where the pod may not be, one a
// topology key what its domains are worth.
//
// The first pod of a group that is to stay together finds nobody to be near to. It may
// go anywhere that has the topology keys, if it is of the group itself and no other is.
package interpodaffinity
