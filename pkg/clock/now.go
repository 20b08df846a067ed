package clock

import "time"

// Now is one moment, told by both clocks. The zero value is the start of a run
// at no date; it is a fine moment for tests to begin at.
type Now struct {
	Mono time.Duration // since the process (or the tape) began; never goes back
	Wall time.Time     // for fields of API objects only; may jump
}

// Add returns the moment d later, on both clocks.
func (n Now) Add(d time.Duration) Now {
	return Now{Mono: n.Mono + d, Wall: n.Wall.Add(d)}
}
