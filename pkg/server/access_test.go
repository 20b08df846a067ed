package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/server/options"
)

// tokens knows a user by his name, refuses "bad", and takes others for anonymous.
func tokens(r *http.Request) (*authenticator.Response, bool, error) {
	name := r.Header.Get("Authorization")
	switch name {
	case "bad":
		return nil, false, nil
	case "":
		name = user.Anonymous
	}
	return &authenticator.Response{User: &user.DefaultInfo{Name: name}}, true, nil
}

// rights lets reader see all there is, and nobody else anything. asked notes the questions.
func rights(asked *[]string) authorizer.Authorizer {
	return authorizer.AuthorizerFunc(func(_ context.Context, of authorizer.Attributes) (authorizer.Decision, string, error) {
		*asked = append(*asked, of.GetUser().GetName()+" "+of.GetVerb()+" "+of.GetPath())
		if of.GetUser().GetName() == "reader" && of.GetVerb() == "get" {
			return authorizer.DecisionAllow, "", nil
		}
		return authorizer.DecisionNoOpinion, "", nil
	})
}

// ask sends a request through a handler.
func ask(h http.Handler, who, method, path, body string) (code int, answer string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if who != "" {
		r.Header.Set("Authorization", who)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(text)
}

func TestWhoMayPass(t *testing.T) {
	var reached, asked []string
	pages := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached = append(reached, r.URL.Path)
		if r.Header.Get("Authorization") != "" {
			t.Error("a page sees the credentials of who asks")
		}
	})
	var a Access
	a.Authentication.Authenticator = authenticator.RequestFunc(tokens)
	a.Authorization.Authorizer = rights(&asked)
	h := a.guard(pages)
	f := func(who, method, path string, want int) {
		t.Helper()
		reached = nil
		got, body := ask(h, who, method, path, "")
		if got != want || (len(reached) > 0) != (want == http.StatusOK) {
			t.Errorf("%q %s %s: code %d, want %d, reached %v\n%s", who, method, path, got, want, reached, body)
		}
	}
	f("reader", "GET", "/metrics", http.StatusOK)
	f("reader", "GET", "/api/v1/pods", http.StatusOK) // a path as any other
	f("reader", "DELETE", "/metrics", http.StatusForbidden)
	f("guest", "GET", "/metrics", http.StatusForbidden)
	f("", "GET", "/metrics", http.StatusForbidden)
	f("bad", "GET", "/metrics", http.StatusUnauthorized)
	if _, body := ask(h, "joe", "GET", "/configz", ""); !strings.Contains(body, `forbidden: User \"joe\" cannot get path \"/configz\"`) {
		t.Errorf("body %s", body)
	}
	if got := asked[len(asked)-1]; got != "joe get /configz" {
		t.Errorf("authorization was asked %q", got)
	}
}

// The options that the command uses let anybody see the roots of health, and no other
// path, when nobody can be asked.
func TestOptionsAllowHealthOnly(t *testing.T) {
	var a Access
	a.Authentication.Authenticator = authenticator.RequestFunc(tokens)
	o := options.NewDelegatingAuthorizationOptions()
	o.RemoteKubeConfigFileOptional = true
	if err := o.ApplyTo(&a.Authorization); err != nil {
		t.Fatal(err)
	}
	h := a.guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for path, want := range map[string]int{
		"/healthz": http.StatusOK, "/livez": http.StatusOK, "/readyz": http.StatusOK,
		"/livez/ping": http.StatusForbidden, "/metrics": http.StatusForbidden, "/": http.StatusForbidden,
	} {
		if got, _ := ask(h, "", "GET", path, ""); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}
