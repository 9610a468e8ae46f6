package parse_test

import (
	"context"
	"testing"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// Whoever uploads and deletes in a loop does not fill the database, however fast: who loads rows deletes as many that nobody sees any more,
// by large files or by many small ones.
func TestLoadingMakesRoom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ files, rows int }{"large files": {2, 25_000}, "small files": {20, 2_500}} {
		f := newFixture(t)
		w := f.worker(t, usual, "")
		content, _ := rowsOf(c.rows)
		f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) select nextval('sheetdrop.sheet_id'), 10000 from generate_series(1, 6)`)
		f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select sheet_id, n, '{a}' from sheetdrop.sheet_purge, generate_series(1, 10000) n`)
		for range c.files {
			handle(t, w, f.upload(t, content))
		}
		if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.sheet_purge`); left != 1 {
			t.Errorf("%s: %d rows were loaded, and of 60,000 there are %d0,000 left, want 10,000", name, c.files*c.rows, left)
		}
	}
}

// Several can delete rows at once: none waits for another one, or takes what it does not need.
func TestPurgesGoOnSideBySide(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) select nextval('sheetdrop.sheet_id'), 10000 from generate_series(1, 3)`)
	purge := func(inside func()) {
		err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
			found, err := tx.PurgeRows(ctx)
			if !found {
				t.Error("nothing is left for this one")
			}
			inside()
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	purge(func() { purge(func() { purge(func() {}) }) })
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.sheet_purge`); left != 0 {
		t.Errorf("%d sheets are left", left)
	}
}
