package scenarios

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/cluster"
)

// hold is a reservation that is ready once a pod called key is on a node, fails once
// one called "broken" is, and gives up after a minute.
type hold struct {
	s        *engineStage
	pod, key string
}

func (h *hold) Undo() { h.s.log = append(h.s.log, "   undo "+h.key+" of "+h.pod) }

func (h *hold) Ready(v *cluster.View) (bool, *fwk.Status) {
	if _, broken := v.Lookup("broken"); broken {
		return false, fwk.NewStatus(fwk.Error, "it broke")
	}
	_, ready := v.Lookup(types.UID(h.key))
	return ready, nil
}

// Timeout is a minute, but for what is for ever.
func (h *hold) Timeout() time.Duration {
	if h.key == "forever" {
		return 0
	}
	return time.Minute
}
