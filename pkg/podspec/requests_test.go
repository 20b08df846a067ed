package podspec_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestRequestsAreTheMostThatRunsAtOnce(t *testing.T) {
	f := func(spec, want string) {
		t.Helper()
		p, text := compile(t, "spec: "+spec)
		if got := text(p.Requests); got != want {
			t.Errorf("%s: requests %s, want %s", spec, got, want)
		}
		if got := text(p.Usage); got != want { // nothing in its status says otherwise
			t.Errorf("%s: usage %s, want %s", spec, got, want)
		}
	}
	const (
		c500    = `containers: [{name: c, resources: {requests: {cpu: 500m}}}]`
		init700 = `{name: i, resources: {requests: {cpu: 700m}}}`
		side700 = `{name: s, restartPolicy: Always, resources: {requests: {cpu: 700m}}}`
	)
	f(`{}`, "")
	f(`{`+c500+`}`, "cpu:500")
	f(`{`+c500+`, initContainers: [`+init700+`]}`, "cpu:700")
	f(`{`+c500+`, initContainers: [`+init700+`, `+side700+`]}`, "cpu:1200")
	f(`{`+c500+`, initContainers: [`+side700+`, `+init700+`]}`, "cpu:1400") // the init container runs beside the sidecar
	f(`{containers: [{name: a, resources: {requests: {cpu: "1", memory: 1}}}, {name: b, resources: {requests: {memory: 2, example.com/gpu: 3}}}]}`,
		"cpu:1000 memory:3 example.com/gpu:3")
	f(`{containers: [{name: a, resources: {requests: {cpu: 1m, memory: 9}}}], initContainers: [{name: i, resources: {requests: {cpu: 2m, memory: 1}}}]}`,
		"cpu:2 memory:9") // each resource by itself
	f(`{`+c500+`, overhead: {cpu: 10m, memory: 5}}`, "cpu:510 memory:5")
	f(`{containers: [{name: c, resources: {limits: {cpu: "1"}}}]}`, "") // limits do not count
	f(`{containers: [{name: c, resources: {requests: {cpu: 1n, memory: 1500m}}}]}`, "cpu:1 memory:2")
	f(`{containers: [{name: a, resources: {requests: {cpu: 400u}}}, {name: b, resources: {requests: {cpu: 400u}}}]}`, "cpu:1") // summed, then rounded
}

func TestRequestsOfThePodReplaceWhatTheyName(t *testing.T) {
	f := func(spec, want string) {
		t.Helper()
		p, text := compile(t, "spec: "+spec)
		if got := text(p.Requests); got != want {
			t.Errorf("%s: requests %s, want %s", spec, got, want)
		}
		if got := text(p.Usage); got != want {
			t.Errorf("%s: usage %s, want %s", spec, got, want)
		}
	}
	const two = `containers: [{name: c, resources: {requests: {cpu: 500m}}}],
		initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 500m}}}]`
	f(`{resources: {requests: {cpu: 1200m}}, `+two+`}`, "cpu:1200")
	f(`{resources: {requests: {cpu: 300m}}, `+two+`}`, "cpu:300")
	f(`{resources: {requests: {cpu: 1200m}}, `+two+`, overhead: {cpu: 100m}}`, "cpu:1300")
	f(`{resources: {requests: {memory: 7, hugepages-2Mi: 2Mi}}, `+two+`}`, "cpu:1000 memory:7 hugepages-2Mi:2097152")
	f(`{resources: {requests: {ephemeral-storage: 9, example.com/gpu: 9}}, `+two+`}`, "cpu:1000") // not the pod's to say
	f(`{resources: {requests: {cpu: "1", ephemeral-storage: 9}}, containers: [{name: c, resources: {requests: {ephemeral-storage: 5}}}]}`,
		"cpu:1000 ephemeral-storage:5")
	f(`{resources: {limits: {cpu: "9"}}, `+two+`}`, "cpu:1000")
}

func TestRequestsOfThePodAreBehindAGate(t *testing.T) {
	c := podspec.NewCompiler()
	c.PodLevelResources = false
	p, text := compileWith(t, c, `spec: {resources: {requests: {cpu: "3"}}, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}`)
	for _, v := range []podspec.Vector{p.Requests, p.Usage, p.Scoring} {
		if got := text(v); got[:8] != "cpu:1000" {
			t.Errorf("requests %s, want those of the container", got)
		}
	}
}

