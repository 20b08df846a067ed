package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// distributions make the files that they give kube-scheduler, for one cluster.
type distributions struct {
	t    *testing.T
	c    *controlplane.ControlPlane
	ca   *authority // of client certificates
	root string
}

func newDistributions(t *testing.T) *distributions {
	t.Helper()
	d := &distributions{t: t, ca: newAuthority(t), root: t.TempDir()}
	ca := write(t, d.ca.pem(), d.root, "ca.crt")
	d.c = controlplane.Start(t, controlplane.Options{Audit: true, APIServerArgs: []string{"--client-ca-file=" + ca}})
	must(t, d.c.CreateNodes(within(t, time.Minute), object.Node("n1", object.CPU("4"))))
	return d
}

// at is a path below ROOT.
func (d *distributions) at(path string) string { return strings.ReplaceAll(path, "ROOT", d.root) }

func (d *distributions) all(args []string) (list []string) {
	for _, arg := range args {
		list = append(list, d.at(arg))
	}
	return list
}

// embed writes a kubeconfig that holds kube-scheduler's certificate, as kubeadm does.
func (d *distributions) embed(path string) {
	d.t.Helper()
	crt, key := d.ca.issue(controlplane.Scheduler)
	d.kubeconfig(path, &clientcmdapi.AuthInfo{ClientCertificateData: crt, ClientKeyData: key})
}

// refer writes a kubeconfig that names files, as Rancher's distributions do.
func (d *distributions) refer(server string) {
	d.t.Helper()
	crt, key := d.ca.issue(controlplane.Scheduler)
	d.kubeconfig(server+"cred/scheduler.kubeconfig", &clientcmdapi.AuthInfo{
		ClientCertificate: write(d.t, crt, d.at(server+"tls/client-scheduler.crt")),
		ClientKey:         write(d.t, key, d.at(server+"tls/client-scheduler.key")),
	})
}

func (d *distributions) kubeconfig(path string, user *clientcmdapi.AuthInfo) {
	d.t.Helper()
	ca, err := os.ReadFile(d.c.CAFile())
	must(d.t, err)
	file := clientcmdapi.NewConfig()
	file.Clusters["kubernetes"] = &clientcmdapi.Cluster{Server: d.c.URL(), CertificateAuthorityData: ca}
	file.AuthInfos["scheduler"] = user
	file.Contexts["default"] = &clientcmdapi.Context{Cluster: "kubernetes", AuthInfo: "scheduler"}
	file.CurrentContext = "default"
	must(d.t, clientcmd.WriteToFile(*file, d.at(path)))
}

// configure writes a configuration file.
func (d *distributions) configure(path, kubeconfig, more string) {
	d.t.Helper()
	write(d.t, []byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+
		"clientConnection:\n  kubeconfig: "+d.at(kubeconfig)+"\n"+more), d.at(path))
}

// static is the command line of kubeadm's static pod.
func (d *distributions) static(t *testing.T) (args []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "manifests", "static-pod", "kube-scheduler.yaml"))
	must(t, err)
	pod := &corev1.Pod{}
	must(t, yaml.UnmarshalStrict(text, pod))
	for _, arg := range pod.Spec.Containers[0].Command[1:] {
		args = append(args, strings.ReplaceAll(arg, "=/", "=ROOT/"))
	}
	return args
}

// second makes the objects of the second scheduler but its Deployment, and returns what
// that would run, as its ServiceAccount. A pod finds its credentials in files of a fixed
// place; here a kubeconfig holds the same.
func (d *distributions) second(t *testing.T) place {
	t.Helper()
	var args []string
	var account *corev1.ServiceAccount
	for _, o := range manifest(t, "second-scheduler", "berth.yaml") {
		switch o := o.(type) {
		case *appsv1.Deployment:
			args = o.Spec.Template.Spec.Containers[0].Args
			continue
		case *corev1.ConfigMap:
			write(t, []byte(o.Data["config.yaml"]), d.root, "etc", "berth", "config.yaml")
		case *corev1.ServiceAccount:
			account = o
		}
		d.create(t, o)
	}
	token, err := d.c.Client(controlplane.Admin).CoreV1().ServiceAccounts(account.Namespace).CreateToken(
		within(t, time.Minute), account.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(t, err)
	const inCluster = "ROOT/in-cluster.kubeconfig"
	d.kubeconfig(inCluster, &clientcmdapi.AuthInfo{Token: token.Status.Token})
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "=/", "=ROOT/")
	}
	return place{user: "system:serviceaccount:" + account.Namespace + ":" + account.Name, scheduler: "berth",
		process: append(args, "--kubeconfig="+inCluster, "--authentication-kubeconfig="+inCluster, "--authorization-kubeconfig="+inCluster)}
}

func (d *distributions) create(t *testing.T, o runtime.Object) {
	t.Helper()
	ctx, client := within(t, time.Minute), d.c.Client(controlplane.Admin)
	var err error
	switch o := o.(type) {
	case *corev1.ServiceAccount:
		_, err = client.CoreV1().ServiceAccounts(o.Namespace).Create(ctx, o, metav1.CreateOptions{})
	case *corev1.ConfigMap:
		_, err = client.CoreV1().ConfigMaps(o.Namespace).Create(ctx, o, metav1.CreateOptions{})
	case *rbacv1.Role:
		_, err = client.RbacV1().Roles(o.Namespace).Create(ctx, o, metav1.CreateOptions{})
	case *rbacv1.RoleBinding:
		_, err = client.RbacV1().RoleBindings(o.Namespace).Create(ctx, o, metav1.CreateOptions{})
	case *rbacv1.ClusterRoleBinding:
		_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, o, metav1.CreateOptions{})
	default:
		t.Fatalf("the manifest has a %T, which this test does not make", o)
	}
	must(t, err)
}

// manifest reads the objects of a manifest.
func manifest(t *testing.T, path ...string) (list []runtime.Object) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "manifests"}, path...)...))
	must(t, err)
	for documents := yamlutil.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return list
		}
		must(t, err)
		o, _, err := scheme.Codecs.UniversalDeserializer().Decode(document, nil, nil)
		must(t, err)
		list = append(list, o)
	}
}
