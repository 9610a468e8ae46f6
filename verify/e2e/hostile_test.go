package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// P1, P9: two hundred uploads at once on ten connections are each taken or told when to come again, and what was taken is loaded.
func TestTwoHundredUploads(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"DB_MAX_CONNS": "10"}})
	const uploads = 200
	answers := make([]e2e.Answer, uploads)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			header := http.Header{"Content-Type": {"text/csv"}}
			answers[i] = app.Do(t, http.MethodPost, fmt.Sprintf("/api/files?name=%d.csv", i), header, bytes.NewReader(csv(10, 10)))
		})
	}
	all.Wait()
	taken := 0
	for _, a := range answers {
		switch {
		case a.StatusCode == http.StatusAccepted:
			taken++
		case a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || !bytes.Contains(a.Text, []byte(`"busy"`)):
			t.Errorf("answered %s %s", a.Status, a.Text)
		}
	}
	t.Logf("%d of %d were taken", taken, uploads)
	if taken == 0 {
		t.Fatal("nothing was taken")
	}
	app.Database.Await(t, fmt.Sprintf(`select count(*) = %d from sheetdrop.task where status = 'COMPLETED'`, taken))
	wantExactRows(t, app, taken, 10)
}

// Whatever people write into columns, cells, sheets and options is text: it comes back as it was, and runs nowhere.
func TestSQLInTexts(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	texts := []string{`"); drop table sheetdrop.task; --`, `'; delete from sheetdrop.source_file; --`, `$1`, `\'; select pg_sleep(9) --`, `{"a":1}`, `%s`}
	sheetName := `a'; drop table x; --`
	book := excelize.NewFile()
	t.Cleanup(func() { book.Close() })
	if err := book.SetSheetName("Sheet1", sheetName); err != nil {
		t.Fatal(err)
	}
	row := slices.Clone(texts) // in another order: a header that is repeated is no row
	slices.Reverse(row)
	for cell, cells := range map[string][]string{"A1": texts, "A2": row} {
		if err := book.SetSheetRow(sheetName, cell, &cells); err != nil {
			t.Fatal(err)
		}
	}
	workbook, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	answer := app.Do(t, http.MethodPost, "/api/files?header=1&name=a.xlsx&sheet="+url.QueryEscape(sheetName), header, workbook)
	var accepted struct{ Task e2e.Task }
	if err := json.Unmarshal(answer.Text, &accepted); err != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatalf("%s %s", answer.Status, answer.Text)
	}
	if done := app.Await(t, accepted.Task.ID); done.Status != "COMPLETED" {
		t.Fatalf("task: %+v %+v", done, done.Error)
	}
	sheets := "/api/tasks/" + accepted.Task.ID.String() + "/sheets"
	var page struct {
		Columns []struct{ Name string }
		Rows    [][]string
	}
	app.Get(t, sheets+"/1/rows?values=raw", &page)
	var names []string
	for _, c := range page.Columns {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, texts) || len(page.Rows) != 1 || !slices.Equal(page.Rows[0], row) {
		t.Errorf("columns %q, rows %q, want %q and %q", names, page.Rows, texts, row)
	}
	var list struct{ Items []struct{ Name string } }
	if app.Get(t, sheets, &list); len(list.Items) != 1 || list.Items[0].Name != sheetName {
		t.Errorf("sheets %+v", list)
	}
	for _, text := range texts {
		cursor := base64.RawURLEncoding.EncodeToString([]byte(`{"l":"files","p":` + fmt.Sprintf("%q", text) + `}`))
		for _, path := range []string{
			"/api/files?cursor=" + cursor, "/api/files?cursor=" + url.QueryEscape(text), "/api/tasks/" + url.PathEscape(text), "/api/tasks?status=" + url.QueryEscape(text),
			"/api/outbox?event_type=" + url.QueryEscape(text),
		} {
			if answer := app.Do(t, http.MethodGet, path, nil, nil); answer.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: %s %s", path, answer.Status, answer.Text)
			}
		}
	}
	if n := pgtest.Query[int](t, app.Database, `select (select count(*) from sheetdrop.source_file) + (select count(*) from sheetdrop.task)`); n != 2 {
		t.Errorf("%d files and tasks, want 2", n)
	}
}

// P8: nothing that a client says of itself makes it somebody else, and what could have been said by another site changes nothing.
func TestHeadersThatPretend(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	upload := func(headers ...string) e2e.Answer {
		header := http.Header{"Content-Type": {"text/csv"}}
		for i := 0; i < len(headers); i += 2 {
			header.Add(headers[i], headers[i+1])
		}
		return app.Do(t, http.MethodPost, "/api/files?name=a.csv", header, strings.NewReader("a\n1\n"))
	}
	principal := base64.StdEncoding.EncodeToString([]byte(`{"auth_typ":"aad","claims":[{"typ":"oid","val":"o"},{"typ":"tid","val":"t"}]}`))
	a := upload("X-MS-CLIENT-PRINCIPAL", principal, "X-MS-CLIENT-PRINCIPAL-ID", "o", "X-Azure-Functions-InvocationId", "made-up")
	if a.StatusCode != http.StatusAccepted {
		t.Errorf("%s %s", a.Status, a.Text)
	}
	if a := upload("Sec-Fetch-Site", "cross-site"); a.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: %s %s", a.Status, a.Text)
	}
	if owners := pgtest.Query[string](t, app.Database, `select string_agg(owner, ' ') from sheetdrop.source_file`); owners != "local" {
		t.Errorf("the files' owners are %s", owners)
	}
	handler := app.StartHandler(t, nil)
	for _, header := range []string{"Host: evil.example", "Host: localhost\r\nX-Forwarded-Host: evil.example", "Host: localhost\r\nX-Forwarded-For: 192.0.2.7"} {
		if answer := exchange(t, handler, "GET /api/files HTTP/1.1\r\nConnection: close\r\n"+header+"\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 403 ") {
			t.Errorf("%s: %q", header, answer)
		}
	}
}
