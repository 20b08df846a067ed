package podspec_test

import "testing"

// What containers without requests count: 100m and 200Mi each.
const (
	oneEmpty = "cpu:100 memory:209715200"
	twoEmpty = "cpu:200 memory:419430400"
)

func TestContainersWithoutRequestsCountInScores(t *testing.T) {
	f := func(spec, want, requests string) {
		t.Helper()
		p, text := compile(t, "spec: "+spec)
		if got := text(p.Scoring); got != want {
			t.Errorf("%s: scoring %s, want %s", spec, got, want)
		}
		if got := text(p.UsageScore); got != want {
			t.Errorf("%s: usage in scores %s, want %s", spec, got, want)
		}
		if got := text(p.Requests); got != requests {
			t.Errorf("%s: requests %s, want %s", spec, got, requests)
		}
	}
	f(`{}`, "", "")
	f(`{containers: [{name: a}]}`, oneEmpty, "")
	f(`{containers: [{name: a}, {name: b}]}`, twoEmpty, "")
	f(`{containers: [{name: a, resources: {requests: {cpu: 0, memory: 0}}}]}`, "", "") // 0 is a request
	f(`{containers: [{name: a, resources: {requests: {cpu: "1", memory: 1Mi}}}, {name: b}], overhead: {cpu: "1", memory: 1Mi}}`,
		"cpu:2100 memory:211812352", "cpu:2000 memory:2097152") // 2Mi+200Mi
	const inits = `initContainers: [{name: i}, {name: j, resources: {requests: {cpu: 1m, memory: 1}}}]`
	const three = `{name: a, resources: {requests: {cpu: 3m, memory: 3}}}`
	f(`{`+inits+`, containers: [`+three+`]}`, oneEmpty, "cpu:3 memory:3") // an init container's default is the most
	f(`{`+inits+`, containers: [`+three+`, {name: b}]}`, "cpu:103 memory:209715203", "cpu:3 memory:3")
	f(`{initContainers: [{name: i, resources: {requests: {cpu: "3"}}}],
		containers: [{name: a, resources: {requests: {cpu: "1", memory: 1Mi}}}, {name: b}], overhead: {cpu: "1", memory: 1Mi}}`,
		"cpu:4000 memory:211812352", "cpu:4000 memory:2097152")
}

func TestRequestsOfThePodInScores(t *testing.T) {
	f := func(spec, scoring, usage string) {
		t.Helper()
		p, text := compile(t, "spec: "+spec)
		if got := text(p.Scoring); got != scoring { // never sees them
			t.Errorf("%s: scoring %s, want %s", spec, got, scoring)
		}
		if got := text(p.UsageScore); got != usage {
			t.Errorf("%s: usage in scores %s, want %s", spec, got, usage)
		}
	}
	f(`{resources: {requests: {memory: 5}}, containers: [{name: a}]}`, oneEmpty, "cpu:100 memory:5")
	f(`{resources: {requests: {cpu: "1"}}, containers: [{name: a}, {name: b}]}`, twoEmpty, "cpu:1000 memory:419430400")
	f(`{resources: {requests: {cpu: "1", memory: 5}}, containers: [{name: a}]}`, oneEmpty, "cpu:1000 memory:5")
	// A container names memory, so no default stands in for it in the other one.
	f(`{resources: {requests: {cpu: "1"}}, containers: [{name: a, resources: {requests: {memory: 7}}}, {name: b}]}`,
		"cpu:200 memory:209715207", "cpu:1000 memory:7")
	// Only hugepages of the pod: it has requests, and so CPU and memory are named nowhere.
	f(`{resources: {requests: {hugepages-2Mi: 2Mi}}, containers: [{name: a}]}`, oneEmpty, oneEmpty)
	// An unsupported name alone is no request of the pod.
	f(`{resources: {requests: {example.com/gpu: 1}}, containers: [{name: a, resources: {requests: {memory: 7}}}, {name: b}]}`,
		"cpu:200 memory:209715207", "cpu:200 memory:209715207")
}

func TestUsageInScoresKnowsCPUAndMemoryOnly(t *testing.T) {
	p, text := compile(t, `spec: {containers: [{name: a, resources: {requests: {ephemeral-storage: 5, example.com/gpu: 1, memory: 3}}}]}`)
	if got := text(p.UsageScore); got != "cpu:100 memory:3" {
		t.Errorf("usage in scores %s, want CPU and memory", got)
	}
	if got := text(p.Scoring); got != "cpu:100 memory:3 ephemeral-storage:5 example.com/gpu:1" {
		t.Errorf("scoring %s, want every resource", got)
	}
}
