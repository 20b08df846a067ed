package runtime

import (
	"fmt"
	"time"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// Reserve runs the Reserve plugins for the chosen row and hands each Hold to keep.
// On failure it returns the plugin and its status; what was kept so far is the
// caller's to undo.
func (ch *Chain) Reserve(p *podspec.Pod, row int32, keep func(plugin string, h framework.Hold)) (plugin string, failed *fwk.Status) {
	since := ch.begin()
	plugin, failed = ch.reserveAll(p, row, keep)
	ch.ran(config.Reserve, failed.Code(), since)
	return plugin, failed
}

func (ch *Chain) reserveAll(p *podspec.Pod, row int32, keep func(plugin string, h framework.Hold)) (plugin string, failed *fwk.Status) {
	ch.cycle.Pod = p
	since := ch.call()
	for _, r := range ch.reservers {
		hold, status := ch.reserve(r, row)
		since = ch.called(r.Name(), config.Reserve, status.Code(), since)
		if hold != nil {
			keep(r.Name(), hold)
		}
		if !status.IsSuccess() {
			return r.Name(), status
		}
	}
	return "", nil
}

func (ch *Chain) reserve(r framework.Reserver, row int32) (hold framework.Hold, status *fwk.Status) {
	defer ch.containStatus(r.Name(), &status)
	return r.Reserve(&ch.cycle, row)
}

// Wait is a Permit plugin's wish to wait.
type Wait struct {
	Plugin  string
	Timeout time.Duration
}

const longestWait = 15 * time.Minute

// Permit runs the Permit plugins. It returns those that want to wait, or the plugin
// that failed and its status.
func (ch *Chain) Permit(p *podspec.Pod, row int32) (waits []Wait, plugin string, failed *fwk.Status) {
	since := ch.begin()
	waits, plugin, failed = ch.permitAll(p, row)
	code := failed.Code()
	if len(waits) > 0 {
		code = fwk.Wait
	}
	ch.ran(config.Permit, code, since)
	return waits, plugin, failed
}

func (ch *Chain) permitAll(p *podspec.Pod, row int32) (waits []Wait, plugin string, failed *fwk.Status) {
	ch.cycle.Pod = p
	since := ch.call()
	for _, pl := range ch.permitters {
		status, timeout := ch.permit(pl, row)
		since = ch.called(pl.Name(), config.Permit, status.Code(), since)
		switch {
		case status.IsSuccess():
		case status.IsWait():
			waits = append(waits, Wait{Plugin: pl.Name(), Timeout: min(timeout, longestWait)})
		default:
			return nil, pl.Name(), status
		}
	}
	return waits, "", nil
}

func (ch *Chain) permit(p framework.Permitter, row int32) (status *fwk.Status, timeout time.Duration) {
	defer ch.containStatus(p.Name(), &status)
	return p.Permit(&ch.cycle, row)
}

func (ch *Chain) containStatus(plugin string, status **fwk.Status) {
	if v := recover(); v != nil {
		ch.cycle.Try.Rollback(0)
		*status = fwk.AsStatus(fmt.Errorf("panicked: %v", v)).WithPlugin(plugin)
	}
}
