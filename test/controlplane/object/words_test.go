package object

import "testing"

func TestWordsMakeANode(t *testing.T) {
	expectYAML(t, NodeOf("n1 zone=z1 host=h disk=ssd taint(k)"), `
metadata:
  name: n1
  labels: {kubernetes.io/hostname: h, topology.kubernetes.io/zone: z1, disk: ssd}
spec:
  taints: [{key: k, effect: NoSchedule}]
status:
  capacity: {pods: "110"}
  allocatable: {pods: "110"}
  conditions: [{type: Ready, status: "True"}]
`)
	if labels := NodeOf("n1 nohost").Labels; len(labels) != 0 {
		t.Errorf("labels %v, want none", labels)
	}
}

func TestWordsMakeAPod(t *testing.T) {
	expectYAML(t, PodOf("app=x in(other) wants(zone=z1) bears(k) of(ReplicaSet rs)"), `
metadata:
  name: p
  namespace: other
  labels: {app: x}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: made, controller: true}]
spec:
  containers: [{name: c, image: x}]
  nodeSelector: {topology.kubernetes.io/zone: z1}
  tolerations: [{key: k, operator: Exists}]
`)
	if p := PodOf("deleting"); p.DeletionTimestamp == nil {
		t.Error("it is not being deleted")
	}
	if p := PodOf("of(ReplicationController rc)"); p.OwnerReferences[0].APIVersion != "v1" {
		t.Errorf("owner %+v, want one of v1", p.OwnerReferences[0])
	}
}

func TestWordsMakeRules(t *testing.T) {
	expectYAML(t, PodOf("near(zone app=x ns=a,b nsel:team=a) far(host app!=x,y !tier nsel:all) likes(5 rack app) dislikes(7 rack) "+
		"spread(1 zone app=x,y min=3 affinity=Ignore taints=Honor keys=v,w) soft(2 host all)"), `
metadata: {name: p, namespace: default}
spec:
  containers: [{name: c, image: x}]
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: topology.kubernetes.io/zone
        labelSelector: {matchLabels: {app: x}}
        namespaces: [a, b]
        namespaceSelector: {matchLabels: {team: a}}
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 5
        podAffinityTerm: {topologyKey: rack, labelSelector: {matchExpressions: [{key: app, operator: Exists}]}}
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [x, "y"]}, {key: tier, operator: DoesNotExist}]}
        namespaceSelector: {}
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 7, podAffinityTerm: {topologyKey: rack}}
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchExpressions: [{key: app, operator: In, values: [x, "y"]}]}
    minDomains: 3
    nodeAffinityPolicy: Ignore
    nodeTaintsPolicy: Honor
    matchLabelKeys: [v, w]
  - {maxSkew: 2, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}
`)
}
