package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// Pods that want a host, or a zone, without their like never share one, at no revision;
// those that find none wait, and are placed when others go.
func TestRequiredAntiAffinityHoldsAtEveryRevision(t *testing.T) {
	const nodes, onePerHost, onePerZone, waiting = 520, 500, 260, 40
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 5*time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprint("n", i), object.CPU("4"), object.Zone(fmt.Sprint("z", i/2)))
	})...))
	seen := watchPods(t, ctx, client)
	startBinary(t, c)
	must(t, c.CreatePods(ctx, many(onePerHost, func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprint("h", i), object.CPU("100m"), object.Is("app=h far(host app=h)"))
	})...))
	must(t, c.CreatePods(ctx, many(onePerZone+waiting, func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprint("z", i), object.CPU("100m"), object.Is("app=z far(zone app=z)"), object.Grace(0))
	})...))
	must(t, c.WaitFor(ctx, "all placed or refused", func(ctx context.Context) error {
		if n := len(seen.all()); n < onePerHost+onePerZone {
			return fmt.Errorf("%d seen on nodes", n)
		}
		return allTold(ctx, client, onePerHost+onePerZone+waiting)
	}))

	freed := 0
	for _, s := range seen.all() {
		if s.app == "z" && freed < waiting {
			must(t, deleted(s.pod)(ctx, client))
			freed++
		}
	}
	must(t, c.WaitFor(ctx, "those that waited placed", func(context.Context) error {
		if n := len(seen.all()); n < onePerHost+onePerZone+2*waiting { // as many went
			return fmt.Errorf("%d sightings", n)
		}
		return nil
	}))
	checkApart(t, seen.all())
}

// checkApart replays what the watch told of pods h, which share no host, and z, which
// share no zone of two nodes.
func checkApart(t *testing.T, seen []sighting) {
	t.Helper()
	holder := map[string]string{}
	for i, s := range seen {
		place := "host " + s.node
		if s.app == "z" {
			var n int
			fmt.Sscanf(s.node, "n%d", &n)
			place = fmt.Sprint("zone z", n/2)
		}
		place = s.app + " on " + place
		switch {
		case s.gone:
			delete(holder, place)
		case holder[place] != "":
			t.Fatalf("sighting %d: %s is %s beside %s", i, s.pod, place, holder[place])
		default:
			holder[place] = s.pod
		}
	}
}
