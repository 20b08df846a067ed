package oracle

// byFramework is who gives the reasons that the framework itself gives, in the name of
// the plugins whose PreFilter left nodes out.
const byFramework = "framework"

// reasons are the texts with which each plugin refuses, as users read them. What ends
// in a star goes on in many ways. A plugin that never refuses has none. Each plugin
// that is built has a line here, and questions that bring every one of them.
var reasons = map[string][]string{
	byFramework: {"node(s) didn't satisfy plugin(s) [*"},

	"SchedulingGates":   {"waiting for scheduling gates: *"},
	"PrioritySort":      {},
	"NodeName":          {"node(s) didn't match the requested node name"},
	"NodeUnschedulable": {"node(s) were unschedulable"},
	"TaintToleration":   {"node(s) had untolerated taint(s)"},
	"NodeAffinity": {
		"node(s) didn't match Pod's node affinity/selector", "node(s) didn't match scheduler-enforced node affinity",
		"pod affinity terms conflict",
	},
	"NodePorts": {"node(s) didn't have free ports for the requested pod ports"},
	"NodeResourcesFit": {
		"Too many pods", "Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage",
		"Insufficient example.com/gpu", "Insufficient example.com/nic", "Insufficient hugepages-2Mi",
		"Insufficient nodes.kubernetes.io/slots",
	},
	"NodeResourcesBalancedAllocation": {},
	"ImageLocality":                   {},
	"DefaultBinder":                   {},
	"PodTopologySpread": {
		"node(s) didn't match pod topology spread constraints",
		"node(s) didn't match pod topology spread constraints (missing required label)",
	},
	"InterPodAffinity": {
		"node(s) didn't match pod affinity rules", "node(s) didn't match pod anti-affinity rules",
		"node(s) didn't satisfy existing pods anti-affinity rules",
	},
	"NodeDeclaredFeatures": {"node(s) didn't match Pod's required features"},
}
