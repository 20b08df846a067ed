package engine

import (
	"fmt"
	"math/rand/v2"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-scheduler/berth/pkg/clock"
	"github.com/berth-scheduler/berth/pkg/cluster"
	"github.com/berth-scheduler/berth/pkg/framework"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/pkg/queue"
)

// Profile is a scheduler name and the plugins that run for it.
type Profile struct {
	runtime.Profile
	Sample runtime.Sample // of the feasible nodes; runtime.AllNodes to choose among all
	Probe  runtime.Probe  // nil: nothing is measured
}

// Asker is somebody outside who narrows the rows as well, and takes his time: an
// extender. One question is out to each at a time; pods that need him wait in line.
type Asker interface {
	Name() string
	// Interested reports whether the asker must be asked about a pod.
	Interested(p *podspec.Pod) bool
}

// Config is what an Engine is told once.
type Config struct {
	Profiles []Profile // at least one; all with the same QueueSort
	Compiler *podspec.Compiler
	Seed     uint64 // of all chance
	Askers   []Asker
	Probe    queue.Probe // of hints; nil: they are not measured

	InitialBackoff       time.Duration
	MaxBackoff           time.Duration
	PopFromBackoff       bool // the gate SchedulerPopFromBackoffQ
	UnschedulableTimeout time.Duration
}

// Engine decides. Make one with New. It is for one goroutine.
type Engine struct {
	compiler  *podspec.Compiler
	cluster   *cluster.Cluster
	queue     *queue.Queue
	nominator queue.Nominator
	chains    map[string]*runtime.Chain
	askers    []line
	pods      map[types.UID]*pod // ours, from when they are seen until they are seen on a node
	awaiting  []*pod             // waiting for a Hold to be ready
	timers    timers
	chance    *rand.PCG
	window    runtime.Window
	attempts  uint64
	binds     int // that are out
	out       Output
}

// New returns an engine that has seen nothing yet.
func New(cfg Config) (*Engine, error) {
	e := &Engine{
		compiler: cfg.Compiler,
		cluster:  cluster.New(cfg.Compiler.Resources),
		chains:   map[string]*runtime.Chain{},
		pods:     map[types.UID]*pod{},
		chance:   rand.NewPCG(cfg.Seed, cfg.Seed>>32|1),
	}
	for _, p := range cfg.Profiles {
		if e.chains[p.Name] != nil {
			return nil, fmt.Errorf("duplicate profile with scheduler name %q", p.Name)
		}
		chain, err := runtime.New(p.Profile, e.cluster, &e.nominator)
		if err != nil {
			return nil, fmt.Errorf("creating profile for scheduler name %s: %w", p.Name, err)
		}
		chain.SampleFrom(&e.window, p.Sample)
		chain.Measure(p.Probe)
		e.chains[p.Name] = chain
	}
	if len(cfg.Profiles) == 0 {
		return nil, fmt.Errorf("at least one profile is needed")
	}
	for _, a := range cfg.Askers {
		e.askers = append(e.askers, line{asker: a})
	}
	e.queue = queue.New(queue.Config{
		Less:           e.chains[cfg.Profiles[0].Name].Less,
		Gate:           e.gate,
		Hinters:        e.hinters(cfg.Profiles),
		View:           &e.cluster.View,
		Probe:          cfg.Probe,
		InitialBackoff: cfg.InitialBackoff,
		MaxBackoff:     cfg.MaxBackoff,
		PopFromBackoff: cfg.PopFromBackoff,
		Timeout:        cfg.UnschedulableTimeout,
	})
	return e, nil
}

// Table returns who runs at each extension point of a profile.
func (e *Engine) Table(profile string) runtime.Table { return e.chains[profile].Table() }

func (e *Engine) gate(p *podspec.Pod, last string) string {
	plugin, _ := e.chains[p.Scheduler].Gate(p, last)
	return plugin
}

// hinters returns, by profile, the plugins that may reject pods and what may help then.
func (e *Engine) hinters(profiles []Profile) map[string][]queue.Hinter {
	all := map[string][]queue.Hinter{}
	for _, p := range profiles {
		var list []queue.Hinter
		for _, plugin := range e.chains[p.Name].Rejectors() {
			h := queue.Hinter{Plugin: plugin.Name(), Hints: queue.Everything()}
			if hinter, ok := plugin.(framework.Hinter); ok {
				h.Hints = hinter.Hints()
			}
			h.Keeper, _ = plugin.(framework.Keeper)
			list = append(list, h)
		}
		if len(e.askers) > 0 {
			list = append(list, queue.Hinter{Plugin: asRejector, Hints: queue.Everything()})
		}
		all[p.Name] = list
	}
	return all
}

// Step applies one input.
func (e *Engine) Step(now clock.Now, in Input) Output {
	e.out.Decisions = e.out.Decisions[:0]
	e.out.Effects = e.out.Effects[:0]
	e.out.Settled = e.out.Settled[:0]
	e.out.Events = e.out.Events[:0]
	switch in := in.(type) {
	case NodeSeen:
		e.nodeSeen(now, in.Node)
	case NodeGone:
		e.nodeGone(now, in.Name)
	case PodSeen:
		e.podSeen(now, in.Pod)
	case PodGone:
		e.podGone(now, in.Pod)
	case NamespaceSeen:
		e.namespaceSeen(now, in.Namespace)
	case NamespaceGone:
		e.namespaceGone(now, in.Name)
	case ServiceSeen, ServiceGone, ControllerSeen, ControllerGone:
		e.backerChanged(now, in)
	case BindDone:
		e.bindDone(now, in)
	case StatusDone:
		e.statusDone(in)
	case Answered:
		e.answered(now, in)
	case Allow:
		e.allow(now, in)
	case Deny:
		e.deny(now, in)
	case Tick:
		e.tick(now)
	case Decide:
		e.decide(now)
	default:
		panic(fmt.Sprintf("BUG: engine: unknown input %T", in))
	}
	return e.out
}

// Ready reports whether Decide would make a decision.
func (e *Engine) Ready() bool { return e.queue.Ready() }

// Next returns the monotonic time at which a Tick is due, false when none is.
func (e *Engine) Next() (at time.Duration, due bool) {
	at, due = e.queue.Next()
	if t, ok := e.timers.next(); ok && (!due || t < at) {
		at, due = t, true
	}
	return at, due
}

// View returns the cluster as it is. It must not be kept over a Step.
func (e *Engine) View() *cluster.View { return &e.cluster.View }

// Queue returns the queue, for metrics and dumps. It must not be changed.
func (e *Engine) Queue() *queue.Queue { return e.queue }

func (e *Engine) emit(effect Effect) { e.out.Effects = append(e.out.Effects, effect) }

// tick does what the passing of time alone brings.
func (e *Engine) tick(now clock.Now) {
	e.queue.Flush(now)
	for t, ok := e.timers.pop(now.Mono); ok; t, ok = e.timers.pop(now.Mono) {
		p := e.pods[t.uid]
		if p == nil || p.attempt != t.attempt {
			continue // the attempt that set it has ended
		}
		switch p.state {
		case unknown:
			if t.at == p.again { // others are of waits that have ended
				e.sendBind(p)
			}
		case waiting:
			e.waitedTooLong(now, p)
		}
	}
}

// Binding returns how many pods are being bound: a Bind is out whose end is not known.
func (e *Engine) Binding() int { return e.binds }
