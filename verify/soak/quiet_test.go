//go:build linux

package soak

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// settleTimeout is for whatever is on its way when the last fault is repaired: leases, retries, messages that a dead host had taken.
const settleTimeout = 2 * time.Minute

// What must come true once nothing breaks any more: P2, and that neither a message nor a lease nor a row is left over.
var quiet = []struct{ what, sql string }{
	{"a task is not at its end", `not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))`},
	{"a webhook is not delivered", `not exists (select from sheetdrop.webhook_delivery where status <> 'DELIVERED')`},
	{"a message is in the outbox", `not exists (select from sheetdrop.outbox_message)`},
	{"a deleted file has a task with sheets", `not exists (select from sheetdrop.source_file f join sheetdrop.task t on t.source_file_id = f.id
  join sheetdrop.sheet s on s.task_id = t.id where f.deleted_at is not null)`},
	{"a row has no sheet", `not exists (select from sheetdrop.sheet_row r where not exists (select from sheetdrop.sheet where id = r.sheet_id))`},
	{"a reject has no sheet", `not exists (select from sheetdrop.row_reject r where not exists (select from sheetdrop.sheet where id = r.sheet_id))`},
	{"operators have not been told of something", `not exists (select from sheetdrop.alert)`},
	{"a task has ended just now", `not exists (select from sheetdrop.task where finished_at > now() - interval '2 seconds')`}, // its heart stops within a second
	{"a heartbeat goes on", `not exists (select from pg_stat_activity
  where datname = current_database() and query like 'with beat as %' and query_start > now() - interval '2 seconds')`}, // which ends with its next beat
	{"a transaction is left open", `not exists (select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%')`},
}

// awaitQuiet waits until nothing is on its way any more.
func (s *soak) awaitQuiet(t *testing.T) {
	t.Helper()
	began := time.Now()
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), settleTimeout)
	defer cancel()
	for _, q := range quiet {
		s.awaitTrue(ctx, t, q.what, q.sql)
	}
	s.awaitTrue(ctx, t, "the reconciler is locked or does not run", `exists (select from sheetdrop.reconciler where locked_by is null and ran_at > $1)`, now)
	if !await(ctx, func() bool {
		queue, poison, err := s.queue.Lengths(ctx)
		return err == nil && queue+poison == 0
	}) {
		t.Fatalf("seed %d: messages are left in the queue or the poison queue, %s after the end", s.seed, settleTimeout)
	}
	t.Logf("all was quiet %s after the end", time.Since(began).Round(time.Second))
}

// awaitTrue waits until a condition is true in the database.
func (s *soak) awaitTrue(ctx context.Context, t *testing.T, otherwise, condition string, args ...any) {
	t.Helper()
	if !await(ctx, func() bool {
		var yes bool
		return s.sql.QueryRow(ctx, `select `+condition, args...).Scan(&yes) == nil && yes
	}) {
		t.Fatalf("seed %d: %s, %s after the end:%s\nfaults:%s", s.seed, otherwise, settleTimeout, s.stuck(t), s.journal.near(s.length-30*time.Second, s.length))
	}
}

// await waits until something is so; false where it is not in time.
func await(ctx context.Context, so func() bool) bool {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// stuck lists tasks that have not ended and messages that were not sent.
func (s *soak) stuck(t *testing.T) string {
	return s.lines(t, `select t::text from sheetdrop.task t where status in ('PENDING', 'PROCESSING') limit 10`) +
		s.lines(t, `select m::text from sheetdrop.outbox_message m limit 10`)
}

// lines returns the only column of a query, a row a line.
func (s *soak) lines(t *testing.T, sql string, args ...any) string {
	rows, err := s.sql.Query(t.Context(), sql, args...)
	if err != nil {
		return "\n  " + err.Error()
	}
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "\n  " + err.Error()
	}
	all := ""
	for _, text := range texts {
		all += "\n  " + text
	}
	return all
}
