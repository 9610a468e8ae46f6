//go:build linux

package soak

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/pgtest"
)

// checkLeftovers looks for what nobody needs any more, and for what must have been kept of the queue.
func (s *soak) checkLeftovers(t *testing.T) {
	t.Helper()
	orphans := 0
	for _, name := range s.BlobNames(t) {
		if pgtest.Query[bool](t, s.Database, `select exists (select from sheetdrop.source_file where blob_name = $1)
or exists (select from sheetdrop.upload where blob_name = $1)`, name) {
			continue
		}
		orphans++
		if _, err := time.Parse("2006/01/02", name[:min(10, len(name))]); err != nil {
			t.Errorf("seed %d: the sweep will not find the blob %s", s.seed, name)
		}
	}
	if most := int(s.unanswered.Load()); orphans > most {
		t.Errorf("seed %d: %d blobs without a file after %d requests without an answer", s.seed, orphans, most)
	}
	s.checkMessages(t)
	for _, text := range s.garbage { // once and, where it was copied or its host died while moving it, more often
		if !pgtest.Query[bool](t, s.Database, `select exists (select from sheetdrop.dead_letter where text = $1)`, text) {
			t.Errorf("seed %d: no dead letter %q", s.seed, text)
		}
	}
}

// checkAlerts fails where operators were not told of a task that failed for a reason of ours, or of a dead letter: whoever brought it about may
// have been killed before it could tell them.
func (s *soak) checkAlerts(t *testing.T) {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select id::text from sheetdrop.task
where status = 'FAILED' and error_code in ('worker_died', 'internal_error', 'took_too_long', 'database_full', 'content_missing')
union all select queue_message_id from sheetdrop.dead_letter`)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range subjects {
		told := false
		for _, i := range s.instances {
			told = told || i.output.tells(subject)
		}
		if !told {
			t.Errorf("seed %d: operators have not been told of %s", s.seed, subject)
		}
	}
	t.Logf("%d alerts", len(subjects))
}

// checkMessages holds the outbox against what the queue has seen. What history calls sent was accepted by the queue; and the reconciler had to
// write a message anew only for a task that had one in the queue, where an ended host can hide it, or whose message was dropped here or given up
// by the queue. Otherwise a loss would only cost time, and nobody would see it.
func (s *soak) checkMessages(t *testing.T) {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select id from sheetdrop.outbox_history where event_type = 'PARSE_TASK'`)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range sent {
		if !s.witness.accepted(id) {
			t.Errorf("seed %d: message %s is in the history of what was sent, and the queue has never had it", s.seed, id)
		}
	}
	for _, i := range s.instances {
		for _, f := range i.output.anew() {
			s.checkForgotten(t, f)
		}
	}
}

func (s *soak) checkForgotten(t *testing.T, f forgotten) {
	t.Helper()
	written := pgtest.Query[time.Time](t, s.Database, `select created_at from sheetdrop.outbox_history where id = $1`, f.MessageID)
	if s.witness.had(f.TaskID, written) || slices.Contains(s.dropped, f.TaskID) ||
		pgtest.Query[bool](t, s.Database, `select exists (select from sheetdrop.dead_letter where task_id = $1)`, f.TaskID) {
		return
	}
	t.Errorf("seed %d: task %s had no message in the queue, and nobody has taken one:%s", s.seed, f.TaskID, s.lines(t, `select t::text from sheetdrop.task t
where id = $1 union all select h::text from sheetdrop.outbox_history h where task_id = $1`, f.TaskID))
}

// checkProcesses looks into the handlers, which have nothing to do any more, and stops them: no goroutine of a request or of a run is left, no
// file is open, none is in the folder for temporary ones, and no connection to the database stays.
func (s *soak) checkProcesses(t *testing.T) {
	t.Helper()
	for _, i := range s.instances {
		handler, err := i.handler()
		if err != nil {
			t.Errorf("seed %d: handler %s: %v", s.seed, i.name, err)
			continue
		}
		for _, file := range openFiles(t, handler.Pid) {
			t.Errorf("seed %d: handler %s holds %s open", s.seed, i.name, file)
		}
		for _, stack := range i.goroutines(t, handler) {
			t.Errorf("seed %d: handler %s has a goroutine that nobody needs:\n%s", s.seed, i.name, stack)
		}
		i.stop(t.Context())
	}
	left, err := os.ReadDir(s.temporary)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		t.Errorf("seed %d: the handlers have left the file %s", s.seed, file.Name())
	}
	s.Database.Await(t, `select not exists (select from pg_stat_activity where application_name like $1)`, applicationOf("%"))
}

// openFiles are the files on disk that a process has open: nothing in a handler lasts longer than a run or an upload.
func openFiles(t *testing.T, pid int) (open []string) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	descriptors, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range descriptors {
		file, err := os.Readlink(filepath.Join(folder, d.Name()))
		if err == nil && strings.HasPrefix(file, "/") && !systems.MatchString(file) {
			open = append(open, file)
		}
	}
	return open
}

// systems are files that are none on a disk; the Go runtime looks at some of them.
var systems = regexp.MustCompile(`^/(dev|proc|sys)/`)

// forRequests is what runs for an upload or a task only.
var forRequests = regexp.MustCompile(`sheetdrop/(upload-api|parse-worker|internal/sheet)`)

// goroutines has the handler write all its goroutines, which ends it, and returns those that work for an upload or a task, and those of the
// relay that are more than one relay has.
func (i *instance) goroutines(t *testing.T, handler *os.Process) (left []string) {
	t.Helper()
	i.mu.Lock()
	host := i.host
	i.mu.Unlock()
	starts := host.Stats().HandlerStarts
	i.output.begin()
	if err := handler.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if !await(ctx, func() bool { return host.Stats().HandlerStarts > starts }) { // then all that the former one has written is there
		t.Fatalf("handler %s does not end by SIGQUIT", i.name)
	}
	return leftOver(i.output.text())
}

// relayGoroutines is how many one relay has at most: two drains of eight senders and a renewer each, its run, and who listens for nudges.
const relayGoroutines = 2*(1+8+1) + 2

func leftOver(dump string) (left []string) {
	var relay []string
	for stack := range strings.SplitSeq(dump, "\n\n") {
		switch {
		case !strings.HasPrefix(stack, "goroutine "):
		case forRequests.MatchString(stack):
			left = append(left, stack)
		case strings.Contains(stack, "sheetdrop/outbox-relay."):
			relay = append(relay, stack)
		}
	}
	if len(relay) > relayGoroutines {
		left = append(left, relay...)
	}
	return left
}
