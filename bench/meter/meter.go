// Package meter measures what processes take of a Linux machine, by /proc.
package meter

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"sheetdrop/bench/compare"
)

// clientName is this process, with the programs that it has run and waited for.
const clientName = "client"

// Meter measures this process and those that were added to it. It is safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	roots map[string]int // name → process, measured with all below it
}

// Add has a process measured, under a name, with its children. Its name is free again once remove has been called.
func (m *Meter) Add(name string, pid int) (remove func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.roots == nil {
		m.roots = map[string]int{}
	}
	m.roots[name] = pid
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.roots, name)
	}
}

// Begin implements compare.Meter.
func (m *Meter) Begin() (end func() compare.Usage) {
	before := m.cpu()
	m.mu.Lock()
	for _, pid := range m.roots {
		resetPeaks(tree(pid))
	}
	m.mu.Unlock()
	resetPeaks([]int{os.Getpid()})
	return func() compare.Usage {
		usage := compare.Usage{CPU: map[string]float64{}, Peak: map[string]float64{}}
		for name, seconds := range m.cpu() {
			usage.CPU[name] = max(0, seconds-before[name]) // a process of the tree that has gone takes its time with it
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		for name, pid := range m.roots {
			usage.Peak[name] = mib(peak(tree(pid)))
		}
		usage.Peak[clientName] = mib(peak([]int{os.Getpid()}))
		return usage
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// cpu returns the CPU seconds so far of everything that is measured.
func (m *Meter) cpu() map[string]float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	seconds := map[string]float64{clientName: ownCPU()}
	for name, root := range m.roots {
		for _, pid := range tree(root) {
			seconds[name] += processCPU(pid)
		}
	}
	return seconds
}

// ownCPU is this process's CPU time, and that of its children that have ended, in seconds.
func ownCPU() (seconds float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			seconds += float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
		}
	}
	return seconds
}

// ticks is the unit of CPU time in /proc, which Linux has fixed at a hundredth of a second for programs.
const ticks = 100

// processCPU is a process's CPU time and that of its children that have ended, in seconds; 0 where it has gone.
func processCPU(pid int) float64 {
	fields := statOf(pid)
	if fields == nil {
		return 0
	}
	var total int64
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime: the 14th to 17th of proc(5), of which two stand before
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		total += n
	}
	return float64(total) / ticks
}

// statOf returns the fields of /proc/PID/stat from the third one on, the state; nil where the process has gone. The name before them may
// have spaces and brackets.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	end := bytes.LastIndexByte(text, ')')
	if err != nil || end < 0 {
		return nil
	}
	return strings.Fields(string(text[end+1:]))
}

// tree returns a process and all below it.
func tree(root int) []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if fields := statOf(pid); len(fields) > 1 {
			if parent, err := strconv.Atoi(fields[1]); err == nil {
				children[parent] = append(children[parent], pid)
			}
		}
	}
	pids := []int{root}
	for i := 0; i < len(pids); i++ {
		pids = append(pids, children[pids[i]]...)
	}
	return pids
}

// resetPeaks makes the peak of memory begin anew; where the system does not allow it, a peak is that of the process's life.
func resetPeaks(pids []int) {
	for _, pid := range pids {
		_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
	}
}

// Peak is the most that a process had in memory since its start, or since a measurement began, in bytes.
func Peak(pid int) int64 { return peak([]int{pid}) }

func peak(pids []int) (most int64) {
	for _, pid := range pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		for line := range strings.Lines(string(text)) {
			if value, found := strings.CutPrefix(line, "VmHWM:"); found {
				kib, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
				most = max(most, kib<<10)
			}
		}
	}
	return most
}

// Machine describes the machine: processors, memory, load.
func Machine() string {
	return fmt.Sprintf("%d × %s, %s GiB, load %s, %s", runtime.NumCPU(), field("/proc/cpuinfo", "model name"),
		gib(field("/proc/meminfo", "MemTotal")), load(), runtime.Version())
}

// field returns what stands behind a name and a colon in a file, the first time.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if before, after, found := strings.Cut(line, ":"); found && strings.TrimSpace(before) == name {
			return strings.TrimSpace(after)
		}
	}
	return "?"
}

func gib(kib string) string {
	n, _ := strconv.ParseInt(strings.TrimSuffix(kib, " kB"), 10, 64)
	return strconv.FormatInt((n+1<<19)>>20, 10)
}

// load is the average number of processes that wanted to run during the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	before, _, _ := strings.Cut(string(text), " ")
	return before
}
