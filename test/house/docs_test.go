package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// topLevel are the names at the top of the repository, besides dotfiles.
var topLevel = []string{
	"cmd", "pkg", "config", "manifests", "hack", "test",
	"go.mod", "go.sum", "Makefile", "README.md", "LICENSE",
}

func TestTopLevel(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range tracked(t) {
		name, _, _ := strings.Cut(file, "/")
		if !seen[name] && name[0] != '.' && !slices.Contains(topLevel, name) {
			t.Errorf("%s is new at the top of the repository: find it a room in one of %v", name, topLevel)
		}
		seen[name] = true
	}
}

// A package says what it is for in doc.go; a small one may do so at the top of
// the file that has its name.
func TestEachPackageHasDoc(t *testing.T) {
	for _, p := range mustPackages(t, "pkg/", "test/") {
		name := path.Base(p.path)
		says := func(s source) bool {
			base := path.Base(s.name)
			return (base == "doc.go" || base == name+".go") && strings.HasPrefix(s.Doc.Text(), "Package "+s.Name.Name+" ")
		}
		if !slices.ContainsFunc(p.files, says) {
			t.Errorf("%s has no comment \"Package %s ...\" in doc.go or %s.go: say what it decides, what it is given, what it promises", p.path, name, name)
		}
	}
}

var (
	quoted    = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	linked    = regexp.MustCompile(`\]\(([^)#\s]+)`)
	separator = regexp.MustCompile("[`\\s,;|()\"'=]+")
	lineAt    = regexp.MustCompile(`:\d+$`)
)

// pathsIn returns the paths of the repository that a page names: words in
// backticks or in a block of code that begin like one, and targets of links. dir
// is the page's folder, which links start from.
func pathsIn(page, dir string) []string {
	var paths []string
	for _, code := range quoted.FindAllString(page, -1) {
		for _, word := range separator.Split(code, -1) {
			if word = strings.TrimPrefix(word, "./"); isPath(word) {
				paths = append(paths, lineAt.ReplaceAllString(strings.TrimRight(word, ".:/"), ""))
			}
		}
	}
	for _, link := range linked.FindAllStringSubmatch(page, -1) {
		if target := link[1]; !strings.Contains(target, ":") { // no scheme, so no address elsewhere
			paths = append(paths, path.Join(dir, target))
		}
	}
	return paths
}

// isPath tells whether a word begins like a path from the top, and is none with
// placeholders in it. A folder of the top level needs a slash: many are words.
func isPath(word string) bool {
	first, _, deep := strings.Cut(word, "/")
	known := first == ".ci" || slices.Contains(topLevel, first)
	isFile := path.Ext(first) != "" || strings.ToLower(first) != first // Makefile, go.mod
	return known && (deep || isFile) && !strings.ContainsAny(word, "<>{}$")
}

func TestDocsNameOnlyFilesThatExist(t *testing.T) {
	for _, file := range tracked(t) {
		if path.Ext(file) != ".md" {
			continue
		}
		page, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range pathsIn(string(page), path.Dir(file)) {
			if found, err := filepath.Glob(filepath.Join(root, name)); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", file, name)
			}
		}
	}
}

func TestPathsInAPage(t *testing.T) {
	f := func(page string, want ...string) {
		t.Helper()
		if got := pathsIn(page, "pkg"); !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", page, got, want)
		}
	}
	f("See `pkg/bitset/set.go:12` and `Makefile`.", "pkg/bitset/set.go", "Makefile")
	f("pkg/bitset without backticks")
	f("`pkg/...` and `./cmd/kube-scheduler/`", "pkg", "cmd/kube-scheduler")
	f("`pkg/plugins/<name>` stands for each of `pkg/plugins/*`", "pkg/plugins/*")
	f("```\nkubectl apply -f manifests/a.yaml\nkube-scheduler --config=config/b.yaml\n```", "manifests/a.yaml", "config/b.yaml")
	f("`config`, `test`, `make test` and `k8s.io/api/core/v1` are words")
	f("[the map](README.md#floors), [there](https://example.com/a)", "pkg/README.md")
}
