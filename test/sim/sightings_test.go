package sim

import "testing"

// sightings returns how a test notes what it draws. When it ends, each thing that it asked
// about must have come up, unless it ran with one seed alone.
func sightings(t *testing.T) (note func(what string, is bool)) {
	seen := map[string]bool{}
	t.Cleanup(func() {
		for what, is := range seen {
			if !is && *only == 0 {
				t.Errorf("%s: never drawn", what)
			}
		}
	})
	return func(what string, is bool) { seen[what] = seen[what] || is }
}
