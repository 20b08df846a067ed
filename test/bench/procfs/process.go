package procfs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU times in /proc on all platforms that Go runs on: 1/100 s.
const tick = 10 * time.Millisecond

// CPU returns the time that a process has spent on CPUs, in user and in system mode.
func CPU(pid int) (time.Duration, error) {
	stat, err := readStat(pid)
	return stat.cpu, err
}

// PeakRSS returns the most memory, in bytes, that a process has had resident.
func PeakRSS(pid int) (int64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, err
	}
	return parsePeakRSS(string(text))
}

// Children returns the children of this process whose command line contains a text.
func Children(text string) ([]int, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		stat, err := readStat(pid)
		if err != nil || stat.parent != os.Getpid() {
			continue // gone meanwhile, or not ours
		}
		if line, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil && bytes.Contains(line, []byte(text)) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// processStat is what we need of /proc/PID/stat.
type processStat struct {
	parent int
	cpu    time.Duration
}

func readStat(pid int) (processStat, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return processStat{}, err
	}
	return parseProcessStat(string(text))
}

// parseProcessStat reads one line: pid (name) state parent ... utime stime ... The name may hold anything, also
// spaces and brackets, so fields count from the last bracket.
func parseProcessStat(text string) (processStat, error) {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const parent, utime, stime = 1, 11, 12
	if len(fields) <= stime {
		return processStat{}, fmt.Errorf("cannot parse the stat of a process: %q", text)
	}
	numbers, err := parseInts(fields[parent], fields[utime], fields[stime])
	if err != nil {
		return processStat{}, fmt.Errorf("cannot parse the stat of a process: %w", err)
	}
	return processStat{parent: int(numbers[0]), cpu: time.Duration(numbers[1]+numbers[2]) * tick}, nil
}

// parsePeakRSS finds the line "VmHWM:   123 kB".
func parsePeakRSS(text string) (int64, error) {
	for line := range strings.Lines(text) {
		value, found := strings.CutPrefix(line, "VmHWM:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		return kib << 10, err
	}
	return 0, fmt.Errorf("there is no VmHWM in the status of the process: it has ended")
}

func parseInts(texts ...string) ([]int64, error) {
	numbers := make([]int64, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		numbers[i] = n
	}
	return numbers, nil
}
