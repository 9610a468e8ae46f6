package crash

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// request is one without a body: the host sends it again when its handler dies before it has answered.
type request struct {
	by           string // the method that handles it, as Type.Method
	method, path string
	status       int    // of the answer
	done         string // a query that is true when it was done once
}

// redelivered are all requests without a body that change something, each made for what it needs.
var redelivered = map[string]func(t *testing.T, s *scene) request{
	"a file is parsed again": func(t *testing.T, s *scene) request {
		failedTask(t, s)
		path := "/api/files/" + s.files[0].id.String() + "/tasks"
		return request{"tasks.postTask", http.MethodPost, path, http.StatusAccepted, `select count(*) = 2 from sheetdrop.task`}
	},
	"a file is deleted": func(t *testing.T, s *scene) request {
		path := "/api/files/" + s.store(t, sheet(5, 10)).File.ID.String()
		return request{"files.deleteFile", http.MethodDelete, path, http.StatusNoContent, `select deleted_at is not null from sheetdrop.source_file`}
	},
	"a task is cancelled": func(t *testing.T, s *scene) request {
		path := "/api/tasks/" + s.store(t, sheet(5, 10)).TaskID.String() + "/cancel"
		return request{"tasks.cancelTask", http.MethodPost, path, http.StatusOK, `select status = 'CANCELLED' from sheetdrop.task`}
	},
	"a task is retried": func(t *testing.T, s *scene) request {
		failedTask(t, s)
		path := "/api/tasks/" + s.files[0].task.String() + "/retry"
		return request{"tasks.retryTask", http.MethodPost, path, http.StatusOK, `select count(*) = 1 from sheetdrop.outbox_message`}
	},
	"a task's rows are deleted": func(t *testing.T, s *scene) request {
		failedTask(t, s)
		path := "/api/tasks/" + s.files[0].task.String()
		return request{"tasks.deleteRows", http.MethodDelete, path, http.StatusNoContent, `select rows_deleted_at is not null from sheetdrop.task`}
	},
	"a message is redriven": func(t *testing.T, s *scene) request {
		failedMessage(t, s)
		path := "/api/outbox/" + pgtest.Query[string](t, s.Database, `select id::text from sheetdrop.outbox_message`) + "/redrive"
		return request{"operators.redriveMessage", http.MethodPost, path, http.StatusOK, `select not exists (select from sheetdrop.outbox_message where status = 'FAILED')`}
	},
}

// A handler dies after COMMIT and before its answer, and the host sends the next one the same request. A caller who sends it once gets its answer, and
// it is done once.
func TestHostSendsTheRequestAgain(t *testing.T) {
	t.Parallel()
	for name, prepare := range redelivered {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			request := prepare(t, s)
			s.App = e2e.Start(t, e2e.Options{
				Database: s.Database, Storage: &s.Storage, Tags: "crashpoints", Functions: []string{"upload-api"}, Settings: request.deadly(t, s),
			})
			if a := s.Do(t, request.method, request.path, nil, nil); a.StatusCode != request.status {
				t.Errorf("%s %s, want %d", a.Status, a.Text, request.status)
			}
			if n := s.Host.Stats().HandlerStarts; n != 2 {
				t.Errorf("the handler started %d times, want 2", n)
			}
			request.wantDoneOnce(t, s)
		})
	}
}

// deadly are the settings with which a handler dies when it has committed what the request asks for, the first time.
func (r request) deadly(t *testing.T, s *scene) map[string]string {
	_, given := effectsOf(readSource(t))
	return map[string]string{
		"CRASHPOINT_DIR": s.folder, "CRASHPOINT": "after upload-api." + r.by + " InTx", "CRASHPOINT_THROUGH": strings.Join(given, ","),
	}
}

func (r request) wantDoneOnce(t *testing.T, s *scene) {
	t.Helper()
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.operator_action`); n != 1 {
		t.Errorf("%d actions are recorded, want 1", n)
	}
	if !pgtest.Query[bool](t, s.Database, r.done) {
		t.Errorf("false: %s", r.done)
	}
}
