package nodeports

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/controlplane/object"
	"github.com/berth-scheduler/berth/test/sim"
)

// plainPorts refuses a node on which a pod has a port that the pod wants: the same
// number and protocol, on the same address or with one that means all.
func plainPorts(_ *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) (fwk.Code, []string) {
	for _, other := range pods {
		for _, taken := range plainWanted(other) {
			for _, wanted := range plainWanted(pod) {
				sameAddress := taken.HostIP == wanted.HostIP || taken.HostIP == "0.0.0.0" || wanted.HostIP == "0.0.0.0"
				if taken.HostPort == wanted.HostPort && taken.Protocol == wanted.Protocol && sameAddress {
					return fwk.Unschedulable, []string{"node(s) didn't have free ports for the requested pod ports"}
				}
			}
		}
	}
	return fwk.Success, nil
}

// plainWanted is the host ports of containers, and of init containers that go on
// running, with what an empty address and protocol mean.
func plainWanted(pod *corev1.Pod) []corev1.ContainerPort {
	var list []corev1.ContainerPort
	add := func(c *corev1.Container) {
		for _, port := range c.Ports {
			if port.HostPort <= 0 {
				continue
			}
			if port.HostIP == "" {
				port.HostIP = "0.0.0.0"
			}
			if port.Protocol == "" {
				port.Protocol = corev1.ProtocolTCP
			}
			list = append(list, port)
		}
	}
	for i := range pod.Spec.Containers {
		add(&pod.Spec.Containers[i])
	}
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(c)
		}
	}
	return list
}

func TestColumnsFollowThePlainDefinition(t *testing.T) {
	filter := func() framework.Filter { return NodePorts{} }
	sim.JudgeIn(t, 400, (*sim.Gen).Furnished, filter, plainPorts)
	sim.JudgeIn(t, 200, sim.Kind("ports"), filter, plainPorts)
}

// port is a pod's wish for one port of the host, as in port("10.0.0.1", "UDP", 80).
func port(ip string, protocol corev1.Protocol, number int32) object.PodFunc {
	return func(p *corev1.Pod) {
		c := &p.Spec.Containers[0]
		c.Ports = append(c.Ports, corev1.ContainerPort{HostIP: ip, Protocol: protocol, HostPort: number, ContainerPort: 1})
	}
}

const (
	tcp, udp = corev1.ProtocolTCP, corev1.ProtocolUDP

	conflict = "Unschedulable: node(s) didn't have free ports for the requested pod ports"
)

// expect asks whether a node with a pod on it takes another one, either way round.
func expect(t *testing.T, one, two *corev1.Pod, fits bool) {
	t.Helper()
	want := conflict
	if fits {
		want = "Success"
	}
	for _, pair := range [][2]*corev1.Pod{{one, two}, {two, one}} {
		if got := sim.Ask(NodePorts{}, object.Node("n"), pair[:1], pair[1]); got != want {
			t.Errorf("%s beside %s: %s, want %s", sim.PodLine(pair[1]), sim.PodLine(pair[0]), got, want)
		}
	}
}

func TestPortIsAddressProtocolAndNumber(t *testing.T) {
	f := func(one, two object.PodFunc, fits bool) {
		t.Helper()
		expect(t, object.Pod("a", one), object.Pod("b", two), fits)
	}
	f(port("", udp, 8080), port("", udp, 8080), false)
	f(port("", udp, 8080), port("", tcp, 8080), true)
	f(port("", corev1.ProtocolSCTP, 8080), port("", tcp, 8080), true)
	f(port("", tcp, 8080), port("", tcp, 8081), true)
	f(port("127.0.0.1", tcp, 8080), port("127.0.0.1", tcp, 8080), false)
	f(port("127.0.0.1", tcp, 8080), port("127.0.0.2", tcp, 8080), true)
	f(port("127.0.0.1", tcp, 8080), port("127.0.0.1", udp, 8080), true)
	f(port("127.0.0.1", tcp, 8080), port("0.0.0.0", tcp, 8080), false)
	f(port("127.0.0.1", tcp, 8080), port("", tcp, 8080), false)
	f(port("127.0.0.1", udp, 8080), port("", tcp, 8080), true)
	f(port("", tcp, 8080), port("0.0.0.0", "", 8080), false) // what is not said means all, and TCP
	f(port("::1", tcp, 8080), port("127.0.0.1", tcp, 8080), true)
	f(port("::", tcp, 8080), port("127.0.0.1", tcp, 8080), true) // only one address means all
	f(port("", tcp, 0), port("", tcp, 0), true)                  // no host port at all
}

func TestOneConflictIsEnough(t *testing.T) {
	both := object.Pod("b", port("", tcp, 80), port("", tcp, 443))
	expect(t, object.Pod("a", port("", tcp, 443)), both, false)
	expect(t, object.Pod("a", port("", tcp, 443), port("", udp, 80)), both, false)
	expect(t, object.Pod("a", port("", udp, 443), port("", udp, 80)), both, true)
	expect(t, object.Pod("a", port("10.0.0.1", tcp, 80)), object.Pod("b", port("10.0.0.2", tcp, 80), port("10.0.0.1", tcp, 80)), false)
}

// inside moves the container, with its ports, to the init containers.
func inside(pod *corev1.Pod, restart *corev1.ContainerRestartPolicy) *corev1.Pod {
	c := pod.Spec.Containers[0]
	c.Name, c.RestartPolicy = "i", restart
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	pod.Spec.Containers[0].Ports = nil
	return pod
}

func TestSidecarsTakePortsAndInitContainersDoNot(t *testing.T) {
	always, onFailure := corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyOnFailure
	web := object.Pod("a", port("", tcp, 80))
	expect(t, web, inside(object.Pod("b", port("", tcp, 80)), &always), false)
	expect(t, web, inside(object.Pod("b", port("", tcp, 80)), nil), true)
	expect(t, web, inside(object.Pod("b", port("", tcp, 80)), &onFailure), true)
	second := inside(object.Pod("b", port("", tcp, 443)), &always)
	second.Spec.Containers[0].Ports = web.Spec.Containers[0].Ports
	expect(t, web, second, false)
}

func TestPodWithoutHostPortsIsSkipped(t *testing.T) {
	f := func(pod *corev1.Pod, skips bool) {
		t.Helper()
		cycle := &framework.Cycle{Pod: podspec.NewCompiler().Compile(pod)}
		if prep := (NodePorts{}).PreFilter(cycle); prep.Skip != skips || prep.Err != nil || prep.Reject != nil || prep.Names != nil {
			t.Errorf("%s: %+v, want it skipped: %v", sim.PodLine(pod), prep, skips)
		}
	}
	f(object.Pod("p"), true)
	f(object.Pod("p", port("10.0.0.1", tcp, 0)), true)
	f(inside(object.Pod("p", port("", tcp, 80)), nil), true)
	f(object.Pod("p", port("", tcp, 80)), false)
}
