package crash

import (
	"strings"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
)

// byReconciler is what the reconciler finds and takes away.
var byReconciler = map[string]scenario{
	"a message is poisoned": {
		alerts: []string{"dead_letter"},
		prepare: func(t *testing.T, s *scene) {
			if err := azure.Provision(t.Context(), azure.Settings{Connection: s.Storage.ConnectionString, Container: s.Storage.Container, Queue: s.Storage.Queue}); err != nil {
				t.Fatal(err)
			}
			_, poison := s.Storage.Queues(t)
			if _, err := poison.EnqueueMessage(t.Context(), "unusable", nil); err != nil {
				t.Fatal(err)
			}
		},
		after: func(t *testing.T, s *scene) {
			if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.dead_letter where text = 'unusable'`); n != 1 {
				t.Errorf("%d dead letters, want 1", n)
			}
		},
	},
	"a blob has no file": {
		prepare: func(t *testing.T, s *scene) {
			if err := s.blobs.Upload(t.Context(), "2026/01/01/orphan", strings.NewReader("x")); err != nil {
				t.Fatal(err)
			}
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select swept_at is not null and sweep_marker = '' from sheetdrop.reconciler`)
		},
	},
	"a file is old": {
		settings: map[string]string{"FILE_RETENTION_DAYS": "1"},
		prepare: func(t *testing.T, s *scene) {
			s.store(t, sheet(5, 10))
			s.Exec(t, `update sheetdrop.source_file set created_at = now() - interval '2 days'`)
			s.files[0].deleted = true
		},
	},
	"a deleted file has rows": {
		prepare: deletedFile,
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select purged_at is not null and not exists (select from sheetdrop.sheet_row) and not exists (select from sheetdrop.sheet_purge)
from sheetdrop.source_file`)
		},
	},
	"a file was deleted a week ago": {
		prepare: func(t *testing.T, s *scene) {
			deletedFile(t, s)
			s.Exec(t, `update sheetdrop.source_file set deleted_at = now() - interval '8 days'`)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.source_file) and not exists (select from sheetdrop.task)`)
			s.files = nil
		},
	},
	"records are old": {
		prepare: func(t *testing.T, s *scene) {
			s.Exec(t, `insert into sheetdrop.operator_action (id, at, caller, action, target) values (gen_random_uuid(), now() - interval '366 days', 'a', 'b', gen_random_uuid())`)
			s.Exec(t, `insert into sheetdrop.bulk_operation (id, created_at, owner) values (gen_random_uuid(), now() - interval '366 days', 'local')`)
			s.Exec(t, `insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, reason) select id, 1, gen_random_uuid(), 'gone' from sheetdrop.bulk_operation`)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.operator_action) and not exists (select from sheetdrop.bulk_operation)
  and not exists (select from sheetdrop.bulk_item)`)
		},
	},
	"loads of a target are old": {
		prepare: func(t *testing.T, s *scene) {
			filesFor(upserted)(t, s)
			s.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, applied_at)
select nextval('sheetdrop.load_id'), id, gen_random_uuid(), gen_random_uuid(), 'old.csv', 1, 1, 'upsert', '{id}', '{}', now() - interval '91 days' from sheetdrop.target`)
			s.Exec(t, `insert into data.list__seen select 1, id, 1 from sheetdrop.target_load`)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from data.list__seen) and not exists (select from sheetdrop.target_load where history_deleted_at is null)`)
		},
	},
	"an owner has been away": {
		prepare: func(t *testing.T, s *scene) {
			s.Exec(t, `insert into sheetdrop.owner_usage (owner, day, files, bytes, tasks) values ('away', (now() - interval '9 days')::date, 1, 1, 1)`)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.owner_usage)`)
		},
	},
	"a day of the history is over": {
		prepare: func(t *testing.T, s *scene) {
			s.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, payload, attempts, created_at, processed_at)
select (floor(extract(epoch from now()) / 86400)::bigint - 20) % 32, gen_random_uuid(), 'PARSE_TASK', '{}', 1, now(), now()`)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.outbox_history)`)
		},
	},
}

// deletedFile stores a file that was deleted after its rows were loaded, and whose bytes are gone already.
func deletedFile(t *testing.T, s *scene) {
	u := s.store(t, sheet(5, 10))
	s.Exec(t, `update sheetdrop.task set status = 'CANCELLED', finished_at = now()`)
	s.Exec(t, `update sheetdrop.source_file set deleted_at = now()`)
	s.Exec(t, `insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
values (nextval('sheetdrop.sheet_id'), $1, 1, 'a', true, '{}', '[]', 1, 1, 0, 0)`, u.TaskID)
	s.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select id, 1, '{1,x}' from sheetdrop.sheet`)
	if err := s.blobs.Delete(t.Context(), u.File.BlobName); err != nil {
		t.Fatal(err)
	}
	s.files[0].deleted = true
}
