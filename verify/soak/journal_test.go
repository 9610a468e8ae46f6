//go:build linux

package soak

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// journal notes what was broken, when, and what it hit.
type journal struct {
	log *slog.Logger

	mu      sync.Mutex
	entries []*entry
}

type entry struct {
	fault
	busy  bool          // something was at work that could be hurt
	until time.Duration // when it was repaired; 0 while it goes on
	err   error
}

func (j *journal) begin(f fault, busy bool) *entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := &entry{fault: f, busy: busy}
	j.entries = append(j.entries, e)
	j.log.Info("a fault begins", "at", f.at, "kind", f.kind, "target", f.target, "length", f.length, "busy", busy)
	return e
}

func (j *journal) end(e *entry, at time.Duration, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.until, e.err = at, err
	j.log.Info("a fault is repaired", "kind", e.kind, "target", e.target, "after", at-e.at, "error", err)
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

// tally counts the faults by kind, those that hit something, and those that found nothing to hit.
func (j *journal) tally() (byKind map[string]int, injected, busy, missed int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	byKind = map[string]int{}
	for _, e := range j.entries {
		if e.err != nil {
			missed++
			continue
		}
		injected++
		byKind[e.kind]++
		if e.busy {
			busy++
		}
	}
	return byKind, injected, busy, missed
}

// report tells what was done and, where the test has failed, how to do it again.
func (s *soak) report(t *testing.T) {
	byKind, injected, busy, missed := s.journal.tally()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(byKind)) {
		fmt.Fprintf(&b, "\n  %-16s %5d", name, byKind[name])
	}
	t.Logf("%d faults, %d of them while a task was PROCESSING or an upload under way; %d more found nothing to hit:%s", injected, busy, missed, b.String())
	if t.Failed() {
		t.Logf("again: go -C verify test ./soak -run Soak -timeout 0 -args -minutes %g -seed %d", s.length.Minutes(), s.seed)
	}
}

// checkHits fails where most faults had nothing to hurt: such a run would prove nothing.
func (s *soak) checkHits(t *testing.T) {
	t.Helper()
	if _, injected, busy, _ := s.journal.tally(); busy*2 < injected {
		t.Errorf("seed %d: of %d faults only %d came while anything was at work", s.seed, injected, busy)
	}
}
