package controlplane

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func TestUsersMayDoWhatTheirRolesSay(t *testing.T) {
	c := shared(t)
	f := func(user string, mayListPods, mayListSecrets, mayReadLease bool) {
		t.Helper()
		client := c.Client(user)
		_, err := client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
		expectAllowed(t, user+" lists pods", err, mayListPods)
		_, err = client.CoreV1().Secrets("").List(t.Context(), metav1.ListOptions{})
		expectAllowed(t, user+" lists secrets", err, mayListSecrets)
		_, err = client.CoordinationV1().Leases("kube-system").Get(t.Context(), "kube-scheduler", metav1.GetOptions{})
		expectAllowed(t, user+" reads the scheduler's lease", err, mayReadLease)
	}
	f(Admin, true, true, true)
	f(Scheduler, true, false, true)
	f(rival, true, false, true)
	f(nobody, false, false, false)
}

// expectAllowed takes any answer but "forbidden" for a yes: what is asked for need not exist.
func expectAllowed(t *testing.T, what string, err error, want bool) {
	t.Helper()
	if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err) {
		t.Errorf("%s: %v", what, err)
	}
	if got := !apierrors.IsForbidden(err); got != want {
		t.Errorf("%s: got allowed %v, want %v", what, got, want)
	}
}

func TestWrongTokenAndWrongCAAreRefused(t *testing.T) {
	c := shared(t)
	config := c.RESTConfig(Admin)
	config.BearerToken = "wrong"
	if _, err := listPods(t, config); !apierrors.IsUnauthorized(err) {
		t.Errorf("got error %v for a wrong token, want unauthorized", err)
	}
	stranger, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	config = c.RESTConfig(Admin)
	config.CAData = stranger.pem
	if _, err := listPods(t, config); err == nil {
		t.Error("got an answer from a server that another CA vouches for")
	}
}

func TestKubeconfigIsEnoughToTalkAsItsUser(t *testing.T) {
	path, err := shared(t).Kubeconfig(Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	client, err := listPods(t, config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Secrets("").List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("got error %v for secrets, want forbidden", err)
	}
}

func listPods(t *testing.T, config *rest.Config) (kubernetes.Interface, error) {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	return client, err
}
