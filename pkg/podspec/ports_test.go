package podspec_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

func TestHostPortsOfContainersAndSidecars(t *testing.T) {
	f := func(spec, want string) {
		t.Helper()
		p, _ := compile(t, "spec: "+spec)
		if got := fmt.Sprint(p.HostPorts); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
		if got := fmt.Sprint(podspec.HostPorts(p.API)); got != want {
			t.Errorf("%s: %s when asked about the API's pod, want %s", spec, got, want)
		}
	}
	f(`{}`, "[]")
	f(`{containers: [{name: a, ports: [{containerPort: 80}]}]}`, "[]") // not of the host
	f(`{containers: [{name: a, ports: [{containerPort: 80, hostPort: 8080}]}]}`, "[{0.0.0.0 TCP 8080}]")
	f(`{containers: [{name: a, ports: [{containerPort: 80, hostPort: 8080, protocol: UDP, hostIP: 10.0.0.1}]}]}`, "[{10.0.0.1 UDP 8080}]")
	f(`{containers: [{name: a, ports: [{containerPort: 80, hostPort: 0, hostIP: 10.0.0.1}, {containerPort: 80, hostPort: -1}]}]}`, "[]")
	f(`{containers: [{name: a, ports: [{hostPort: 1}, {hostPort: 2}]}, {name: b, ports: [{hostPort: 3}, {hostPort: 1}]}]}`,
		"[{0.0.0.0 TCP 1} {0.0.0.0 TCP 2} {0.0.0.0 TCP 3} {0.0.0.0 TCP 1}]")
	f(`{initContainers: [{name: s, restartPolicy: Always, ports: [{hostPort: 1}]}], containers: [{name: a, ports: [{hostPort: 2}]}]}`,
		"[{0.0.0.0 TCP 2} {0.0.0.0 TCP 1}]")
	f(`{initContainers: [{name: i, ports: [{hostPort: 1}]}, {name: j, restartPolicy: OnFailure, ports: [{hostPort: 2}]}]}`, "[]")
	f(`{ephemeralContainers: [{name: e, ports: [{hostPort: 1}]}]}`, "[]")
}

func TestPortsConflictOnOneAddress(t *testing.T) {
	const tcp, udp = corev1.ProtocolTCP, corev1.ProtocolUDP
	f := func(a, b podspec.HostPort, want bool) {
		t.Helper()
		if got := [2]bool{a.Conflicts(b), b.Conflicts(a)}; got != [2]bool{want, want} {
			t.Errorf("%v and %v conflict: %v, want %v", a, b, got, want)
		}
	}
	f(podspec.HostPort{IP: "10.0.0.1", Protocol: tcp, Port: 80}, podspec.HostPort{IP: "10.0.0.1", Protocol: tcp, Port: 80}, true)
	f(podspec.HostPort{IP: "10.0.0.1", Protocol: tcp, Port: 80}, podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 80}, true)
	f(podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 80}, podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 80}, true)
	f(podspec.HostPort{IP: "10.0.0.1", Protocol: tcp, Port: 80}, podspec.HostPort{IP: "10.0.0.2", Protocol: tcp, Port: 80}, false)
	f(podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 80}, podspec.HostPort{IP: podspec.AnyIP, Protocol: udp, Port: 80}, false)
	f(podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 80}, podspec.HostPort{IP: podspec.AnyIP, Protocol: tcp, Port: 81}, false)
}
