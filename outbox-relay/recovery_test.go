package outbox_test

import (
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// The blob store refuses deletions, the queue is well: uploads do not wait behind the deletions that are due before them.
func TestRefusedDeletionsHoldUpNoTask(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.BlobProxy.Cut()
	f.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, attempts, next_attempt_at)
select gen_random_uuid(), 'BLOB_DELETE', '{"blob_name": "2026/01/01/x"}', 20, now() - interval '1 min' from generate_series(1, 300)`)
	id := f.addMessages(t, 1)[0]
	f.run(t)
	f.wantReceived(t, id)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where last_error is null and status = 'PENDING'`); n < 200 {
		t.Errorf("%d deletions were not tried, want most of them: the store refuses", n)
	}
}
