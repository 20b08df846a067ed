package object

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NodeOf makes a node of words: its name, labels, and taints that keep pods away. zone,
// region and host stand for the known topology keys; host is the name unless it is said.
//
//	NodeOf("n1 zone=z1 disk=ssd taint(k)"), NodeOf("n2 host=n1"), NodeOf("n3 nohost")
func NodeOf(text string) *corev1.Node {
	words := fields(text)
	node := Node(words[0])
	for _, word := range words[1:] {
		verb, args := call(word)
		key, value, _ := strings.Cut(word, "=")
		switch {
		case verb == "taint":
			Taint(args[0], "", corev1.TaintEffectNoSchedule).shapeNode(node)
		case word == "nohost":
			delete(node.Labels, corev1.LabelHostname)
		default:
			node.Labels[longKey(key)] = value
		}
	}
	return node
}

// Is shapes a pod by words: labels, and rules about other pods.
//
//	app=x                     a label
//	in(other)                 the namespace
//	deleting                  it is being deleted
//	wants(zone=z1)            a label that the node must have
//	bears(k)                  a taint that is tolerated
//	of(ReplicaSet rs)         the controller that made it
//	near(zone app=x)          affinity, far(host app=x) anti-affinity that must hold
//	likes(5 zone app=x)       the same with a weight, preferred; dislikes(5 host app=x)
//	spread(1 zone app=x)      at most so much skew over a key, soft(1 zone app=x) preferred
//
// What a rule selects is words as well, which all must hold: app=x, app=x,y (one of
// them), app!=x, app (it has the label), !app, all. No word selects no pod. Terms take
// ns=a,b and nsel:team=a (namespaces by a selector, nsel:all for every one), constraints
// min=3, affinity=Ignore, taints=Honor and keys=a,b.
func Is(text string) PodFunc {
	return func(pod *corev1.Pod) {
		for _, word := range fields(text) {
			shape(pod, word)
		}
	}
}

// PodOf is Pod with words.
func PodOf(text string, options ...PodOption) *corev1.Pod {
	return Pod("p", append([]PodOption{Is(text)}, options...)...)
}

func shape(pod *corev1.Pod, word string) {
	verb, args := call(word)
	switch verb {
	case "":
		key, value, _ := strings.Cut(word, "=")
		set(&pod.Labels, key, value)
	case "in":
		pod.Namespace = args[0]
	case "deleting":
		pod.DeletionTimestamp = &metav1.Time{}
	case "wants":
		key, value, _ := strings.Cut(args[0], "=")
		set(&pod.Spec.NodeSelector, longKey(key), value)
	case "bears":
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: args[0], Operator: corev1.TolerationOpExists})
	case "of":
		pod.OwnerReferences = append(pod.OwnerReferences, owner(args[0], args[1]))
	case "near", "far", "likes", "dislikes":
		relate(pod, verb, args)
	case "spread", "soft":
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, constraint(verb, args))
	default:
		panic("object: no such word for a pod: " + word)
	}
}

func owner(kind, name string) metav1.OwnerReference {
	yes, version := true, appsv1.SchemeGroupVersion.String()
	if kind == "ReplicationController" {
		version = "v1"
	}
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: "made", Controller: &yes}
}

// fields splits at spaces outside of brackets.
func fields(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth == 0 && (r == ' ' || r == '\n' || r == '\t')
	})
}

// call splits verb(some words). A label has no verb, and deleting no words.
func call(word string) (verb string, args []string) {
	if word == "deleting" {
		return word, nil
	}
	verb, rest, ok := strings.Cut(word, "(")
	if !ok {
		return "", nil
	}
	return verb, strings.Fields(strings.TrimSuffix(rest, ")"))
}

func number(word string) int32 {
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		panic("object: " + err.Error())
	}
	return int32(n)
}

func longKey(key string) string {
	switch key {
	case "zone":
		return corev1.LabelTopologyZone
	case "region":
		return corev1.LabelTopologyRegion
	case "host":
		return corev1.LabelHostname
	}
	return key
}
