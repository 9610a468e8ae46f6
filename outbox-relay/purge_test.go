package outbox_test

import (
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
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

// A run deletes for as long as its budget lasts, and not a number of pieces: rows that were deleted faster than that would fill the database.
func TestPurgeUsesItsBudget(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *outbox.Settings) { s.Period = time.Hour })
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
func withoutTime(s *outbox.Settings) { s.Period = 1 }

// A run's bound is on rows, so that many small files that are deleted in a day go in a day.
func TestPurgeTakesManySmallSheets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *outbox.Settings) { s.Period = time.Hour })
	f.Exec(t, `insert into sheetdrop.sheet_purge (sheet_id, last_row) select n, 10 * (n % 3) from generate_series(1, 3000) n`)
	f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select sheet_id, n, '{a}' from sheetdrop.sheet_purge, generate_series(1, last_row) n`)
	f.run(t)
	if left := f.left(t); left != "0 0 0 0 0 0" {
		t.Errorf("left are %s", left)
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

const scans = `select coalesce(seq_scan, 0)::int from pg_stat_user_tables where relname = 'source_file'`

// FILE_RETENTION_DAYS deletes as an owner does: the file is marked, its tasks are cancelled, its bytes deleted. Without the setting nothing is.
func TestRetention(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{0: "PENDING PENDING", 30: "PENDING CANCELLED"} {
		f := newFixture(t, func(s *outbox.Settings) { s.RetentionDays = days })
		old, young := f.AddSentUpload(t), f.AddSentUpload(t)
		f.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '29 days 23 h' where id = $1`, young.File.ID)
		f.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '30 days 1 h' where id = $1`, old.File.ID)
		for _, u := range []postgres.Upload{old, young} {
			if err := f.Blobs.Upload(t.Context(), u.File.BlobName, strings.NewReader("a\n")); err != nil {
				t.Fatal(err)
			}
		}
		f.run(t)
		got := string(f.status(t, young.TaskID)) + " " + string(f.status(t, old.TaskID))
		if got != want {
			t.Errorf("with %d days the young file's task and the old one's are %s, want %s", days, got, want)
		}
		if n, kept := len(f.blobNames(t)), 2-days/30; n != kept {
			t.Errorf("with %d days %d blobs are left, want %d", days, n, kept)
		}
	}
}

// Records of what people did, of bulk operations and of what the queue gave up are kept for as long as the setting says, and not for ever
// unless it says so. A FAILED message is no record: it stays until a person sends it again.
func TestOldRecordsAreForgotten(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{0: "2 2 2 4 1", 30: "1 1 1 2 1"} {
		f := newFixture(t, func(s *outbox.Settings) { s.RecordDays = days })
		for _, age := range []string{"29 days 23 h", "30 days 1 h"} {
			f.record(t, age, 2)
		}
		f.addMessages(t, 1)
		f.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity', created_at = now() - interval '1 year'`)
		f.run(t)
		if left := f.records(t); left != want {
			t.Errorf("with %d days, left are %s, want %s", days, left, want)
		}
	}
}

// record writes one record of each kind as old as age, the bulk operation with so many items.
func (f *fixture) record(t *testing.T, age string, items int) {
	t.Helper()
	f.Exec(t, `insert into sheetdrop.operator_action (id, at, caller, action, target)
values (gen_random_uuid(), now() - $1::text::interval, 'a', 'b', gen_random_uuid())`, age)
	f.Exec(t, `insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count, seen_at)
values (gen_random_uuid(), gen_random_uuid(), '', 5, now() - $1::text::interval)`, age)
	f.Exec(t, `with bulk as (
  insert into sheetdrop.bulk_operation (id, owner, created_at) values (gen_random_uuid(), 'local', now() - $1::text::interval) returning id
)
insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, reason) select id, n, gen_random_uuid(), 'gone' from bulk, generate_series(1, $2::int) n`, age, items)
}

// records counts actions, dead letters, bulk operations, their items, and FAILED messages.
func (f *fixture) records(t *testing.T) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(*) from sheetdrop.operator_action), (select count(*) from sheetdrop.dead_letter),
(select count(*) from sheetdrop.bulk_operation), (select count(*) from sheetdrop.bulk_item), (select count(*) from sheetdrop.outbox_message where status = 'FAILED'))`)
}

// P10: records are found by their age, not by looking at all of them, and a run forgets so many, the oldest first.
func TestForgettingRecordsIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withoutTime, func(s *outbox.Settings) { s.RecordDays = 30 })
	f.Exec(t, `insert into sheetdrop.operator_action (id, at, caller, action, target)
select gen_random_uuid(), now() - interval '31 days' - n * interval '1 min', 'a', 'b', gen_random_uuid() from generate_series(1, 21000) n`)
	f.Exec(t, `analyze sheetdrop.operator_action`)
	scans := `select coalesce(seq_scan, 0)::int from pg_stat_user_tables where relname = 'operator_action'`
	before := pgtest.Query[int](t, f.Database, scans)
	f.run(t)
	f.Await(t, `select coalesce(idx_scan, 0) >= 1 from pg_stat_user_indexes where indexrelname = 'operator_action_by_age'`)
	if after := pgtest.Query[int](t, f.Database, scans); after != before {
		t.Errorf("the table of actions was read from end to end %d times", after-before)
	}
	got := pgtest.Query[string](t, f.Database, `select count(*) || ' ' || round(extract(epoch from now() - interval '31 days' - min(at)) / 60) from sheetdrop.operator_action`)
	if got != "20000 20000" {
		t.Errorf("records that are left after a run and the age of the oldest: %s, want 20000 20000", got)
	}
}
