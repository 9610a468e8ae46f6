package volume

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
)

// Finding whose turn it is, and that owner's oldest task, reads as much where one owner has very many tasks waiting and done as where there are
// few, also while the server knows and has planned for a time when there were none. P10, P11.
func TestNextOwnerDoesNotGrow(t *testing.T) {
	t.Parallel()
	little, much := newClaims(t, devtest.Shared(t), 0, 0), newClaims(t, devtest.Shared(t), 0, 0)
	for _, c := range []*claims{little, much} {
		c.Exec(t, `alter table sheetdrop.task set (autovacuum_enabled = off)`) // which counts it again
		c.addTasks(t, 0, 1)
		c.Exec(t, `vacuum analyze sheetdrop.task`)
		for range 20 {
			serveTwo(t, c.db)
		}
	}
	little.addTasks(t, 30, 30)
	much.addTasks(t, messages(40_000, 100_000), messages(100_000, 5_000_000))
	if a, b := little.blocks(t, serveTwo), much.blocks(t, serveTwo); b > 2*a+ofWarmUp {
		t.Errorf("the next owner's task is found in %d blocks where much is done and waits, and in %d where little does; want hardly more than twice as many", b, a)
	} else {
		t.Logf("the next owner's task is found in %d blocks where much is done and waits, and in %d where little does", b, a)
	}
}

// addTasks adds so many tasks of one owner that wait, beside one, and that are done, and one of each of two others, before and behind, that
// waits.
func (c *claims) addTasks(t *testing.T, wait, done int) {
	t.Helper()
	c.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
select gen_random_uuid(), owner, 'n', 'text/csv', 1, sha256(''), gen_random_uuid()::text, 1 from unnest('{a,flood,z}'::text[]) owner
where not exists (select from sheetdrop.source_file)`)
	c.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options, status, finished_at)
select gen_random_uuid(), id, owner, '{}', 'CANCELLED', now() from sheetdrop.source_file, generate_series(1, $1) where owner = 'flood'`, done)
	c.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options, enqueued_at)
select gen_random_uuid(), id, owner, '{}', now() - i * interval '1 ms' from sheetdrop.source_file, generate_series(0, $1) i where owner = 'flood'`, wait)
	c.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options)
select gen_random_uuid(), id, owner, '{}' from sheetdrop.source_file where owner <> 'flood'`)
}

// serveTwo finds the task of the owner behind the one with many, and, going round, that one's own.
func serveTwo(t *testing.T, db *postgres.DB) {
	t.Helper()
	for _, look := range []struct{ after, own, want string }{{"flood", "flood", "z"}, {"z", "flood", "a"}, {"a", "z", "flood"}, {"flood", "z", ""}} {
		owner, err := db.NextOwner(t.Context(), look.after, look.own)
		if err != nil || owner != look.want {
			t.Errorf("behind %s and before %s it is the turn of %q, %v, want %q", look.after, look.own, owner, err, look.want)
		}
		if owner == "" {
			continue
		}
		err = db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
			if id, err := tx.LockWaiting(ctx, owner); err != nil || id == uuid.Nil {
				t.Errorf("the oldest task of %s: %s, %v", owner, id, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
