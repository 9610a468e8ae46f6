package upload

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sheetdrop/upload-api/internal/problem"
)

// P8: rejects are corrected by their owner alone, and nothing is kept of a file that could correct none.
func TestCorrectionsNeedASheetOfOnesOwn(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	path := "/api/files?name=b.csv&corrects=" + url.QueryEscape(taken.Task.ID.String()+"/1")
	send := func(path string) answer {
		return d.send(http.MethodPost, path, strings.NewReader("a\n1\n"), "Content-Type: text/csv")
	}
	send(path).problem(problem.NotFound) // not COMPLETED yet
	sheetID := sheetOf(d, taken.Task.ID, "a")
	send(strings.Replace(path, "%2F1", "%2F2", 1)).problem(problem.NotFound)
	send("/api/files?name=b.csv&corrects=1").problem(problem.InvalidOption)
	send(path + "&column=a:text").problem(problem.InvalidOption)
	d.exec(`update sheetdrop.source_file set owner = 'another'`)
	send(path).problem(problem.NotFound)
	d.send(http.MethodPost, strings.Replace(path, "/files?name=b.csv&", "/uploads?", 1), strings.NewReader(`{"name":"b.csv","size_bytes":5}`),
		"Content-Type: application/json").problem(problem.NotFound)
	d.exec(`update sheetdrop.source_file set owner = 'local'`)
	d.exec(`update sheetdrop.task set options = '{"dry_run":true}'`)
	send(path).problem(problem.NotFound)
	d.exec(`update sheetdrop.task set options = '{"corrects":"x/1"}'`) // the rejects of corrections are those of the sheet that they correct
	send(path).problem(problem.NotFound)
	var files, blobs int
	d.query(&files, `select count(*) from sheetdrop.source_file`)
	if d.query(&blobs, `select count(*) from sheetdrop.upload`); files != 1 || blobs != 0 || sheetID == 0 {
		t.Errorf("%d files and %d uploads are left", files, blobs)
	}
	d.exec(`update sheetdrop.task set options = '{}'`)
	send(path).into(http.StatusAccepted, &FileAndTask{})
}
