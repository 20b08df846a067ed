// Package endstate judges a run by what the API server holds after it.
//
// It is given all nodes, all pods, the Scheduled events and the pods that were to be scheduled. It promises a list
// of what is wrong, empty when a run may have numbers:
//
//  1. Every measured pod is there and has a node that is there.
//  2. Every measured pod has exactly one Scheduled event, which names that node, and there is no other such event.
//  3. No node holds more than its allocatable, pods included, and no host port twice.
//  4. Every measured pod is where its node selector and required node affinity let it be.
//  5. No pod is in a domain with one that it must be away from, and hard spread constraints hold.
package endstate
