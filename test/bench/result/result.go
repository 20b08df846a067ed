package result

import "time"

// Result is what came of a run.
type Result struct {
	Cell
	Time time.Time `json:"time"` // of its end

	// Failed says why there are no numbers: the run did not end, or its end state is wrong.
	Failed string `json:"failed,omitempty"`
	// Void says which noise makes the numbers worthless.
	Void string `json:"void,omitempty"`

	// Times are seconds from the start of the process, or in live mode from the first create.
	CPU       float64 `json:"cpu"`       // of the scheduler, until quiescence
	ServerCPU float64 `json:"serverCPU"` // of kube-apiserver and etcd, until quiescence
	Window    float64 `json:"window"`    // until quiescence
	FirstBind float64 `json:"firstBind"`
	LastBind  float64 `json:"lastBind"`
	Done      float64 `json:"done"`    // until all pods were bound and had their event
	PeakRSS   int64   `json:"peakRSS"` // bytes

	Latency *Latency `json:"latency,omitempty"` // in live mode
	Noise   Noise    `json:"noise"`
}

// Latency is from the time a pod should have been created to the watch event that tells its node, in seconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Noise is what the machine did besides, in percent of what is named.
type Noise struct {
	Steal   float64 `json:"steal"`   // of the time of all CPUs, taken by the hypervisor
	Foreign float64 `json:"foreign"` // of the time of all CPUs, used by processes that are not part of the run
	Drift   float64 `json:"drift"`   // of a fixed piece of work, from before the run to after it

	// Cuts is how many watches the API server ended for being slow, a sign of a machine that is too busy.
	Cuts int `json:"cuts"`
}

// Good tells whether the numbers may be used.
func (r Result) Good() bool { return r.Failed == "" && r.Void == "" }

// BoundPerSecond is the throughput between the first bind and the last; 0 when there is no such time.
func (r Result) BoundPerSecond() float64 { return r.perSecond(r.LastBind) }

// DonePerSecond is the throughput between the first bind and the last event. It does not flatter whoever puts the
// events off until the binds are through.
func (r Result) DonePerSecond() float64 { return r.perSecond(r.Done) }

func (r Result) perSecond(end float64) float64 {
	if end <= r.FirstBind {
		return 0
	}
	return float64(r.Pods) / (end - r.FirstBind)
}
