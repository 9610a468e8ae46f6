package e2e_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// The same corrections, sent several times at the same moment, make each row once; together they load as many as there are.
func TestCorrectionsAtOnce(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	const rejects, times = 200, 6
	content := "id,name\r\n" + strings.Repeat("1\r\n", rejects) + "1,a\r\n2,b\r\n"
	first := app.Await(t, app.Upload(t, "list.csv", []byte(content)).ID)
	wantCounts(t, first, 2, rejects, 0)
	path := "/api/tasks/" + first.ID.String() + "/sheets/1/rejects?format=csv&layout=records"
	sent := []byte(strings.ReplaceAll(string(download(t, app, path, nil)), ",1,\r\n", ",1,x\r\n"))
	target := url.QueryEscape(first.ID.String() + "/1")
	var tasks []e2e.Task
	for range times {
		answer := app.Do(t, http.MethodPost, "/api/files?name=fixed.csv&corrects="+target, http.Header{"Content-Type": {"text/csv"}}, bytes.NewReader(sent))
		if answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", answer.Status, answer.Text)
		}
		tasks = append(tasks, taskIn(t, answer))
	}
	var loaded, skipped int64
	for _, task := range tasks {
		ended := app.Await(t, task.ID)
		if ended.Status != "COMPLETED" {
			t.Fatalf("%+v %+v", ended, ended.Error)
		}
		loaded, skipped = loaded+ended.Summary.RowsLoaded, skipped+ended.Summary.RowsSkipped
	}
	if loaded != rejects || skipped != (times-1)*rejects {
		t.Errorf("%d rows were loaded and %d skipped, want %d and %d", loaded, skipped, rejects, (times-1)*rejects)
	}
	wantCounts(t, app.Await(t, first.ID), rejects+2, 0, 0)
	if got := strings.Count(rawRows(t, app, first), ",x\r\n"); got != rejects {
		t.Errorf("%d rows were corrected, want %d", got, rejects)
	}
}
