package volume

import (
	"testing"
	"time"

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
