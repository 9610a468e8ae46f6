package maintenance_test

import (
	"testing"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// completed commits a file whose task has two sheets with rows and rejects.
func (f *fixture) completed(t *testing.T, rows int) postgres.Upload {
	t.Helper()
	u := f.AddSentUpload(t)
	f.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary = '{}' where id = $1`, u.TaskID)
	for number := range 2 {
		f.Exec(t, `with s as (
  insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
  values (nextval('sheetdrop.sheet_id'), $1, $2::int + 1, '', true, '{}', '[]', 0, 0, 0, 0) returning id
), r as (
  insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select id, n, '{a}' from s, generate_series(1, $3::int) n
)
insert into sheetdrop.row_reject (sheet_id, row_no, error_no, code, message) select id, n, e, 'c', 'm' from s, generate_series(1, 20001, 10000) n, generate_series(1, 2) e`,
			u.TaskID, number, rows)
	}
	return u
}

// left counts what is there of files, tasks, sheets, rows, rejects and sheets to purge.
func (f *fixture) left(t *testing.T) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(*) from sheetdrop.source_file), (select count(*) from sheetdrop.task),
(select count(*) from sheetdrop.sheet), (select count(*) from sheetdrop.sheet_row), (select count(*) from sheetdrop.row_reject),
(select count(*) from sheetdrop.sheet_purge))`)
}

// What was in a deleted file goes, in pieces; its row and tasks stay a week for who repeats the upload, and then go too. Other files are
// not touched.
func TestDeletedFileIsPurged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.completed(t, 3)
	gone := f.completed(t, 10_001)
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, gone.File.ID)
	f.run(t)
	if left := f.left(t); left != "2 2 2 6 12 0" {
		t.Errorf("left are %s", left)
	}
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '6 days 23 h' where id = $1`, gone.File.ID)
	f.run(t)
	if left := f.left(t); left != "2 2 2 6 12 0" {
		t.Errorf("before a week has passed, left are %s", left)
	}
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '7 days 1 h' where id = $1`, gone.File.ID)
	f.run(t)
	if left := f.left(t); left != "1 1 2 6 12 0" {
		t.Errorf("after a week, left are %s", left)
	}
}

// A file of which a load is being undone keeps its record, and so the undo, until that has ended.
func TestDeletedFileStaysForAnUndo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	undone := f.AddSentUpload(t)
	f.Exec(t, `update sheetdrop.task set kind = 'UNDO'`)
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '8 days', purged_at = now()`)
	f.run(t)
	if left := f.left(t); left != "1 1 0 0 0 0" {
		t.Errorf("while the undo waits, left are %s", left)
	}
	f.Exec(t, `update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, undone.TaskID)
	f.run(t)
	if left := f.left(t); left != "0 0 0 0 0 0" {
		t.Errorf("once it has ended, left are %s", left)
	}
}

const scans = `select coalesce(seq_scan, 0)::int from pg_stat_user_tables where relname = 'source_file'`

// FILE_RETENTION_DAYS deletes as an owner does: the file is marked, its tasks are cancelled, its bytes deleted. Without the setting
// nothing is.
func TestRetention(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{0: "PENDING PENDING", 30: "PENDING CANCELLED"} {
		f := newFixture(t, func(s *maintenance.Settings) { s.RetentionDays = days })
		old, young := f.AddSentUpload(t), f.AddSentUpload(t)
		f.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '29 days 23 h' where id = $1`, young.File.ID)
		f.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '30 days 1 h' where id = $1`, old.File.ID)
		f.run(t)
		got := string(f.status(t, young.TaskID)) + " " + string(f.status(t, old.TaskID))
		if got != want {
			t.Errorf("with %d days the young file's task and the old one's are %s, want %s", days, got, want)
		}
		deletions := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message
where event_type = 'BLOB_DELETE' and payload ->> 'blob_name' = $1`, old.File.BlobName)
		if want := days / 30; deletions != want {
			t.Errorf("with %d days %d messages ask to delete the old file's bytes, want %d", days, deletions, want)
		}
	}
}

// P10: what was purged already is not looked at again: each step finds its work by an index that holds nothing else.
func TestPurgeLooksAtWorkToDoOnly(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no, deleted_at, purged_at)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), n::text, 1, now(), now() from generate_series(1, 20000) n`)
	f.Exec(t, `analyze sheetdrop.source_file`)
	before := pgtest.Query[int](t, f.Database, scans)
	f.run(t)
	f.Await(t, `select sum(idx_scan) >= 2 from pg_stat_user_indexes where indexrelname in ('source_file_to_purge', 'source_file_purged')`)
	if after := pgtest.Query[int](t, f.Database, scans); after != before {
		t.Errorf("the table of files was read from end to end %d times", after-before)
	}
}
