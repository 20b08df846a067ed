package cluster_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// guests are pods with something of all that is counted on a row.
func guests(player *sim.Player) (list []*podspec.Pod) {
	shy := object.PodFunc(func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname}},
		}}
	})
	for i, option := range []object.PodOption{
		object.CPU("1"), object.Memory("9223372036854775807"), object.Resource("example.com/gpu", "2"),
		object.HostPort(80, corev1.ProtocolTCP), object.Label("app", "web"), shy,
	} {
		p := object.Pod(fmt.Sprint("guest", i), option)
		p.UID = types.UID(p.Name)
		list = append(list, player.Spec(p))
	}
	return list
}

// On any cluster: to assume a pod and to forget it is to do nothing; a pod that is seen
// where it was assumed, or elsewhere, counts as if it had only been seen.
func TestAssumedPodLeavesNoTrace(t *testing.T) {
	run(t, *tapes/20, 25, func(player *sim.Player) func(sim.Op) error {
		tries, step := 0, 0
		return func(op sim.Op) error {
			switch op.Verb {
			case sim.TryMark:
				tries++
			case sim.TryRollback:
				tries = op.Level
			}
			if step++; tries > 0 || player.Cluster.Nodes() == 0 {
				return nil
			}
			list := guests(player)
			return checkTrace(player, list[step%len(list)])
		}
	})
}

func checkTrace(player *sim.Player, guest *podspec.Pod) error {
	c := player.Cluster
	row := c.Live().Next(0)
	seen := guest.API.DeepCopy()
	seen.Spec.NodeName = c.Name(row)
	now := func() string { return dump(&c.View) }

	without := now()
	c.SetPod(player.Spec(seen))
	with := now()
	c.Remove(guest.UID)
	if got := now(); got != without {
		return fmt.Errorf("seen and gone, %s leaves\n%s\nwant\n%s", guest.Name, got, without)
	}
	for what, assume := range map[string]func(){
		"there":                   func() { c.Assume(guest, row) },
		"on another row":          func() { c.Assume(guest, lastLive(player)) },
		"on a node nobody knows":  func() { c.AssumeOn(guest, "nowhere") },
		"by the name of the node": func() { c.AssumeOn(guest, c.Name(row)) },
	} {
		assume()
		c.Forget(guest.UID)
		if got := now(); got != without {
			return fmt.Errorf("assumed %s and forgotten, %s leaves\n%s\nwant\n%s", what, guest.Name, got, without)
		}
		assume()
		c.SetPod(player.Spec(seen))
		if got := now(); got != with {
			return fmt.Errorf("assumed %s and seen, %s makes it\n%s\nwant\n%s", what, guest.Name, got, with)
		}
		c.Remove(guest.UID)
	}
	return nil
}

func lastLive(player *sim.Player) int32 {
	last := int32(-1)
	for row := range player.Cluster.Live().All() {
		last = row
	}
	return last
}

// Objects are shared with those who gave them, so the cluster reads them only.
func TestObjectsThatAreGivenStayAsTheyAre(t *testing.T) {
	run(t, *tapes/20, 40, func(*sim.Player) func(sim.Op) error {
		given := map[any]any{}
		return func(op sim.Op) error {
			if op.Node != nil && given[op.Node] == nil {
				given[op.Node] = op.Node.DeepCopy()
			}
			if op.Pod != nil && given[op.Pod] == nil {
				given[op.Pod] = op.Pod.DeepCopy()
			}
			for object, copied := range given {
				if !equality.Semantic.DeepEqual(object, copied) {
					return fmt.Errorf("%v was changed to %v", copied, object)
				}
			}
			return nil
		}
	})
}
