package deploy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// second is the objects of the second scheduler.
func second(t *testing.T) []runtime.Object {
	t.Helper()
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yamlutil.NewYAMLReader(bufioReader(mustRead(t, "manifests", "second-scheduler", "berth.yaml")))
	var list []runtime.Object
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := strict.Decode(text, nil, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		list = append(list, object)
	}
}

// find returns the one object of a type.
func find[T runtime.Object](t *testing.T, list []runtime.Object) T {
	t.Helper()
	for _, o := range list {
		if found, ok := o.(T); ok {
			return found
		}
	}
	var none T
	t.Fatalf("there is no %T", none)
	return none
}

func TestSecondSchedulerReadsItsConfiguration(t *testing.T) {
	objects := second(t)
	settings, deployment := find[*corev1.ConfigMap](t, objects), find[*appsv1.Deployment](t, objects)
	c := mustLoad(t, []byte(settings.Data["config.yaml"]))
	if name := *c.Profiles[0].SchedulerName; len(c.Profiles) != 1 || name == corev1.DefaultSchedulerName {
		t.Errorf("its profile is %q, so it would place the pods of the first scheduler", name)
	}
	if !*c.LeaderElection.LeaderElect || *deployment.Spec.Replicas < 2 {
		t.Errorf("%d replicas, leader election %v", *deployment.Spec.Replicas, *c.LeaderElection.LeaderElect)
	}
	pod := &deployment.Spec.Template
	selector, err := metav1.LabelSelectorAsSelector(deployment.Spec.Selector)
	if err != nil || !selector.Matches(labels.Set(pod.Labels)) {
		t.Errorf("the deployment does not select its pods: %v, %v", selector, err)
	}
	container := pod.Spec.Containers[0]
	if pod.Spec.Volumes[0].ConfigMap.Name != settings.Name || container.Args[0] != "--config="+container.VolumeMounts[0].MountPath+"/config.yaml" {
		t.Errorf("the pod reads %q of volume %v, want config.yaml of %s", container.Args, pod.Spec.Volumes, settings.Name)
	}
}

func TestSecondSchedulerMayLeadByItsLease(t *testing.T) {
	objects := second(t)
	c := mustLoad(t, []byte(find[*corev1.ConfigMap](t, objects).Data["config.yaml"]))
	role := find[*rbacv1.Role](t, objects)
	for _, rule := range role.Rules {
		if len(rule.ResourceNames) == 1 && rule.ResourceNames[0] != c.LeaderElection.ResourceName {
			t.Errorf("it may get and update lease %q, and leads by %q", rule.ResourceNames[0], c.LeaderElection.ResourceName)
		}
	}
	account := find[*corev1.ServiceAccount](t, objects)
	bound := 0
	for _, o := range objects {
		switch b := o.(type) {
		case *rbacv1.ClusterRoleBinding:
			bound += subjects(t, b.Name, b.Subjects, account)
		case *rbacv1.RoleBinding:
			bound += subjects(t, b.Name, b.Subjects, account)
		}
	}
	if bound != 4 {
		t.Errorf("%d bindings, want two of cluster roles and two of roles", bound)
	}
}

func subjects(t *testing.T, name string, list []rbacv1.Subject, account *corev1.ServiceAccount) int {
	t.Helper()
	if len(list) != 1 || list[0].Name != account.Name || list[0].Namespace != account.Namespace {
		t.Errorf("%s is for %v, want the service account %s/%s", name, list, account.Namespace, account.Name)
	}
	return 1
}

func bufioReader(text []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(text)) }
