package scenarios

import "testing"

func TestEngine(t *testing.T) { playAll(t, "testdata/engine/*.txt", newEngineStage) }
