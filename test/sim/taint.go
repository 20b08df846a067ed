package sim

import corev1 "k8s.io/api/core/v1"

// The cordon's key is among them, as cordons and taints meet in one toleration.
var (
	taintKeys   = []string{"a", "a", "b", corev1.TaintNodeUnschedulable}
	taintValues = []string{"", "x", "y", "7", "12", "07"}
	effects     = []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	}
)

// taints draws a list of taints, mostly none. A key may come twice.
func (g *Gen) taints() []corev1.Taint {
	var list []corev1.Taint
	for range Pick(g, 0, 0, 0, 1, 1, 2, 3) {
		list = append(list, corev1.Taint{
			Key: Pick(g, taintKeys...), Value: Pick(g, taintValues...), Effect: Pick(g, effects...),
		})
	}
	return list
}

// tolerations draws a list with every operator, with effects left out, and with the
// empty key that stands for all.
func (g *Gen) tolerations() []corev1.Toleration {
	var list []corev1.Toleration
	for range Pick(g, 0, 0, 0, 1, 1, 2, 3) {
		list = append(list, g.toleration())
	}
	return list
}

func (g *Gen) toleration() corev1.Toleration {
	t := corev1.Toleration{Effect: Pick(g, append(effects, "", "")...)}
	switch {
	case g.Chance(5): // tolerates everything, or every taint of its effect
		t.Operator = corev1.TolerationOpExists
		return t
	case g.Chance(3): // an empty key with another operator
		t.Operator = Pick(g, "", corev1.TolerationOpEqual)
		t.Value = Pick(g, taintValues...)
		return t
	}
	t.Key = Pick(g, taintKeys...)
	t.Operator = Pick(g, "", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpExists,
		corev1.TolerationOpGt, corev1.TolerationOpLt)
	if t.Operator != corev1.TolerationOpExists {
		t.Value = Pick(g, taintValues...)
	}
	return t
}
