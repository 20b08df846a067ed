package house

import (
	"go/ast"
	"strings"
	"testing"
)

// A rule of one row is judged by a plain definition per node, on API types; any
// other plugin says in a comment who judges it: a recount, the oracle.

func TestEveryPluginHasAJudge(t *testing.T) {
	for _, p := range mustPackages(t, "pkg/plugins/") {
		if !hasJudge(p) {
			t.Errorf("%s has no judge: its test wants a func plain... that defines the rule per node, or a comment line \"Judge: ...\"", p.path)
		}
	}
}

// hasJudge tells whether the tests of a plugin have a plain definition or name
// their judge.
func hasJudge(p pkg) bool {
	for _, test := range p.tests {
		for _, decl := range test.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "plain") {
				return true
			}
		}
		for _, group := range test.Comments {
			for line := range strings.Lines(group.Text()) {
				if strings.HasPrefix(line, "Judge: ") {
					return true
				}
			}
		}
	}
	return false
}

func TestJudgeIsFound(t *testing.T) {
	f := func(text string, want bool) {
		t.Helper()
		s, err := parse("x_test.go", "package x\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasJudge(pkg{tests: []source{s}}); got != want {
			t.Errorf("%s: has a judge: %v, want %v", text, got, want)
		}
	}
	f("", false)
	f("func TestPlain() {}", false)
	f("func plainFits() bool { return true }", true)
	f("// Judge: the oracle, since the rule counts all pods.\nfunc TestX() {}", true)
	f("// Who is the Judge: nobody.\nfunc TestX() {}", false)
}
