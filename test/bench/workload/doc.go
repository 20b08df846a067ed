// Package workload reads workloads as data and makes the objects of one at a chosen size.
//
// It is given workloads.yaml: types of nodes, types of pods, and for each workload the operations that set it up.
//
//	B1: [{nodes: n0, count: 5000}, {pods: p, count: 1000, bound: spreadEvenly}, {pods: p, count: 10000, measure: true}]
//
// The numbers are those of the full size. At N nodes every number is multiplied by N/(the nodes it names).
// It promises the same objects for the same name and size, so that all schedulers start from one state:
// pods with bound are created with a node already, and where they go does not depend on who is measured.
//
// What a type may say, besides base (another type, whose fields and labels it takes over):
//
//	node  cpu, mem, pods, labels; $name is the node's name, {{i}} its number and {{i mod 3 + 1}} is computed
//	pod   req {cpu, mem}, limits (same), labels, containerPort, hostPort, requiredNode, spread, reqAff, reqAnti;
//	      {{i}} in req is the number of the pod among all pods of the workload
//
// A key zone or hostname stands for the usual label. Needs tells which plugins a workload cannot do without.
package workload
