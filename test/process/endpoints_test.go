package process

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/controlplane"
)

const (
	structured = "application/json;v=v1beta1;g=config.k8s.io;as="
	protobuf   = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
)

// paths are what the port is asked for by everybody.
const paths = `
	/ /version /api /nope
	/healthz /healthz/ /healthz?verbose /healthz?exclude=nope&verbose /healthz?exclude=leaderElection&verbose /healthz/leaderElection /healthz/ping
	/livez /livez/ping /livez/shutdown
	/readyz /readyz?verbose /readyz/leaderElection /readyz/shutdown /readyz/sched-handler-sync /readyz/informer-sync
	/metrics /metrics/ /metrics/resources /metrics/slis /metrics/cadvisor
	/configz /configz/ /statusz /flagz
	/debug /debug/pprof /debug/pprof/ /debug/pprof/goroutine?debug=1 /debug/pprof/heap /debug/pprof/cmdline /debug/pprof/symbol
	/debug/flags /debug/flags/ /debug/flags/v
`

// special are requests of those who may ask anything.
var special = []request{
	{path: "/statusz", accept: "application/json"},
	{path: "/statusz", accept: structured + "Statusz"},
	{path: "/statusz", accept: "text/plain"},
	{path: "/flagz", accept: "application/json"},
	{path: "/flagz", accept: structured + "Flagz"},
	{path: "/flagz", accept: "application/yaml;v=v1alpha1;g=config.k8s.io;as=Flagz"},
	{path: "/metrics", accept: protobuf},
	{path: "/healthz", method: http.MethodPost},
	{path: "/configz", method: http.MethodDelete},
	{path: "/debug/flags/v", method: http.MethodPut, body: "3"},
	{path: "/debug/flags/v", method: http.MethodPut, body: "x"},
	{path: "/debug/flags/v", method: http.MethodPost, body: "3"},
	{path: "/debug/flags/v", method: http.MethodPut, body: "2"},
	{path: "/metrics/slis", method: http.MethodDelete},
	{path: "/metrics/resources", method: http.MethodDelete},
}

// moreOnLivez are the checks that we have and kube-scheduler has not.
var moreOnLivez = []string{"/livez/progress", "/livez/leaderElection"}

// requests are all of them, with each user.
func requests() (list []request) {
	for _, user := range []string{anonymous, stranger, guest, monitor, operator, controlplane.Admin} {
		for _, path := range strings.Fields(paths) {
			list = append(list, request{user: user, path: path})
		}
	}
	for _, r := range special {
		for _, user := range []string{operator, monitor} {
			r.user = user
			list = append(list, r)
		}
	}
	return list
}

// mayAskAnything gives the operator all rights on paths, and waits until they count.
func mayAskAnything(t *testing.T, l *live) {
	t.Helper()
	ctx, name := within(t, time.Minute), metav1.ObjectMeta{Name: operator}
	rbac := l.Client(controlplane.Admin).RbacV1()
	_, err := rbac.ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: name,
		Rules: []rbacv1.PolicyRule{{NonResourceURLs: []string{"*"}, Verbs: []string{"*"}}}}, metav1.CreateOptions{})
	must(t, err)
	_, err = rbac.ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{ObjectMeta: name,
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: operator},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: operator}}}, metav1.CreateOptions{})
	must(t, err)
	mine := l.Client(operator).AuthorizationV1().SelfSubjectAccessReviews()
	must(t, l.WaitFor(ctx, "the operator to have rights", func(ctx context.Context) error {
		review, err := mine.Create(ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/configz", Verb: "delete"}}}, metav1.CreateOptions{})
		if err == nil && !review.Status.Allowed {
			err = fmt.Errorf("not allowed yet: %s", review.Status.Reason)
		}
		return err
	}))
}

// volatile are pages whose text differs from one moment to the next.
var volatile = regexp.MustCompile(`^/(metrics|statusz|flagz|debug/pprof)`)

// seenAs is what is compared of a reply.
func (r request) seenAs(a reply) string {
	text := fmt.Sprintf("%d %s\n", a.code, a.header.Get("Content-Type"))
	if a.code == http.StatusOK && volatile.MatchString(r.path) {
		return text
	}
	if a.code == http.StatusOK && r.path == "/configz" {
		return text + sameConfig(a.body)
	}
	return text + a.body
}

var itsKubeconfig = regexp.MustCompile(`"kubeconfig":"[^"]*"`)

// sameConfig brings a configuration into one order, without what differs by intent.
func sameConfig(text string) string {
	var v any
	if err := json.Unmarshal([]byte(itsKubeconfig.ReplaceAllString(text, `"kubeconfig":""`)), &v); err != nil {
		return err.Error()
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// compareEndpoints asks both the same.
func compareEndpoints(t *testing.T, us, them *live) {
	mayAskAnything(t, us)
	mayAskAnything(t, them)
	for _, r := range requests() {
		got, err := us.get(r)
		must(t, err)
		want, err := them.get(r)
		must(t, err)
		diff := cmp.Diff(r.seenAs(got), r.seenAs(want))
		if diff != "" {
			t.Errorf("%v: ours (-), kube-scheduler's (+):\n%s", r, diff)
		}
		note("endpoints", r.String(), diff == "")
	}
	for _, path := range moreOnLivez {
		got, err := us.get(request{path: path, user: operator})
		must(t, err)
		want, err := them.get(request{path: path, user: operator})
		must(t, err)
		if got.code != http.StatusOK || want.code != http.StatusNotFound {
			t.Errorf("%s: %d, kube-scheduler: %d", path, got.code, want.code)
		}
		differs("endpoints", path, "a check of ours")
	}
}
