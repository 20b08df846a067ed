package podspec

import corev1 "k8s.io/api/core/v1"

// HostPort is a port of the node that a pod takes.
type HostPort struct {
	IP       string // AnyIP when the pod names none
	Protocol corev1.Protocol
	Port     int32
}

// AnyIP is the address that stands for all addresses of a node.
const AnyIP = "0.0.0.0"

// HostPorts returns the host ports of containers and sidecars. An ordinary init container
// gets its ports without being asked.
func HostPorts(p *corev1.Pod) []HostPort {
	s := &p.Spec
	var list []HostPort
	for i := range s.Containers {
		list = appendPorts(list, &s.Containers[i])
	}
	for i := range s.InitContainers {
		if c := &s.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			list = appendPorts(list, c)
		}
	}
	return list
}

func appendPorts(list []HostPort, c *corev1.Container) []HostPort {
	for i := range c.Ports {
		p := &c.Ports[i]
		if p.HostPort <= 0 { // most ports
			continue
		}
		hp := HostPort{IP: p.HostIP, Protocol: p.Protocol, Port: p.HostPort}
		if hp.IP == "" {
			hp.IP = AnyIP
		}
		if hp.Protocol == "" {
			hp.Protocol = corev1.ProtocolTCP
		}
		list = append(list, hp)
	}
	return list
}

// Conflicts reports whether two ports cannot be taken on one node.
func (p HostPort) Conflicts(o HostPort) bool {
	return p.Port == o.Port && p.Protocol == o.Protocol && (p.IP == o.IP || p.IP == AnyIP || o.IP == AnyIP)
}
