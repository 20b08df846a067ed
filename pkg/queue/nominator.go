package queue

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Nominator knows which pods are nominated to which node: pods that are not on a
// node yet but for which room there is being made, or was asked for. The zero value
// is ready. Walks are in order of nomination.
type Nominator struct {
	nodes  []string // with at least one pod
	byNode map[string][]*podspec.Pod
	node   map[types.UID]string
}

// Set nominates a pod to a node, in place of an earlier nomination. The empty name
// takes the nomination back.
func (n *Nominator) Set(p *podspec.Pod, node string) {
	n.Delete(p.UID)
	if node == "" {
		return
	}
	if n.byNode == nil {
		n.byNode, n.node = map[string][]*podspec.Pod{}, map[types.UID]string{}
	}
	if len(n.byNode[node]) == 0 {
		n.nodes = append(n.nodes, node)
	}
	n.byNode[node] = append(n.byNode[node], p)
	n.node[p.UID] = node
}

// Update replaces a pod by its newer self. A nomination that only we know of, since the
// pod did not carry one before either, stays until it carries one.
func (n *Nominator) Update(before, now *podspec.Pod) {
	node := now.Nominated
	if node == "" && before.Nominated == "" {
		node = n.node[now.UID]
	}
	n.Set(now, node)
}

// Delete takes a pod's nomination back.
func (n *Nominator) Delete(uid types.UID) {
	node, nominated := n.node[uid]
	if !nominated {
		return
	}
	delete(n.node, uid)
	rest := slices.DeleteFunc(n.byNode[node], func(p *podspec.Pod) bool { return p.UID == uid })
	if len(rest) > 0 {
		n.byNode[node] = rest
		return
	}
	delete(n.byNode, node)
	n.nodes = slices.DeleteFunc(n.nodes, func(s string) bool { return s == node })
}

// Nominated returns the pods nominated to node.
func (n *Nominator) Nominated(node string) []*podspec.Pod { return n.byNode[node] }

// Nodes returns the nodes that pods are nominated to.
func (n *Nominator) Nodes() []string { return n.nodes }

// NodeOf returns the node that a pod is nominated to, "" when none.
func (n *Nominator) NodeOf(uid types.UID) string { return n.node[uid] }
