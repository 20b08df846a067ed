package endstate

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
)

// domain is one value of a topology key.
type domain struct{ key, value string }

// checkBetween looks at the rules between pods: nobody is in a domain with a pod that he
// must be away from, and domains hold numbers of pods that a hard constraint allows.
func (c *checker) checkBetween(s *State) {
	pods, namespaces := s.Pods, map[string]labels.Set{}
	for i := range s.Namespaces {
		namespaces[s.Namespaces[i].Name] = s.Namespaces[i].Labels
	}
	in := map[domain][]*corev1.Pod{}
	for i := range pods {
		if node := c.nodes[pods[i].Spec.NodeName]; node != nil {
			for key, value := range node.Labels {
				in[domain{key, value}] = append(in[domain{key, value}], &pods[i])
			}
		}
	}
	checked := map[string]bool{}
	for i := range pods {
		c.checkAway(&pods[i], in, namespaces)
		if spread := pods[i].Spec.TopologySpreadConstraints; len(spread) > 0 && !checked[pods[i].Namespace] {
			checked[pods[i].Namespace] = true // the pods of a namespace are of one type
			c.checkSpread(&pods[i], in)
		}
	}
}

func (c *checker) checkAway(p *corev1.Pod, in map[domain][]*corev1.Pod, namespaces map[string]labels.Set) {
	node := c.nodes[p.Spec.NodeName]
	if node == nil {
		return
	}
	terms, err := fwk.GetAffinityTerms(p, fwk.GetPodAntiAffinityTerms(p.Spec.Affinity))
	if err != nil {
		c.wrong("pod %s has terms that cannot be read: %v", key(p), err)
	}
	for i := range terms {
		value, has := node.Labels[terms[i].TopologyKey]
		if !has {
			continue
		}
		for _, other := range in[domain{terms[i].TopologyKey, value}] {
			if other != p && terms[i].Matches(other, namespaces[other.Namespace]) {
				c.wrong("pod %s is in %s %s with %s, which it must be away from", key(p), terms[i].TopologyKey, value, key(other))
				return
			}
		}
	}
}

func (c *checker) checkSpread(p *corev1.Pod, in map[domain][]*corev1.Pod) {
	for _, s := range p.Spec.TopologySpreadConstraints {
		selector, err := metav1.LabelSelectorAsSelector(s.LabelSelector)
		if s.WhenUnsatisfiable != corev1.DoNotSchedule || err != nil {
			continue
		}
		least, most := -1, 0
		for d, pods := range in {
			if d.key != s.TopologyKey {
				continue
			}
			n := 0
			for _, o := range pods {
				if o.Namespace == p.Namespace && selector.Matches(labels.Set(o.Labels)) {
					n++
				}
			}
			if most = max(most, n); least < 0 || n < least {
				least = n
			}
		}
		if most-max(0, least) > int(s.MaxSkew) {
			c.wrong("pods like %s are spread over %s from %d to %d, want at most %d more", key(p), s.TopologyKey, least, most, s.MaxSkew)
		}
	}
}
