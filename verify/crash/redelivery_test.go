package crash

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// A handler dies after COMMIT and before its answer, and the host sends the next one the same request. A caller who sends it once gets its answer, and
// it is done once. That it is so for every operation, a test of upload-api holds.
func TestHostSendsTheRequestAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failedTask(t, s)
	_, given := effectsOf(readSource(t))
	s.App = e2e.Start(t, e2e.Options{
		Database: s.Database, Storage: &s.Storage, Tags: "crashpoints", Functions: []string{"upload-api"}, Settings: map[string]string{
			"CRASHPOINT_DIR": s.folder, "CRASHPOINT": "after upload-api.tasks.retryTask InTx", "CRASHPOINT_THROUGH": strings.Join(given, ","),
		},
	})
	if a := s.Do(t, http.MethodPost, "/api/tasks/"+s.files[0].task.String()+"/retry", nil, nil); a.StatusCode != http.StatusOK {
		t.Errorf("%s %s, want 200", a.Status, a.Text)
	}
	if n := s.Host.Stats().HandlerStarts; n != 2 {
		t.Errorf("the handler started %d times, want 2", n)
	}
	done := pgtest.Query[string](t, s.Database, `select concat_ws(' ', (select count(*) from sheetdrop.operator_action), (select count(*) from sheetdrop.outbox_message))`)
	if done != "1 1" {
		t.Errorf("actions and messages: %s, want one of each", done)
	}
}