func TestUsageIsTheLargestOfASumsStates(t *testing.T) {
	f := func(pod, want string) {
		t.Helper()
		p, text := compile(t, pod)
		if got := text(p.Usage); got != want {
			t.Errorf("%s: usage %s, want %s", pod, got, want)
		}
	}
	f(`
spec: {containers: [{name: a, resources: {requests: {cpu: "1"}}}, {name: b, resources: {requests: {cpu: "2"}}}]}
status: {containerStatuses: [{name: a, allocatedResources: {cpu: "2"}}, {name: b, allocatedResources: {cpu: "1"}}]}`,
		"cpu:3000") // of the sums, not the sum of the largest
	f(`
spec: {containers: [{name: c, resources: {requests: {cpu: 30m, memory: 20M, ephemeral-storage: 10G}}}]}
status: {containerStatuses: [{name: c, allocatedResources: {cpu: 20m, memory: 10M, ephemeral-storage: 30G},
  resources: {requests: {cpu: 10m, memory: 30M, ephemeral-storage: 20G}}}]}`,
		"cpu:30 memory:30000000 ephemeral-storage:30000000000")
	const resizing = `
spec: {containers: [{name: c, resources: {requests: {cpu: 700m, memory: 800M}}}]}
status:
  containerStatuses: [{name: c, allocatedResources: {cpu: 500m, memory: 500M}, resources: {requests: {cpu: 500m, memory: 500M}}}]
  conditions: [{type: PodResizePending, status: "True", reason: `
	f(resizing+`Deferred}]`, "cpu:700 memory:800000000")
	f(resizing+`Infeasible}]`, "cpu:500 memory:500000000")
	f(`
spec: {initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: "1"}}}]}
status: {initContainerStatuses: [{name: s, resources: {requests: {cpu: "2"}}}]}`,
		"cpu:2000")
}

func TestUsageOfAPodThatIsResizedAsAWhole(t *testing.T) {
	const pod = `
spec: {resources: {requests: {cpu: "1"}}, containers: [{name: c}]}
status: {allocatedResources: {cpu: "2"}, resources: {requests: {cpu: "3"}}`
	f := func(text, want string) {
		t.Helper()
		p, vector := compile(t, text)
		if got := vector(p.Usage); got != want {
			t.Errorf("%s: usage %s, want %s", text, got, want)
		}
		if got := vector(p.Requests); got != "cpu:1000" {
			t.Errorf("%s: requests %s, want the spec's", text, got)
		}
	}
	f(pod+`}`, "cpu:3000")
	f(pod+`, conditions: [{type: PodResizePending, status: "True", reason: Infeasible}]}`, "cpu:3000")
	f(`{spec: {resources: {requests: {cpu: "1"}}, containers: [{name: c}]}}`, "cpu:1000")

	c := podspec.NewCompiler()
	c.PodLevelResourcesResize = false
	if p, vector := compileWith(t, c, pod+`}`); vector(p.Usage) != "cpu:1000" {
		t.Errorf("without the gate: usage %s, want cpu:1000", vector(p.Usage))
	}
}

// What a pod takes is summed up in a shorter way while only its spec is known. The long way
// is the definition.
func TestUsageWithoutAStatusIsWhatTheLongSumsComeTo(t *testing.T) {
	sim.Each(t, 2000, func(seed uint64) error {
		w := sim.New(seed).World()
		c := podspec.NewCompiler()
		c.PodLevelResources = seed%2 == 0
		for _, pod := range append(w.Bound, w.Pending...) {
			p := c.Compile(pod)
			if got := c.Usage(pod); !slices.Equal(got, p.Usage) {
				return fmt.Errorf("%s takes %v, and %v when it is compiled", pod.Name, got, p.Usage)
			}
			options := helpers.PodResourcesOptions{
				UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true, SkipPodLevelResources: !c.PodLevelResources,
			}
			if want := c.Resources.Vector(helpers.PodRequests(pod, options)); !slices.Equal(p.Usage, want) {
				return fmt.Errorf("%s takes %v, want %v", pod.Name, p.Usage, want)
			}
			if c.PodLevelResources && helpers.IsPodLevelRequestsSet(pod) {
				continue // has defaults of its own
			}
			options.NonMissingContainerRequests = corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("200Mi"),
			}
			for _, col := range []int32{podspec.CPU, podspec.Memory} {
				if want := c.Resources.Vector(helpers.PodRequests(pod, options)); p.UsageScore.Of(col) != want.Of(col) {
					return fmt.Errorf("%s scores as %v, want %v", pod.Name, p.UsageScore, want)
				}
			}
		}
		return nil
	})
}
