package house

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// edge is the first floor that may have goroutines, clocks, logs and clients.
const edge = 5

// notBelow are import paths, and the trees below them, that have no place below
// the edge.
var notBelow = []string{"net/http", "os", "k8s.io/client-go", "crypto/rand", "log", "log/slog"}

// usesNotBelow are names of packages that the core may import otherwise.
var usesNotBelow = map[string]func(name string) bool{
	"time":    oneOf("Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"),
	"context": oneOf("WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause", "AfterFunc"),
	// Everything but a generator of one's own draws from the global one.
	"math/rand":    noneOf("New", "NewSource", "NewZipf", "Rand", "Source", "Source64", "Zipf"),
	"math/rand/v2": noneOf("New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"),
	// A library that asks for a logger gets one that discards.
	"k8s.io/klog/v2": noneOf("Logger", "NewContext"),
}

func oneOf(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

func noneOf(names ...string) func(string) bool {
	return func(name string) bool { return !slices.Contains(names, name) }
}

// impurities lists what a file of the core has no business doing.
func impurities(s source) []string {
	var found []string
	report := func(n ast.Node, what string) {
		found = append(found, fmt.Sprintf("%s:%d: %s", s.name, s.line(n), what))
	}
	watched := map[string]string{} // local name to import path
	for _, spec := range s.Imports {
		p := importPath(spec)
		if slices.ContainsFunc(notBelow, func(tree string) bool { return p == tree || strings.HasPrefix(p, tree+"/") }) {
			report(spec, "imports "+p)
		}
		if usesNotBelow[p] == nil {
			continue
		}
		name := localName(spec)
		if name == "." {
			report(spec, "imports all names of "+p)
		}
		watched[name] = p
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n, "starts a goroutine")
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			if p := watched[x.Name]; p != "" && usesNotBelow[p](n.Sel.Name) {
				report(n, "uses "+p+"."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

var majorVersion = regexp.MustCompile(`^v\d+$`)

// localName returns what a file calls the package that it imports.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := importPath(spec)
	if majorVersion.MatchString(path.Base(p)) {
		p = path.Dir(p)
	}
	return path.Base(p)
}

func TestPureBelowFloor5(t *testing.T) {
	list := mustFloors(t)
	for _, p := range mustPackages(t, "pkg/") {
		if at, ok := list.of(p.path); !ok || at.floor >= edge {
			continue
		}
		for _, file := range p.files {
			for _, what := range impurities(file) {
				t.Errorf("%s, below floor %d", what, edge)
			}
		}
	}
}

func TestImpuritiesAreFound(t *testing.T) {
	f := func(imports, body, want string) {
		t.Helper()
		s, err := parse("x.go", "package x\n"+imports+"\nfunc f() { "+body+" }\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(impurities(s), "; "); got != want {
			t.Errorf("%s %s: %q, want %q", imports, body, got, want)
		}
	}
	f(``, `go f()`, "x.go:3: starts a goroutine")
	f(`import "time"`, `_ = time.Now`, "x.go:3: uses time.Now")
	f(`import "time"`, `_ = time.Second`, "")
	f(`import c "time"`, `<-c.After(1)`, "x.go:3: uses time.After")
	f(`import . "time"`, `Sleep(1)`, "x.go:2: imports all names of time")
	f(`import "math/rand"`, `rand.Intn(2)`, "x.go:3: uses math/rand.Intn")
	f(`import "math/rand/v2"`, `rand.N(2)`, "x.go:3: uses math/rand/v2.N")
	f(`import "math/rand/v2"`, `r := rand.New(rand.NewPCG(1, 2)); r.IntN(2)`, "")
	f(`import "context"`, `context.WithTimeout(nil, 1)`, "x.go:3: uses context.WithTimeout")
	f(`import "context"`, `context.WithCancel(nil)`, "")
	f(`import "k8s.io/klog/v2"`, `klog.Background().Info("hello")`, "x.go:3: uses k8s.io/klog/v2.Background")
	f(`import "k8s.io/klog/v2"`, `var _ klog.Logger`, "")
	f(`import "k8s.io/client-go/kubernetes"`, ``, "x.go:2: imports k8s.io/client-go/kubernetes")
	f(`import "net/http"`, ``, "x.go:2: imports net/http")
	f(`import _ "os"`, ``, "x.go:2: imports os")
}
