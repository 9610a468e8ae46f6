package volume

import (
	"context"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// An outage has cost very many tasks their messages. All of them are asked for again within three periods of the timer, at the speed of the
// database. P2.
func TestForgottenTasks(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	n := messages(3_000, 100_000)
	o.Exec(t, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), i::text, 1 from generate_series(1, $1) i returning id
)
insert into sheetdrop.task (id, source_file_id, options, enqueued_at)
select gen_random_uuid(), id, '{}', now() - interval '1 h' - random() * interval '1 min' from file`, n)
	relay := o.relay(t, "10s")
	for period := 1; period <= 3; period++ {
		began := time.Now()
		relay.Tick(t)
		t.Logf("period %d: a run of %s, %d tasks asked for", period, time.Since(began).Round(100*time.Millisecond),
			pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.task where enqueues = 1`))
	}
	if left := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.task where enqueues = 0`); left != 0 {
		t.Errorf("%d of %d tasks are not asked for after three periods", left, n)
	}
}

// Finding tasks without a message looks at as much where very many have lost theirs, and as many have one, as where few have, also while the
// server knows and has planned for a time when there were none. P10, P11.
func TestForgottenTasksDoNotGrow(t *testing.T) {
	t.Parallel()
	little, much := newClaims(t, devtest.Shared(t), 0, 0), newClaims(t, devtest.Shared(t), 0, 0)
	for _, c := range []*claims{little, much} {
		for _, table := range []string{"task", "outbox_message"} {
			c.Exec(t, `alter table sheetdrop.`+table+` set (autovacuum_enabled = off)`) // which counts it again
			c.Exec(t, `vacuum analyze sheetdrop.`+table)
		}
		for range 20 {
			findForgotten(t, c.db, 0)
		}
	}
	little.addForgotten(t, claimed)
	much.addForgotten(t, messages(6_000, 100_000))
	find := func(t *testing.T, db *postgres.DB) { findForgotten(t, db, claimed) }
	if a, b := little.blocks(t, find), much.blocks(t, find); b > 2*a+ofWarmUp {
		t.Errorf("forgotten tasks are found in %d blocks where there are many, and in %d where there are few; want hardly more than twice as many", b, a)
	} else {
		t.Logf("forgotten tasks are found in %d blocks where there are many, and in %d where there are few", b, a)
	}
}

// addForgotten adds so many tasks that have no message, and as many newer ones that have one.
func (c *claims) addForgotten(t *testing.T, n int) {
	t.Helper()
	c.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), gen_random_uuid()::text, 1`)
	c.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options, enqueued_at)
select gen_random_uuid(), id, owner, '{}', now() - interval '1 day' + i * interval '1 ms' from sheetdrop.source_file, generate_series(1, 2 * $1) i`, n)
	c.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, next_attempt_at)
select gen_random_uuid(), 'PARSE_TASK', id, '{}', now() from (select id from sheetdrop.task order by enqueued_at desc limit $1) t`, n)
}

func findForgotten(t *testing.T, db *postgres.DB, want int) {
	t.Helper()
	const after = 10 * time.Minute
	if found, err := db.AnyForgotten(t.Context(), after); err != nil || found != (want > 0) {
		t.Fatalf("forgotten tasks: %t, %v, want %d", found, err, want)
	}
	err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		found, err := tx.LockForgotten(ctx, after, time.Time{}, claimed)
		if err == nil && len(found) != want {
			t.Errorf("found %d forgotten tasks, want %d", len(found), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
