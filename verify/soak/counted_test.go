//go:build linux

package soak

import (
	"strings"
	"testing"
	"time"
)

// deadly are the kinds of faults by which a run may die: all that end or freeze a handler. Outages may not.
var deadly = map[string]bool{"kill handler": true, "kill two tasks": true, "stop handler": true, "freeze handler": true, "kill host": true, "stop host": true}

// explain notes a task that was taken for dead while no handler was killed or frozen. Nothing is lost by that yet, but a task that dies again and
// again runs alone, and then fails.
func (s *soak) explain(task found) {
	if task.Deaths == 0 || task.Started == nil {
		return
	}
	from, to := task.Started.Sub(s.began), task.Finished.Sub(s.began)
	if !s.journal.anyBetween(deadly, from, to) {
		s.counted = append(s.counted, task)
	}
}

// anyBetween reports whether a fault of one of these kinds was about between two moments.
func (j *journal) anyBetween(kinds map[string]bool, from, to time.Duration) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.entries {
		if kinds[e.kind] && e.at <= to && max(e.until, e.at) >= from {
			return true
		}
	}
	return false
}

// checkCounted holds outages against P2: they are not counted. On a machine that has too much to do a worker can be late all the same, and
// then it is taken for dead: so one task in 500 may be.
func (s *soak) checkCounted(t *testing.T, tasks int) {
	t.Helper()
	if len(s.counted) > 1+tasks/500 {
		var b strings.Builder
		for _, task := range s.counted {
			b.WriteString("\n  " + task.Whole + "\n  faults:" + s.journal.near(task.Started.Sub(s.began), task.Finished.Sub(s.began)))
		}
		t.Errorf("seed %d: %d of %d tasks were taken for dead while no handler was killed or frozen:%s", s.seed, len(s.counted), tasks, b.String())
	}
}
