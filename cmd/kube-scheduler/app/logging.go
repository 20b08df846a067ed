package app

import (
	"sync"

	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/klog/v2"
)

// process is held by a command while it sets up what there is once per process: gates of
// libraries, and logs, which nobody may write to meanwhile.
var process sync.Mutex

// applyLogging sets the logs up. They are set up once per process: in one where somebody
// did so before, they stay as they are. The returned func takes back what runs on.
func applyLogging(o *options) (done func(), err error) {
	process.Lock()
	defer process.Unlock()
	gate := o.gates.Gate()
	if err := logsapi.Validate(o.logs, gate, nil).ToAggregate(); err != nil {
		return nil, err
	}
	if err := logsapi.ValidateAndApply(o.logs, gate); err != nil {
		klog.V(1).InfoS("The logs of this process are set up already, and stay as they are")
		return func() {}, nil
	}
	return func() {
		klog.StopFlushDaemon()
		klog.Flush()
	}, nil
}
