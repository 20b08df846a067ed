package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/controlplane/object"
)

func TestResourcesOfPods(t *testing.T) {
	waiting := object.Pod("waiting", object.CPU("100m"), object.Resource("example.com/gpu", "2"), object.SchedulerName("other"))
	bound := object.Pod("bound", object.Memory("1Ki"), object.Resource("hugepages-2Mi", "2Mi"), object.OnNode("n1"), object.PodFunc(func(p *corev1.Pod) {
		p.Spec.Priority = ptr.To[int32](7)
		p.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"cpu": *ptr.To(p.Spec.Containers[0].Resources.Requests["memory"])}
	}))
	empty := object.Pod("empty")
	families, err := NewResources(func() []*corev1.Pod { return []*corev1.Pod{waiting, bound, empty} }).Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			got = append(got, fmt.Sprintf("%s{%s} %v", f.GetName(), strings.Join(labels, ","), m.GetGauge().GetValue()))
		}
	}
	slices.Sort(got)
	want := []string{
		"kube_pod_resource_limit{namespace=default,node=,pod=waiting,priority=,resource=example.com/gpu,scheduler=other,unit=} 2",
		"kube_pod_resource_limit{namespace=default,node=n1,pod=bound,priority=7,resource=cpu,scheduler=,unit=cores} 1024",
		"kube_pod_resource_request{namespace=default,node=,pod=waiting,priority=,resource=cpu,scheduler=other,unit=cores} 0.1",
		"kube_pod_resource_request{namespace=default,node=,pod=waiting,priority=,resource=example.com/gpu,scheduler=other,unit=} 2",
		"kube_pod_resource_request{namespace=default,node=n1,pod=bound,priority=7,resource=hugepages-2Mi,scheduler=,unit=bytes} 2.097152e+06",
		"kube_pod_resource_request{namespace=default,node=n1,pod=bound,priority=7,resource=memory,scheduler=,unit=bytes} 1024",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
}

func TestUnits(t *testing.T) {
	f := func(name corev1.ResourceName, want string) {
		t.Helper()
		if got := unitOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	f("cpu", "cores")
	f("memory", "bytes")
	f("storage", "bytes")
	f("ephemeral-storage", "bytes")
	f("hugepages-1Gi", "bytes")
	f("attachable-volumes-aws-ebs", "integer")
	f("example.com/gpu", "")
}
