package controlplane

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

// extra users of the shared control plane
const (
	rival  = "rival"  // like the scheduler
	nobody = "nobody" // without rights
)

// common is the control plane of all tests that do not end theirs. Each test names its objects by unused.
var common struct {
	start sync.Once
	plane *ControlPlane
	err   error
}

func shared(t *testing.T) *ControlPlane {
	t.Helper()
	common.start.Do(func() {
		common.plane, common.err = New(context.Background(), Options{
			Audit: true,
			Users: []User{{Name: rival, LikeScheduler: true}, {Name: nobody}},
		})
	})
	if common.err != nil {
		t.Fatal(common.err)
	}
	return common.plane
}

var names atomic.Int64

// unused returns a name that starts with a word and was not used before, also not by this test under -count.
func unused(word string) string {
	return fmt.Sprintf("%s-%d", word, names.Add(1))
}

// TestMain checks at the end that the tests, and the package, left no goroutine.
func TestMain(m *testing.M) {
	code := m.Run()
	var err error
	if common.plane != nil {
		err = common.plane.Stop()
	}
	if err == nil {
		err = goleak.Find()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
