package maintenance_test

import (
	"testing"
	"time"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// A run deletes for as long as its budget lasts, and not a number of pieces: rows that were deleted faster than that would fill the
// database.
func TestPurgeUsesItsBudget(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *maintenance.Settings) { s.Period = time.Hour })
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) select nextval('sheetdrop.sheet_id'), 10000 from generate_series(1, 60)`)
	f.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no, deleted_at, purged_at)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1, now() - (n % 2) * interval '8 days', case n % 2 when 1 then now() end from generate_series(1, 2000) n`)
	f.run(t)
	if left := f.left(t); left != "1000 0 0 0 0 0" {
		t.Errorf("left are %s, want the files that were deleted just now", left)
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.source_file where purged_at is null`); n != 0 {
		t.Errorf("%d deleted files are not purged", n)
	}
}

// P10: a run ends when its budget is used, however much there is to delete, and the next one goes on.
func TestPurgeIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withoutTime)
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) values (nextval('sheetdrop.sheet_id'), 250000)`)
	f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select sheet_id, n, '{a}' from sheetdrop.sheet_purge, generate_series(1, 250000, 100) n`)
	f.run(t)
	if at := pgtest.Query[int](t, f.Database, `select min(row_no) from sheetdrop.sheet_row`); at != 10_001 {
		t.Errorf("one run came to row %d, want 10001", at)
	}
	f.run(t)
	if at := pgtest.Query[int](t, f.Database, `select min(row_no) from sheetdrop.sheet_row`); at != 20_001 {
		t.Errorf("the next run came to row %d, want 20001", at)
	}
}

// withoutTime lets each step of a run begin one transaction and no second one.
func withoutTime(s *maintenance.Settings) { s.Period = 1 }

// A run's bound is on rows, so that many small files that are deleted in a day go in a day.
func TestPurgeTakesManySmallSheets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *maintenance.Settings) { s.Period = time.Hour })
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) select n, 10 * (n % 3) from generate_series(1, 3000) n`)
	f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select sheet_id, n, '{a}' from sheetdrop.sheet_purge, generate_series(1, last_row) n`)
	f.run(t)
	if left := f.left(t); left != "0 0 0 0 0 0" {
		t.Errorf("left are %s", left)
	}
}
