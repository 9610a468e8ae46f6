package crash

import (
	"net/http"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// restoredAlert comes in each run of the relay while a recovery is under way.
const restoredAlert = `"alert":"database_restored"`

// byOperators is what people do besides sending files, most of it by operators.
var byOperators = map[string]scenario{
	"a file is parsed again": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		s.command(t, "/api/files/"+f.id.String()+"/tasks", "", http.StatusConflict)
		f.again = 1
	}},
	"many files are parsed again": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		s.command(t, "/api/bulk/tasks", `{"items":[{"file_id":"`+f.id.String()+`"}]}`)
		f.again = 1
	}},
	"a task's rows are deleted": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		s.insist(t, http.MethodDelete, "/api/tasks/"+f.task.String(), nil, nil)
		f.emptied = true
	}},
	"a task is retried": {
		prepare: failedTask,
		act: func(t *testing.T, s *scene) {
			s.command(t, "/api/tasks/"+s.files[0].task.String()+"/retry", "", http.StatusConflict)
		},
	},
	"failed tasks are retried": {
		prepare: failedTask,
		act:     func(t *testing.T, s *scene) { s.command(t, "/api/tasks/retry", "{}") },
	},
	"a message is redriven": {
		prepare: failedMessage,
		act: func(t *testing.T, s *scene) {
			message := pgtest.Query[string](t, s.Database, `select id::text from sheetdrop.outbox_message`)
			s.command(t, "/api/outbox/"+message+"/redrive", "", http.StatusConflict, http.StatusNotFound)
		},
	},
	"a restore is reported": {errors: []string{restoredAlert}, act: func(t *testing.T, s *scene) {
		s.command(t, "/api/recovery", `{"restored_to":"2026-01-01T00:00:00Z"}`)
	}},
	"a lost file is recovered": {errors: []string{restoredAlert}, act: func(t *testing.T, s *scene) {
		s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		blob := pgtest.Query[string](t, s.Database, `select blob_name from sheetdrop.source_file`)
		s.Exec(t, `with lost as (select id from sheetdrop.sheet), rows as (delete from sheetdrop.sheet_row where sheet_id in (select id from lost)),
  rejects as (delete from sheetdrop.row_reject where sheet_id in (select id from lost)), files as (delete from sheetdrop.source_file)
insert into sheetdrop.recovery (restored_to) values (now() - interval '1 h')`)
		s.insist(t, http.MethodGet, "/api/recovery/blobs", nil, nil)
		s.command(t, "/api/recovery/files", `{"blob":"`+blob+`"}`)
		s.command(t, "/api/recovery/end", "", http.StatusConflict)
	}},
	"failed messages are redriven": {
		prepare: failedMessage,
		act:     func(t *testing.T, s *scene) { s.command(t, "/api/outbox/redrive", "{}") },
	},
}

func failedTask(t *testing.T, s *scene) {
	s.store(t, sheet(5, 10))
	s.Exec(t, `update sheetdrop.task set status = 'FAILED', error_code = 'internal_error', finished_at = now(), attempt = 5, crashes = 5, started_at = now()`)
}

func failedMessage(t *testing.T, s *scene) {
	s.enqueue(t, s.store(t, sheet(5, 10)))
	s.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity', rejections = 5`)
}

// command sends a POST until it is answered well. others are statuses that say that it took effect before.
func (s *scene) command(t *testing.T, path, body string, others ...int) {
	t.Helper()
	s.insist(t, http.MethodPost, path, http.Header{"Content-Type": {"application/json"}}, []byte(body), others...)
}
