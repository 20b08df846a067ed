package procfs

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// Machine is what all CPUs together have done since the start of the machine.
type Machine struct {
	Total time.Duration // of all CPUs, also idle
	Busy  time.Duration // in processes: user, nice and system; not in interrupts
	Steal time.Duration // taken by the hypervisor for others
}

// ReadMachine returns the state of now.
func ReadMachine() (Machine, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Machine{}, err
	}
	return parseMachine(string(text))
}

// Since returns what has been done since an earlier state.
func (m Machine) Since(earlier Machine) Machine {
	return Machine{Total: m.Total - earlier.Total, Busy: m.Busy - earlier.Busy, Steal: m.Steal - earlier.Steal}
}

// parseMachine reads the first line: cpu user nice system idle iowait irq softirq steal guest guest_nice. Guests are
// part of user and nice.
func parseMachine(text string) (Machine, error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	const label, all = 1, 8
	if len(fields) < label+all || fields[0] != "cpu" {
		return Machine{}, fmt.Errorf("cannot parse /proc/stat: %q", line)
	}
	n, err := parseInts(fields[label : label+all]...)
	if err != nil {
		return Machine{}, fmt.Errorf("cannot parse /proc/stat: %w", err)
	}
	var total int64
	for _, ticks := range n {
		total += ticks
	}
	return Machine{
		Total: time.Duration(total) * tick,
		Busy:  time.Duration(n[0]+n[1]+n[2]) * tick,
		Steal: time.Duration(n[7]) * tick,
	}, nil
}
