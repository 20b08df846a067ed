package queue

import (
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/framework"
)

// Hinter is a plugin of a profile that may reject pods, and what it registered for.
type Hinter struct {
	Plugin string
	Hints  []framework.Hint

	// Keeper, when not nil, says which part of a pod the hints read, so that pods with
	// equal parts are asked about once.
	Keeper framework.Keeper
}

// Everything is the registration of a plugin that names no events: any may help.
func Everything() []framework.Hint {
	var hints []framework.Hint
	for _, r := range []fwk.EventResource{
		fwk.AssignedPod, fwk.UnscheduledPod, fwk.TargetPod, fwk.Node, fwk.PersistentVolume, fwk.PersistentVolumeClaim,
		fwk.CSINode, fwk.CSIDriver, fwk.CSIStorageCapacity, fwk.StorageClass, fwk.ResourceClaim, fwk.DeviceClass,
	} {
		hints = append(hints, framework.Hint{On: fwk.ClusterEvent{Resource: r, ActionType: fwk.All}})
	}
	return hints
}

// profile is a profile's hinters, numbered so that sets of them are bits. Beyond 64
// of them numbers are shared, which can wake a pod for nothing but never miss it.
type profile struct {
	hinters []Hinter
	number  map[string]int
}

// registration is one hint of one plugin.
type registration struct {
	plugin string
	bit    uint64 // the plugin's
	hint   framework.Hint
}

// interest is who registered for one kind of event: by profile, and all bits together.
type interest struct {
	regs map[string][]registration
	mask map[string]uint64
}

type eventKey struct {
	resource fwk.EventResource
	action   fwk.ActionType
}

func newProfile(hinters []Hinter) *profile {
	p := &profile{hinters: hinters, number: map[string]int{}}
	for i, h := range hinters {
		p.number[h.Plugin] = i
	}
	return p
}

// maskOf returns the bits of some plugins. One that is not known, such as a foreign
// name that rejected a waiting pod, has none.
func (p *profile) maskOf(plugins []string) (mask uint64) {
	for _, name := range plugins {
		if n, known := p.number[name]; known {
			mask |= 1 << (n & 63)
		}
	}
	return mask
}

// interestIn returns who cares for an event, nil when nobody does.
func (q *Queue) interestIn(ev fwk.ClusterEvent) *interest {
	key := eventKey{ev.Resource, ev.ActionType}
	if in, known := q.interests[key]; known {
		return in
	}
	var in *interest
	for name, p := range q.profiles {
		for n, h := range p.hinters {
			for _, hint := range h.Hints {
				if !matches(hint.On, ev) {
					continue
				}
				if in == nil {
					in = &interest{regs: map[string][]registration{}, mask: map[string]uint64{}}
				}
				bit := uint64(1) << (n & 63)
				in.regs[name] = append(in.regs[name], registration{plugin: h.Plugin, bit: bit, hint: hint})
				in.mask[name] |= bit
			}
		}
	}
	q.interests[key] = in
	return in
}

// matches reports whether a registration covers an event. The general update of an
// object reaches only those who registered for all of its updates.
func matches(on, ev fwk.ClusterEvent) bool {
	resource := on.Resource == ev.Resource || on.Resource == fwk.WildCard ||
		on.Resource == fwk.Pod && (ev.Resource == fwk.AssignedPod || ev.Resource == fwk.UnscheduledPod || ev.Resource == fwk.TargetPod)
	return resource && on.ActionType&ev.ActionType != 0 && ev.ActionType <= on.ActionType
}

// verdict is what an event means for a pod.
type verdict uint8

const (
	stay verdict = iota
	afterBackoff
	atOnce
)

// hintOf asks one plugin. One that panics could not tell, and a pod that makes it panic must
// not end the process.
func (q *Queue) hintOf(r *registration, it *Item, ev *Event) (hint fwk.QueueingHint, err error) {
	if r.hint.Ask == nil {
		return fwk.Queue, nil
	}
	defer func() {
		if v := recover(); v != nil {
			hint, err = fwk.Queue, framework.Panicked(r.plugin, v)
		}
	}()
	return r.hint.Ask(q.cfg.View, it.Pod, ev.Before, ev.After)
}

// ask returns what an event means for a pod, whose pending rejectors have these bits.
func (q *Queue) ask(regs []registration, it *Item, pending uint64, ev *Event) verdict {
	best, since := stay, q.question()
	for i := range regs {
		r := &regs[i]
		if r.bit&it.mask == 0 || best == afterBackoff && r.bit&pending == 0 {
			continue
		}
		hint, err := q.hintOf(r, it, ev)
		since = q.answered(r.plugin, it, ev, hint, err, since)
		// An error says that the plugin could not tell: then it may help.
		if err == nil && hint == fwk.QueueSkip {
			continue
		}
		if r.bit&pending != 0 {
			return atOnce
		}
		if best = afterBackoff; pending == 0 {
			return best
		}
	}
	return best
}
