//go:build linux

package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// journal notes what was broken, when, and what it hit.
type journal struct {
	mu      sync.Mutex
	entries []*entry
	ended   string // what came of it, for the report
}

type entry struct {
	fault
	busy  bool          // something was at work that could be hurt
	until time.Duration // when it was mended; 0 while it goes on
	err   error
}

func (j *journal) begin(f fault, busy bool) *entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := &entry{fault: f, busy: busy}
	j.entries = append(j.entries, e)
	return e
}

func (j *journal) end(e *entry, at time.Duration, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.until, e.err = at, err
}

// near lists the faults between two moments, and shortly before.
func (j *journal) near(from, to time.Duration) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var b strings.Builder
	for _, e := range j.entries {
		if e.at <= to && max(e.until, e.at) >= from-10*time.Second {
			fmt.Fprintf(&b, "\n  %8s to %8s %s of %s", e.at.Round(time.Millisecond), e.until.Round(time.Millisecond), e.kind, e.target)
			if e.err != nil {
				fmt.Fprintf(&b, " (%v)", e.err)
			}
		}
	}
	return b.String()
}

// report tells what was done and, where the test has failed, how to do it again.
func (j *journal) report(t *testing.T, s *soak) {
	j.mu.Lock()
	defer j.mu.Unlock()
	injected, missed, busy := map[string]int{}, 0, 0
	total := 0
	for _, e := range j.entries {
		if e.err != nil {
			missed++
			continue
		}
		total++
		injected[e.kind]++
		if e.busy {
			busy++
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(injected)) {
		fmt.Fprintf(&b, "\n  %-16s %5d", name, injected[name])
	}
	t.Logf("%d faults, %d of them while a task was PROCESSING or an upload under way; %d more found nothing to hit:%s", total, busy, missed, b.String())
	if j.ended != "" {
		t.Log(j.ended)
	}
	if t.Failed() {
		t.Logf("again: go test ./internal/chaos -run Soak -timeout 0 -args -minutes %g -seed %d", s.length.Minutes(), s.seed)
	}
}
