package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/plugins/notbuilt"
	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/child"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

const upstreamName = "upstream"

// startUpstream runs the real kube-scheduler for pods that name it, with those of its
// plugins that are built here, and more in its profile.
func startUpstream(t *testing.T, c *controlplane.ControlPlane, more string) {
	t.Helper()
	paths, err := tools.Paths(within(t, 30*time.Minute), "kube-scheduler")
	must(t, err)
	child.StartFor(t, "upstream.log", paths[0], "--config="+profileFile(t, c, upstreamName, upstreamName, more), "--secure-port=0", "-v=2")
}

// profileFile writes a configuration with one profile, of the plugins that are built here.
func profileFile(t *testing.T, c *controlplane.ControlPlane, user, scheduler, more string) string {
	t.Helper()
	kubeconfig, err := c.Kubeconfig(user)
	must(t, err)
	var missing []string
	for _, p := range config.DefaultPlugins() {
		if _, guarded := notbuilt.For(p.Name); guarded {
			missing = append(missing, fmt.Sprintf("{name: %s}", p.Name))
		}
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, []byte(fmt.Sprintf(`
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %s, qps: 1000, burst: 1000}
profiles:
- schedulerName: %s
  plugins: {multiPoint: {disabled: [%s]}}
%s`, kubeconfig, scheduler, strings.Join(missing, ", "), more)), 0o644))
	return file
}

// Each pod that fits nowhere is made twice, once for each scheduler. Users must read the
// same on both.
func TestRefusedPodsReadAsWithKubeScheduler(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Users: []controlplane.User{{Name: upstreamName, LikeScheduler: true}}})
	ctx := within(t, 2*time.Minute)
	client := c.Client(controlplane.Admin)
	startUpstream(t, c, "")
	startBinary(t, c)

	compare(t, ctx, c, client, object.Pod("lonely", object.CPU("1"))) // no nodes at all
	for _, name := range []string{"lonely-" + config.DefaultSchedulerName, "lonely-" + upstreamName} {
		must(t, client.CoreV1().Pods("default").Delete(ctx, name, *metav1.NewDeleteOptions(0)))
	}
	must(t, c.CreateNodes(ctx, crampedNodes()...))
	must(t, c.CreatePods(ctx,
		object.Pod("holder", object.OnNode("ports"), object.HostPort(8080, corev1.ProtocolTCP)),
		object.Pod("sitter", object.OnNode("single")),
		object.Pod("eater", object.OnNode("small"), object.CPU("900m"), object.Memory("900Mi")),
		object.Pod("neighbour", object.OnNode("small"), object.Is("app=x")),
		object.Pod("loner", object.OnNode("ports"), object.Is("app=y far(zone alone)"))))
	for _, pod := range append(refusedPods(), relatedPods()...) {
		compare(t, ctx, c, client, pod)
	}
}

// A profile may ask of nodes what its pods do not.
func TestAffinityOfAProfileReadsAsWithKubeScheduler(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{Users: []controlplane.User{{Name: upstreamName, LikeScheduler: true}}})
	ctx := within(t, time.Minute)
	const added = `  pluginConfig:
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
`
	startUpstream(t, c, added)
	startBinary(t, c, "--config="+profileFile(t, c, controlplane.Scheduler, config.DefaultSchedulerName, added))
	must(t, c.CreateNodes(ctx, object.Node("n1"), object.Node("n2", object.Label("disk", "ssd"), object.Cordoned())))
	got := compare(t, ctx, c, c.Client(controlplane.Admin), object.Pod("any"))
	if want := "1 node(s) didn't match scheduler-enforced node affinity"; !strings.Contains(got, want) {
		t.Errorf("both say %q, want %s", got, want)
	}
}

// relatedPods are refused for what other pods are where. Two nodes have a zone.
func relatedPods() []*corev1.Pod {
	var list []*corev1.Pod
	for i, words := range []string{
		"app=x wants(disk=ssd) spread(1 zone app=x min=3)",
		"app=x wants(disk=ssd) spread(1 zone app=x affinity=Ignore)",
		"app=x spread(1 nowhere app=x)",
		"app=x spread(1 zone app=x min=9) spread(1 rack app=x)",
		"near(zone app=z)",
		"wants(disk=hdd) near(zone app=x)",
		"near(zone)",
		"app=z near(nowhere app=z)",
		"far(host all)",
		"far(zone app=x,y) near(host app=x)",
		"far(zone app=x) far(zone app=y)",
		"alone=yes wants(disk=hdd)",
		"alone=yes far(zone app=x)",
		"far(host nsel:all all)",
	} {
		list = append(list, object.Pod(fmt.Sprint("related-", i), object.Is(words)))
	}
	return list
}

