package kube

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
)

// candidateFor is the lease that candidates stand for, whatever the lease is called that
// they are configured with: kube-scheduler does the same.
const candidateFor = "kube-scheduler"

// Candidate offers this process to the API server, which elects the leader itself if the
// gate CoordinatedLeaderElection is on there. Make one with NewCandidate.
type Candidate struct {
	// Synced tells whether the API server's view of the candidate is known.
	Synced    leaderelection.CacheSyncWaiter
	candidate *leaderelection.LeaseCandidate
}

// NewCandidate returns a candidate of some versions, such as 1.37.2 and 1.37.0.
func NewCandidate(client kubernetes.Interface, identity, binary, emulated string) (*Candidate, error) {
	c, synced, err := leaderelection.NewCandidate(client, metav1.NamespaceSystem, identity, candidateFor,
		binary, emulated, coordinationv1.OldestEmulationVersion)
	return &Candidate{Synced: synced, candidate: c}, err
}

// run answers the API server's pings until ctx ends, and returns when all of it has
// stopped.
func (c *Candidate) run(ctx context.Context) {
	c.candidate.Run(ctx)
	if informers, ok := c.Synced.(interface{ Shutdown() }); ok {
		informers.Shutdown()
	}
}
