package workload

import "slices"

// Needs returns the plugins that the pods of a workload cannot do without, in order. A scheduler that lacks one
// would leave them pending, or be measured without the work that the workload is about.
func (s *Set) Needs(name string) []string {
	var needs []string
	need := func(plugin string, needed bool) {
		if needed && !slices.Contains(needs, plugin) {
			needs = append(needs, plugin)
		}
	}
	for _, op := range s.Workloads[name] {
		t := s.PodTypes[op.Pods]
		need("NodeResourcesFit", t.Req != Request{})
		need("NodeAffinity", len(t.RequiredNode) > 0)
		need("NodePorts", t.HostPort > 0)
		need("PodTopologySpread", t.Spread != nil || op.Service != nil)
		need("InterPodAffinity", t.ReqAff != nil || t.ReqAnti != nil || t.PrefAff != nil || t.PrefAnti != nil)
	}
	slices.Sort(needs)
	return needs
}
