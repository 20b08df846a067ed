package house

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// upstream is the module that the product must get by without.
const upstream = "k8s.io/kubernetes"

// product returns all packages that the product is made of, as arguments for go.
func product(t *testing.T) []string {
	var args []string
	for _, p := range mustPackages(t, "cmd/", "pkg/") {
		args = append(args, "./"+p.path)
	}
	return args
}

func TestNoUpstreamInGraph(t *testing.T) {
	out, err := run(nil, "go", append([]string{"list", "-deps"}, product(t)...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(out) {
		if path == upstream || strings.HasPrefix(path, upstream+"/") {
			t.Errorf("the product depends on %s", path)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), upstream+" ") {
		t.Errorf("go.mod names %s: what needs it has a module of its own", upstream)
	}
}

func TestBuildsForLinuxAmd64AndArm64(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the product twice")
	}
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			env := []string{"GOOS=linux", "GOARCH=" + arch, "CGO_ENABLED=0"}
			// More than one package: go build then keeps no output.
			if _, err := run(env, "go", append([]string{"build"}, product(t)...)...); err != nil {
				t.Error(err)
			}
		})
	}
}
