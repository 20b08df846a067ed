package app

import (
	"errors"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/pkg/kube"
)

// overdue is for how long beyond its end a lease may be held that is not renewed until
// the watchdog barks.
const overdue = 20 * time.Second

// joinElection prepares our part in the election of a leader, if there is one.
func (s *setup) joinElection() error {
	if !*s.config.LeaderElection.LeaderElect {
		return nil
	}
	identity, err := identity()
	if err != nil {
		return err
	}
	e := &kube.Election{Config: s.config.Election(), Identity: identity, Source: *s.config.Profiles[0].SchedulerName}
	if e.Client, err = s.leaseClient(e.Config.RenewDeadline.Duration); err != nil {
		return err
	}
	if s.config.Gates.Enabled(features.CoordinatedLeaderElection) {
		if e.Candidate, err = s.candidate(identity); err != nil {
			return err
		}
	}
	e.Fence = kube.NewFence(e.Config.RenewDeadline.Duration)
	s.watchdog = leaderelection.NewLeaderHealthzAdaptor(overdue)
	e.Watchdog = s.watchdog
	s.election = e
	return nil
}

// identity tells this process from all others that want the same lease.
func identity() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("unable to get hostname: %w", err)
	}
	return host + "_" + string(uuid.NewUUID()), nil
}

// leaseClient returns a client for the lease alone, so that a busy scheduler does not delay
// renewals. A call that hangs must not cost the lease, so it ends before that is lost.
func (s *setup) leaseClient(renewDeadline time.Duration) (kubernetes.Interface, error) {
	c := rest.CopyConfig(s.client)
	c.Timeout = max(renewDeadline/2, time.Second)
	return kubernetes.NewForConfig(rest.AddUserAgent(c, "leader-election"))
}

// candidate offers this process to the API server as a leader.
func (s *setup) candidate(identity string) (*kube.Candidate, error) {
	client, err := kubernetes.NewForConfig(s.client)
	if err != nil {
		return nil, err
	}
	v := s.config.Gates.Version()
	return kube.NewCandidate(client, identity, release(v.BinaryVersion()), release(v.EmulationVersion()))
}

// release is a version as candidates compare it: major, minor and patch.
func release(v *version.Version) string {
	return fmt.Sprintf("%d.%d.%d", v.Major(), v.Minor(), v.Patch())
}

// worker is the configuration of the scheduler's own client. Its writes leave only while we
// lead.
func (s *setup) worker() *rest.Config {
	c := rest.CopyConfig(s.client)
	if s.election != nil {
		c.Wrap(s.election.Fence.Wrap)
	}
	return c
}

// leads reports whether this scheduler works, and no other.
func (s *setup) leads() bool { return s.election == nil || s.election.Fence.Open(time.Now()) }

// standing returns what tells that the API server knows us as a candidate, if it elects.
func (s *setup) standing() []healthz.HealthChecker {
	if s.election == nil || s.election.Candidate == nil {
		return nil
	}
	return []healthz.HealthChecker{healthz.NewInformerSyncHealthz(s.election.Candidate.Synced)}
}

// ended tells how a run ended, in the words of kube-scheduler.
func ended(err error) error {
	switch {
	case err == nil:
		klog.InfoS("Requested to terminate, exiting")
	case errors.Is(err, kube.ErrLost):
		klog.ErrorS(nil, "Leaderelection lost")
	}
	return err
}
