package e2e

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

const zones = 3

// zoneOf is the zone of a node by its name, n0 to n299.
func zoneOf(node string) int {
	n, err := strconv.Atoi(node[1:])
	if err != nil {
		panic(err)
	}
	return n % zones
}

// The skew is kept by every decision, in their order; what others see of it is off by the
// binds at most that are under way.
func TestHardSpreadIsKeptByEveryDecisionOfABacklog(t *testing.T) {
	const nodes, pods = 300, 3000
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, 5*time.Minute)
	client := c.Client(controlplane.Admin)
	must(t, c.CreateNodes(ctx, many(nodes, func(i int) *corev1.Node {
		return object.Node(fmt.Sprint("n", i), object.CPU("4"), object.Zone(fmt.Sprint("z", i%zones)))
	})...))
	seen := watchPods(t, ctx, client)
	startBinary(t, c)
	must(t, c.CreatePods(ctx, many(pods, func(i int) *corev1.Pod {
		return object.Pod(fmt.Sprint("p", i), object.CPU("100m"), object.Is("app=x spread(1 zone app=x)"))
	})...))
	must(t, c.WaitFor(ctx, "all pods bound and told", func(ctx context.Context) error {
		if n := len(seen.all()); n < pods {
			return fmt.Errorf("%d of %d seen on nodes", n, pods)
		}
		return allBoundAndTold(ctx, client, pods)
	}))

	decided := decisions(t, pods)
	var count [zones]int
	for i, d := range decided {
		if count[zoneOf(d.node)]++; skew(count) > 1 {
			t.Fatalf("after decision %d, the %dth that placed a pod, the zones have %v", d.seq, i+1, count)
		}
	}
	t.Logf("zones at the end: %v, most binds under way at a revision: %d", count, checkRevisions(t, decided, seen.all()))
}

// checkRevisions replays what the watch told. At each revision the skew is at most one
// more than the decisions that came before the latest one seen, and are not seen yet.
func checkRevisions(t *testing.T, decided []decision, seen []sighting) (most int) {
	t.Helper()
	at := map[string]int{}
	for i, d := range decided {
		at[d.pod] = i
	}
	var count [zones]int
	latest := -1
	for n, s := range seen {
		i, known := at[s.pod]
		if !known || decided[i].node != s.node {
			t.Fatalf("%s is seen on %s, which no decision tells", s.pod, s.node)
		}
		latest = max(latest, i)
		underWay := latest - n // of latest+1 decisions n+1 are seen
		count[zoneOf(s.node)]++
		if skew(count) > 1+underWay {
			t.Fatalf("with %d seen on nodes and %d under way the zones have %v", n+1, underWay, count)
		}
		most = max(most, underWay)
	}
	return most
}

func skew(count [zones]int) int { return slices.Max(count[:]) - slices.Min(count[:]) }

// decision is one that placed a pod, as the scheduler's log tells it.
type decision struct {
	seq       int
	pod, node string
}

var boundLine = regexp.MustCompile(`"Successfully bound pod to node" pod="default/([^"]*)" node="([^"]*)" seq=(\d+) `)

// decisions reads the log of the test's scheduler, whose lines come as binds settle, and
// returns as many decisions in their order.
func decisions(t *testing.T, want int) []decision {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(t.ArtifactDir(), "kube-scheduler.log"))
	must(t, err)
	var list []decision
	for _, m := range boundLine.FindAllStringSubmatch(string(text), -1) {
		seq, err := strconv.Atoi(m[3])
		must(t, err)
		list = append(list, decision{seq, m[1], m[2]})
	}
	slices.SortFunc(list, func(a, b decision) int { return cmp.Compare(a.seq, b.seq) })
	if len(list) != want {
		t.Fatalf("the log tells of %d pods that were bound, want %d", len(list), want)
	}
	return list
}
