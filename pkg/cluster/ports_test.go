package cluster

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

func TestAddressThatNobodyHasTakenIsForgotten(t *testing.T) {
	c := newPorts()
	takes := func(ip string) *podspec.Pod {
		return &podspec.Pod{HostPorts: []podspec.HostPort{{IP: ip, Protocol: corev1.ProtocolTCP, Port: 80}}}
	}
	stays := takes("10.0.0.0")
	c.add(0, stays)
	for i := range 9 {
		p := takes(fmt.Sprint("10.0.1.", i))
		c.add(0, p)
		c.add(1, p)
		c.remove(0, p)
		c.remove(1, p)
	}
	if uses := c.taken[portKey{corev1.ProtocolTCP, 80}]; len(uses) != 1 || uses[0].ip != "10.0.0.0" {
		t.Errorf("%d addresses, want the one that is taken", len(uses))
	}
	if c.remove(0, stays); len(c.taken) != 0 {
		t.Errorf("%d ports are known, want none", len(c.taken))
	}
}
