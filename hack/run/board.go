package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// board is what the user sees: lines about what we do, and one line for each decision. It may be used from many
// goroutines.
type board struct {
	changed chan struct{} // holds a token when some pod was seen

	mu    sync.Mutex // guards what is below
	out   io.Writer
	zero  time.Time              // where the elapsed time counts from
	width int                    // of the longest sample name
	seen  map[types.UID]decision // as shown last
	named map[string]decision    // by nameOf, the latest
}

func newBoard(out io.Writer) *board {
	return &board{
		changed: make(chan struct{}, 1),
		out:     out,
		seen:    map[types.UID]decision{},
		named:   map[string]decision{},
	}
}

// say writes text as it is.
func (b *board) say(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = io.WriteString(b.out, text) // a broken pipe ends the run by its signal
}

// step writes what is done now.
func (b *board) step(verb, format string, args ...any) {
	b.say(fmt.Sprintf("%-9s %s\n", verb, fmt.Sprintf(format, args...)))
}

// begin is the moment that elapsed times count from.
func (b *board) begin(pods []sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.zero = time.Now()
	for _, s := range pods {
		b.width = max(b.width, len(nameOf(s.pod)))
	}
}

// see takes a look at a pod, and writes a line if something was decided since the last one.
func (b *board) see(now time.Time, pod *corev1.Pod) {
	d := decisionOf(pod)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[pod.UID] != d && d.outcome != pending {
		b.write(now, nameOf(pod), d.String())
	}
	b.seen[pod.UID], b.named[nameOf(pod)] = d, d
	select {
	case b.changed <- struct{}{}:
	default: // the token is there already
	}
}

// forget notes that a pod is gone.
func (b *board) forget(now time.Time, pod *corev1.Pod) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.seen, pod.UID)
	delete(b.named, nameOf(pod))
	b.write(now, nameOf(pod), "was deleted")
}

func (b *board) write(now time.Time, name, text string) {
	_, _ = io.WriteString(b.out, line(now.Sub(b.zero), b.width, name, text))
}

// line is one decision. Names are padded to a width; the text stays on the line whatever a message holds.
func line(elapsed time.Duration, width int, name, text string) string {
	return fmt.Sprintf("%9.3f s  %-*s  %s\n", elapsed.Seconds(), width, name, strings.Join(strings.Fields(text), " "))
}

// await waits until all pods are what they should be, or ctx ends. It returns what then is still missing.
func (b *board) await(ctx context.Context, pods []sample) []string {
	for {
		missing := b.missing(pods)
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-b.changed:
		case <-ctx.Done():
			return missing
		}
	}
}

// missing says which pods are not what they should be.
func (b *board) missing(pods []sample) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var missing []string
	for _, s := range pods {
		d := b.named[nameOf(s.pod)]
		if d.outcome != s.want {
			missing = append(missing, fmt.Sprintf("%s %s, should be %s", nameOf(s.pod), d, s.want))
		}
	}
	return missing
}