func crampedNodes() []*corev1.Node {
	return []*corev1.Node{
		object.Node("small", object.CPU("1"), object.Memory("1Gi"), object.Label("disk", "ssd"), object.Label("gen", "5"), object.Zone("z1")),
		object.Node("ports", object.CPU("2"), object.Memory("2Gi"), object.Label("disk", "hdd"), object.Label("gen", "5a"), object.Zone("z2")),
		object.Node("single", object.CPU("2"), object.Memory("2Gi"), object.Pods("1")),
		object.Node("closed", object.CPU("64"), object.Memory("64Gi"), object.Cordoned()),
		object.Node("tainted", object.CPU("64"), object.Memory("64Gi"), object.Taint("gpu", "yes", corev1.TaintEffectNoSchedule)),
		object.Node("evicting", object.CPU("64"), object.Memory("64Gi"), object.Taint("bad", "", corev1.TaintEffectNoExecute),
			object.Taint("soft", "", corev1.TaintEffectPreferNoSchedule)),
	}
}

func refusedPods() []*corev1.Pod {
	affinity := func(name string, terms ...corev1.NodeSelectorTerm) *corev1.Pod {
		return object.Pod(name, object.PodFunc(func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
		}))
	}
	expr := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}}
	}
	named := func(names ...string) (t corev1.NodeSelectorTerm) {
		for _, name := range names {
			t.MatchFields = append(t.MatchFields, corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{name}})
		}
		return t
	}
	return []*corev1.Pod{
		object.Pod("cpu", object.CPU("32")),
		object.Pod("cpu-and-memory", object.CPU("32"), object.Memory("128Gi")),
		object.Pod("tolerant", object.CPU("100"), object.Tolerate("gpu", "yes", corev1.TaintEffectNoSchedule)),
		object.Pod("disk", object.Resource(corev1.ResourceEphemeralStorage, "1Gi")),
		object.Pod("device", object.Resource("example.com/gpu", "1")),
		object.Pod("devices", object.Resource("example.com/gpu", "1"), object.Resource("example.com/nic", "2"), object.CPU("32")),
		object.Pod("decimal", object.Resource(corev1.ResourceMemory, "1E")),
		object.Pod("selector", object.NodeSelector("disk", "nvme")),
		object.Pod("selector-full", object.NodeSelector("disk", "ssd"), object.CPU("500m")),
		object.Pod("port", object.HostPort(8080, corev1.ProtocolTCP), object.NodeSelector("disk", "hdd")),
		affinity("gt", expr("gen", corev1.NodeSelectorOpGt, "7")),
		affinity("gt-odd", expr("gen", corev1.NodeSelectorOpGt, "150.1")),
		affinity("absent", expr("disk", corev1.NodeSelectorOpDoesNotExist), expr("disk", corev1.NodeSelectorOpNotIn, "ssd", "hdd")),
		affinity("ghost", named("ghost")),
		affinity("named", named("single"), named("closed")),
		affinity("two-names", named("small", "ports")),
		affinity("named-and-not", corev1.NodeSelectorTerm{
			MatchFields: named("small").MatchFields, MatchExpressions: expr("disk", corev1.NodeSelectorOpIn, "nvme").MatchExpressions}),
		object.Pod("restarter", restarter()...),
		object.Pod("many-devices", object.PodFunc(func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Limits, p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{}, corev1.ResourceList{}
			for i := range 60 {
				name := corev1.ResourceName(fmt.Sprintf("very-long-name-%03d.example.test/resource", i))
				p.Spec.Containers[0].Resources.Limits[name] = resource.MustParse("1")
				p.Spec.Containers[0].Resources.Requests[name] = resource.MustParse("1")
			}
		})),
	}
}

// compare makes a pod for both schedulers and compares what they say.
func compare(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, client kubernetes.Interface, pod *corev1.Pod) string {
	t.Helper()
	said := map[string]string{}
	for _, scheduler := range []string{config.DefaultSchedulerName, upstreamName} {
		p := pod.DeepCopy()
		p.Name, p.Spec.SchedulerName = pod.Name+"-"+scheduler, scheduler
		must(t, c.CreatePods(ctx, p))
		said[scheduler] = refusal(t, ctx, c, client, p.Name)
	}
	if got, want := said[config.DefaultSchedulerName], said[upstreamName]; got != want {
		t.Errorf("pod %s is told\n%s\nkube-scheduler says\n%s", pod.Name, got, want)
	}
	return said[config.DefaultSchedulerName]
}

// refusal is what users read about a pod that was refused.
func refusal(t *testing.T, ctx context.Context, c *controlplane.ControlPlane, client kubernetes.Interface, name string) string {
	t.Helper()
	cond, err := c.WaitReason(ctx, "default", name, corev1.PodReasonUnschedulable)
	must(t, err)
	said := fmt.Sprintf("condition %s %s gen=%d transition=%v: %s\n", cond.Status, cond.Reason, cond.ObservedGeneration, !cond.LastTransitionTime.IsZero(), cond.Message)
	must(t, c.WaitFor(ctx, "the event of "+name, func(ctx context.Context) error {
		list, err := client.EventsV1().Events("default").List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if e := &list.Items[i]; e.Regarding.Name == name {
				said += fmt.Sprintf("event %s %s %s by %v: %s\n", e.Type, e.Reason, e.Action, e.ReportingController != "", e.Note)
				return nil
			}
		}
		return fmt.Errorf("no event")
	}))
	return said
}
