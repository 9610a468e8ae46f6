package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// Whatever a caller sends gets a 4xx with a code and words, through the host as well, leaves nothing behind, and the next caller is served.
func TestBadUploads(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"UPLOAD_MAX_BYTES": "1000"}})
	big := strings.Repeat("x", 300_000)
	chunked := func(text string) io.Reader { return struct{ io.Reader }{strings.NewReader(text)} } // its length cannot be known
	csvType := http.Header{"Content-Type": {"text/csv"}}
	for name, c := range map[string]struct {
		path   string
		header http.Header
		body   io.Reader
		status int
		code   string
	}{
		"an empty body":                   {"/api/files?name=a.csv", csvType, http.NoBody, 400, "empty_file"},
		"an empty file in a form":         {"/api/files", form, strings.NewReader(formOf("")), 400, "empty_file"},
		"no name":                         {"/api/files", csvType, strings.NewReader("a\n1\n"), 400, "name_missing"},
		"a name with a line break":        {"/api/files?name=a%0Ab.csv", csvType, strings.NewReader("a\n1\n"), 400, "invalid_name"},
		"JSON":                            {"/api/files?name=a.csv", http.Header{"Content-Type": {"application/json"}}, strings.NewReader("{}"), 415, "unsupported_media_type"},
		"a form without a boundary":       {"/api/files", http.Header{"Content-Type": {"multipart/form-data"}}, strings.NewReader(formOf("a")), 415, "unsupported_media_type"},
		"an unknown option":               {"/api/files?name=a.csv&no_such=1", csvType, strings.NewReader("a\n1\n"), 400, "unknown_option"},
		"an option's unknown value":       {"/api/files?name=a.csv&encoding=klingon", csvType, strings.NewReader("a\n1\n"), 400, "invalid_option"},
		"too large, its length announced": {"/api/files?name=a.csv", csvType, strings.NewReader(big), 413, "too_large"},
		"too large, with Expect, as curl": {"/api/files?name=a.csv", http.Header{"Content-Type": {"text/csv"}, "Expect": {"100-continue"}}, strings.NewReader(big), 413, "too_large"},
		"too large, in chunks":            {"/api/files?name=a.csv", csvType, chunked(big), 413, "too_large"},
		"too large, in a form":            {"/api/files", form, strings.NewReader(formOf(big)), 413, "too_large"},
		"too large, in a form in chunks":  {"/api/files", form, chunked(formOf(big)), 413, "too_large"},
		"a form that breaks off":          {"/api/files", form, strings.NewReader(strings.TrimSuffix(formOf("a,b\n1,2"), "\r\n--x--\r\n")), 400, "invalid_multipart"},
	} {
		answer := app.Do(t, http.MethodPost, c.path, c.header, c.body)
		var problem struct{ Code, Detail string }
		err := json.Unmarshal(answer.Text, &problem)
		if answer.StatusCode != c.status || err != nil || problem.Code != c.code || problem.Detail == "" {
			t.Errorf("%s: %s %s, want %d %s with words", name, answer.Status, answer.Text, c.status, c.code)
		}
		if got := answer.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s: answered as %s", name, got)
		}
	}
	wantNothingLeft(t, app)
	for path, status := range map[string]int{
		"/api/tasks/not-an-id": 400, "/api/files/01890a5d-ac96-774b-bcce-b302099a8057": 404, "/api/no-such-path": 404, "/api/files?limit=10001": 400,
	} {
		if answer := app.Do(t, http.MethodGet, path, nil, nil); answer.StatusCode != status {
			t.Errorf("GET %s: %s %s, want %d", path, answer.Status, answer.Text, status)
		}
	}
	if done := app.Await(t, app.Upload(t, "good.csv", csv(3, 3)).ID); done.Status != "COMPLETED" {
		t.Errorf("afterwards: %+v", done)
	}
}

var form = http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}

func formOf(content string) string {
	return "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n" + content + "\r\n--x--\r\n"
}

func wantNothingLeft(t *testing.T, app *e2e.App) {
	t.Helper()
	if n := pgtest.Query[int](t, app.Database, `select (select count(*) from sheetdrop.source_file) + (select count(*) from sheetdrop.outbox_message)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if names := app.BlobNames(t); len(names) != 0 {
		t.Errorf("blobs are left: %v", names)
	}
}
