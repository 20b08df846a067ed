package deploy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/features"
)

// root is the top of the repository, seen from the folder that tests run in.
var root = filepath.Join("..", "..")

func mustRead(t *testing.T, elements ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{root}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// mustLoad reads a configuration as the scheduler does.
func mustLoad(t *testing.T, text []byte) config.Config {
	t.Helper()
	c, err := config.Load(text, features.New())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSampleConfigurationsLoad(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "config", "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("got samples %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c := mustLoad(t, mustRead(t, "config", filepath.Base(file)))
			if c.ClientConnection.Kubeconfig == "" {
				t.Error("it names no kubeconfig, so it works inside of a cluster only")
			}
		})
	}
}
