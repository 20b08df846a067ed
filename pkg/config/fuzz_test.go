package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/pkg/features"
	"github.com/berth-scheduler/berth/test/process/corpus"
)

// Whatever stands in a file, it is refused or comes out complete.
func FuzzFile(f *testing.F) {
	for _, dir := range []string{"testdata/good", "testdata/bad"} {
		files, err := corpus.Read(dir)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			f.Add(file.Text)
		}
	}
	g := features.New()
	f.Fuzz(func(t *testing.T, text string) {
		once, err := completed(text, g)
		if err != nil {
			return
		}
		if twice, err := completed(once, g); err != nil || twice != once {
			t.Errorf("completed again: %v\n%s", err, cmp.Diff(twice, once))
		}
	})
}
