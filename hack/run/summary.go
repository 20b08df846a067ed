package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	resourcehelper "k8s.io/component-helpers/resource"
)

// summary writes how full the nodes are, and which pods wait and why.
func (b *board) summary(ctx context.Context, client kubernetes.Interface) error {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("cannot list nodes: %w", err)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("cannot list pods: %w", err)
	}
	b.say("\n" + table(nodes.Items, pods.Items) + "\n" + waiting(pods.Items))
	return nil
}

// table shows the nodes with what their pods request of what they offer.
func table(nodes []corev1.Node, pods []corev1.Pod) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "NODE\tZONE\tPODS\tCPU\tMEMORY\tNOTE") // a Builder takes everything
	for i := range nodes {
		node := &nodes[i]
		used, count := usage(node.Name, pods)
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", node.Name, node.Labels[corev1.LabelTopologyZone], count,
			share(node, used, corev1.ResourceCPU), share(node, used, corev1.ResourceMemory), note(node))
	}
	_ = w.Flush()
	return trimLines(text.String())
}

// usage adds up the requests of the pods on a node.
func usage(node string, pods []corev1.Pod) (used corev1.ResourceList, count int) {
	used = corev1.ResourceList{}
	for i := range pods {
		if pods[i].Spec.NodeName != node {
			continue
		}
		count++
		for name, quantity := range resourcehelper.PodRequests(&pods[i], resourcehelper.PodResourcesOptions{}) {
			sum := used[name]
			sum.Add(quantity)
			used[name] = sum
		}
	}
	return used, count
}

// share is used/allocatable of one resource.
func share(node *corev1.Node, used corev1.ResourceList, name corev1.ResourceName) string {
	return amount(used[name], name) + "/" + amount(node.Status.Allocatable[name], name)
}

// amount is in cores, or in GiB.
func amount(q resource.Quantity, name corev1.ResourceName) string {
	if name == corev1.ResourceMemory {
		return fmt.Sprintf("%.4gGi", q.AsApproximateFloat64()/(1<<30))
	}
	return fmt.Sprintf("%.4g", q.AsApproximateFloat64())
}

// note says what keeps pods away.
func note(node *corev1.Node) string {
	var notes []string
	if node.Spec.Unschedulable {
		notes = append(notes, "cordoned")
	}
	for i := range node.Spec.Taints {
		notes = append(notes, "taint "+node.Spec.Taints[i].ToString())
	}
	return strings.Join(notes, ", ")
}

// waiting counts the pods, and tells of each without a node why it has none.
func waiting(pods []corev1.Pod) string {
	var text strings.Builder
	placed := 0
	for i := range pods {
		switch d := decisionOf(&pods[i]); d.outcome {
		case bound:
			placed++
		case refused:
			_, _ = fmt.Fprintf(&text, "%s fits nowhere: %s\n", nameOf(&pods[i]), d.why)
		default:
			_, _ = fmt.Fprintf(&text, "%s %s\n", nameOf(&pods[i]), d)
		}
	}
	return fmt.Sprintf("%d of %d pods have a node.\n%s", placed, len(pods), &text)
}

// trimLines takes the padding off the ends of lines.
func trimLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if trimmed := strings.TrimRight(l, " \n"); strings.HasSuffix(l, "\n") {
			lines[i] = trimmed + "\n"
		}
	}
	return strings.Join(lines, "")
}
