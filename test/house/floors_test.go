package house

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const floorsFile = "hack/floors.txt"

// place is a line of the list of floors.
type place struct {
	line    int // in the file; a smaller one stands above
	floor   int
	pattern string
}

// floors is the list, from the ground up.
type floors []place

var heading = regexp.MustCompile(`^# floor (\d+)\b`)

func readFloors(text string) (floors, error) {
	var list floors
	floor := -1
	for i, line := range strings.Split(text, "\n") {
		switch line = strings.TrimSpace(line); {
		case heading.MatchString(line):
			floor, _ = strconv.Atoi(heading.FindStringSubmatch(line)[1])
		case line == "" || line[0] == '#':
		case floor < 0:
			return nil, fmt.Errorf("%s:%d: %s stands above the first floor", floorsFile, i+1, line)
		default:
			list = append(list, place{line: i + 1, floor: floor, pattern: line})
		}
	}
	return list, nil
}

// of returns the place of a package.
func (list floors) of(pkg string) (place, bool) {
	for _, p := range list {
		if ok, err := path.Match(p.pattern, pkg); ok && err == nil {
			return p, true
		}
	}
	return place{}, false
}

// objection says why importer may not import imported, or "".
func (list floors) objection(importer place, imported string) string {
	target, ok := list.of(imported)
	switch {
	case !ok:
		return unplaced(imported)
	case target.line < importer.line:
		return ""
	case target.line == importer.line && strings.HasPrefix(target.pattern, "pkg/plugins/"):
		return "plugins never import each other: move what both need to a package above " + target.pattern
	case target.line == importer.line:
		return "both are of the line " + target.pattern
	default:
		return fmt.Sprintf("%s:%d: %s would have to move above line %d: %s", floorsFile, target.line, target.pattern, importer.line, importer.pattern)
	}
}

func unplaced(pkg string) string {
	return fmt.Sprintf("%s: no line for %s: add it below all that it imports", floorsFile, pkg)
}

func mustFloors(t *testing.T) floors {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, floorsFile))
	if err != nil {
		t.Fatal(err)
	}
	list, err := readFloors(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestImportsGoUp(t *testing.T) {
	list := mustFloors(t)
	for _, p := range mustPackages(t, "cmd/", "pkg/") {
		if !p.hasCode {
			continue
		}
		importer, ok := list.of(p.path)
		if !ok {
			t.Error(unplaced(p.path))
			continue
		}
		for _, file := range p.files {
			for _, path := range file.imports() {
				imported, ours := strings.CutPrefix(path, module+"/")
				if !ours {
					continue
				}
				if why := list.objection(importer, imported); why != "" {
					t.Errorf("%s imports %s: %s", file.name, imported, why)
				}
			}
		}
	}
}

func TestFloorZeroImportsTheStandardLibraryOnly(t *testing.T) {
	list := mustFloors(t)
	for _, p := range mustPackages(t, "pkg/") {
		if at, ok := list.of(p.path); !ok || at.floor != 0 {
			continue
		}
		for _, file := range p.files {
			for _, path := range file.imports() {
				first, _, _ := strings.Cut(path, "/")
				if strings.Contains(first, ".") && !strings.HasPrefix(path, module+"/") {
					t.Errorf("%s imports %s: floor 0 gets by with the standard library", file.name, path)
				}
			}
		}
	}
}

func TestObjectionNamesTheLineToMove(t *testing.T) {
	list, err := readFloors("# floor 0: ground\npkg/a\n\n# floor 1: first\npkg/b\npkg/plugins/*\npkg/plugins\n")
	if err != nil {
		t.Fatal(err)
	}
	f := func(importer, imported, want string) {
		t.Helper()
		from, ok := list.of(importer)
		if !ok {
			t.Fatalf("no line for %s", importer)
		}
		if got := list.objection(from, imported); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s imports %s: %q, want %q", importer, imported, got, want)
		}
	}
	f("pkg/b", "pkg/a", "")
	f("pkg/plugins/x", "pkg/a", "")
	f("pkg/plugins", "pkg/plugins/x", "")
	f("pkg/a", "pkg/b", "floors.txt:5: pkg/b would have to move above line 2: pkg/a")
	f("pkg/plugins/x", "pkg/plugins/y", "never import each other")
	f("pkg/plugins/x", "pkg/plugins", "line 6")
	f("pkg/b", "pkg/plugins/x/deep", "no line for pkg/plugins/x/deep")
	f("pkg/b", "test/sim", "no line for test/sim")
}
