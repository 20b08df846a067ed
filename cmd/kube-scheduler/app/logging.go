package app

import (
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/klog/v2"
)

// applyLogging sets the logs up. They are set up once per process: in one where somebody
// did so before, they stay as they are. The returned func takes back what runs on.
func applyLogging(o *options) (done func(), err error) {
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
