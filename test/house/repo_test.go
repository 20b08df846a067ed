package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/berth-scheduler/berth"

// root is the top of the repository, seen from the folder that tests run in.
var root = filepath.Join("..", "..")

// pkg is a package of the product's module.
type pkg struct {
	path    string   // from the top: pkg/bitset
	files   []source // for all platforms and build tags, without tests
	tests   []source
	hasCode bool // there are files other than tests and doc.go
}

// source is a parsed file.
type source struct {
	name string // from the top: pkg/bitset/set.go
	*ast.File
	fset *token.FileSet
}

// line tells where n begins.
func (s source) line(n ast.Node) int { return s.fset.Position(n.Pos()).Line }

// imports returns the import paths in a file.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.Imports {
		paths = append(paths, importPath(spec))
	}
	return paths
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic(err) // the parser took it for a string
	}
	return path
}

// listed is what go list tells about a package.
type listed struct {
	ImportPath                        string
	GoFiles, CgoFiles, IgnoredGoFiles []string
	TestGoFiles, XTestGoFiles         []string
}

// packages returns the packages of the module, each parsed once for all tests.
var packages = sync.OnceValues(func() ([]pkg, error) {
	// -e: a package that does not compile is still read.
	out, err := run(nil, "go", "list", "-e", "-json=ImportPath,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		p, err := load(l)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

// load parses the files of a package.
func load(l listed) (pkg, error) {
	p := pkg{path: strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, module), "/")}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.TestGoFiles, l.XTestGoFiles) {
		s, err := parse(filepath.Join(p.path, name), nil)
		if err != nil {
			return pkg{}, err
		}
		if strings.HasSuffix(name, "_test.go") { // ignored files may be tests too
			p.tests = append(p.tests, s)
		} else {
			p.files = append(p.files, s)
			p.hasCode = p.hasCode || name != "doc.go"
		}
	}
	return p, nil
}

// parse reads the file name, from disk unless its text is given.
func parse(name string, text any) (source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(root, name), text, parser.ParseComments|parser.SkipObjectResolution)
	return source{name: filepath.ToSlash(name), File: file, fset: fset}, err
}

// mustPackages returns the packages whose path begins with one of the prefixes.
func mustPackages(t *testing.T, prefixes ...string) []pkg {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Clone(all), func(p pkg) bool {
		return !slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(p.path, prefix) })
	})
}

// run runs a command at the top of the repository, with env added to the
// environment, and returns what it printed.
func run(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(cmd.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = errors.New(strings.Join(append([]string{name}, args...), " ") + ": " + err.Error() + "\n" + stderr.String())
	}
	return string(out), err
}

// tracked returns the files that are, or will be, in the repository.
func tracked(t *testing.T) []string {
	t.Helper()
	// The checkout may belong to another user than the one who tests.
	out, err := run(nil, "git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	if err != nil {
		t.Fatal(err)
	}
	files := strings.FieldsFunc(out, func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(files, func(file string) bool {
		_, err := os.Lstat(filepath.Join(root, file))
		return err != nil // deleted, and the deletion not recorded yet
	})
}
