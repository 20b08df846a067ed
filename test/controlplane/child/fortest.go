package child

import (
	"path/filepath"
	"testing"
)

// StartFor runs a program until a test ends. Its log is a file of the given name among the test's artifacts; a test
// that fails shows the last lines.
func StartFor(t testing.TB, log, path string, args ...string) *Process {
	t.Helper()
	p := &Process{Log: filepath.Join(t.ArtifactDir(), log)}
	if err := p.Start(path, args...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop(Grace)
		if t.Failed() {
			t.Logf("%s %v\n%s ends with:\n%s", p.Name(), args, log, p.Tail(lastWords))
		}
	})
	return p
}
