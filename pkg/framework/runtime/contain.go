package runtime

import "github.com/berth-scheduler/berth/pkg/framework"

// contain turns a panic of the running plugin into an error and takes back what the
// attempt tried. It is deferred by each public step of an attempt.
func (ch *Chain) contain(err *error) {
	v := recover()
	if v == nil {
		return
	}
	ch.cycle.Try.Rollback(0)
	*err = framework.Panicked(ch.running, v)
}
