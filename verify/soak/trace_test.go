//go:build linux

package soak

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/otlptest"
)

// traceOf is the trace that a caller begins with a request of this key: the key itself.
func traceOf(key string) string { return strings.ReplaceAll(key, "-", "") }

// ofATask reports whether a span is one that checkTraces looks at: an hour of all of them would not fit into memory.
func ofATask(span otlptest.Span) bool {
	return span.Attributes["sheetdrop.task.id"] != "" || span.Kind == "SPAN_KIND_SERVER" && len(span.Links) > 0 || span.Name == "COPY"
}

// tracedTask is a task, and the trace that it says it belongs to.
type tracedTask struct {
	ID       uuid.UUID
	Trace    string
	Status   string
	Finished time.Time
}

// checkTraces holds that each accepted upload has one connected trace: all that was done with its task is in the caller's trace, or in one that
// names it, where somebody had the task run again; and its COPY or its end is there. What a process had not sent yet when it was killed is
// the one thing that may be missing.
func (s *soak) checkTraces(t *testing.T) {
	t.Helper()
	spans := s.collector.Spans()
	byTask, requests := map[string][]otlptest.Span{}, map[string][]otlptest.Span{}
	for _, span := range spans {
		if id := span.Attributes["sheetdrop.task.id"]; id != "" {
			byTask[id] = append(byTask[id], span)
		}
		if span.Kind == "SPAN_KIND_SERVER" {
			requests[span.Trace] = append(requests[span.Trace], span)
		}
	}
	copied := ranCopies(spans)
	whole, killed := 0, 0
	for _, u := range s.uploads {
		task := s.tracedTask(t, u.task)
		why := u.brokenTrace(task, byTask[u.task.String()], requests, copied)
		ended := task.Finished.Sub(s.began)
		switch {
		case why == "":
			whole++
		case s.journal.anyBetween(deadly, u.accepted-time.Second, ended+time.Second):
			killed++
			t.Logf("upload %d, whose process was killed: %s, among %+v", u.number, why, byTask[u.task.String()])
		default:
			t.Errorf("seed %d: upload %d (task %s, %s, accepted after %s, ended after %s, trace %s): %s, among %+v; faults:%s", s.seed, u.number, u.task,
				task.Status, u.accepted, ended, task.Trace, why, byTask[u.task.String()], s.journal.near(u.accepted, ended))
		}
	}
	t.Logf("%d of %d uploads have one connected trace with its COPY or its end; of %d a killed process kept something to itself; %d spans",
		whole, len(s.uploads), killed, len(spans))
	if killed > len(s.uploads)/100 {
		t.Errorf("seed %d: %d of %d traces are broken, want 1 %% at most, and only by kills", s.seed, killed, len(s.uploads))
	}
}

func (s *soak) tracedTask(t *testing.T, id uuid.UUID) tracedTask {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select id, coalesce(split_part(trace_context, '-', 2), '') as trace, status, finished_at as finished
from sheetdrop.task where id = $1`, id)
	if err != nil {
		t.Fatal(err)
	}
	task, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[tracedTask])
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// ranCopies are the spans that have a COPY below them, by their ids.
func ranCopies(spans []otlptest.Span) map[string]bool {
	copied := map[string]bool{}
	for _, span := range spans {
		if span.Name == "COPY" {
			copied[span.Parent] = true
		}
	}
	return copied
}

// brokenTrace says what is wrong with the trace of an upload, or "".
func (u *upload) brokenTrace(task tracedTask, own []otlptest.Span, requests map[string][]otlptest.Span, copied map[string]bool) string {
	if task.Trace == "" {
		return "the task has no trace"
	}
	connected := []string{task.Trace} // and the earlier ones, each named by the request that had the task run again
	for i := 0; i < len(connected); i++ {
		for _, request := range requests[connected[i]] {
			for _, earlier := range request.Links {
				if !slices.Contains(connected, earlier) {
					connected = append(connected, earlier)
				}
			}
		}
	}
	if u.direct == nil && !slices.Contains(connected, traceOf(u.key)) {
		return "its trace is not connected with its caller's"
	}
	done := false
	for _, span := range own {
		if !slices.Contains(connected, span.Trace) {
			return "a span is in another trace: " + span.Name + " in " + span.Trace
		}
		ended := slices.Contains([]string{"COMPLETED", "FAILED", "CANCELLED"}, span.Attributes["sheetdrop.task.status"])
		done = done || ended || copied[span.ID]
	}
	if !done {
		return "neither its COPY nor its end is there"
	}
	return ""
}
