package upload

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/sheet"
	"sheetdrop/samples"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// preview posts a file for a preview that must succeed.
func (d *testAPI) preview(query string, body []byte) (found sheet.Preview) {
	d.t.Helper()
	d.send(http.MethodPost, "/api/files?preview=100"+query, bytes.NewReader(body), "Content-Type: text/csv").into(http.StatusOK, &found)
	return found
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	content, err := samples.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A preview shows how a file is read, and stores nothing: no file, no blob, no task, no usage of the day.
func TestPreview(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.Quota.DailyFiles = 1 }))
	found := d.preview("", sample(t, "prices.csv"))
	s := found.Sheets[0]
	if !found.Complete || found.Format != "csv" || found.Encoding != "utf-8" || len(s.Rows) != 40 || len(s.Rejects) != 3 || s.RowsAccepted != 40 ||
		len(s.Columns) != 7 || s.Columns[3].Type != "decimal" || s.Columns[3].Format != "#.##0,0" {
		t.Errorf("found %+v", found)
	}
	if row := s.Rows[0]; fmt.Sprint(row.Values[3]) != "1.99" || *row.Text[3] != "1,99" || row.Values[5] != "2024-01-01" || *row.Text[5] != "01.01.2024" {
		t.Errorf("the first row is %v, %v", row.Values, row.Text)
	}
	if reject := s.Rejects[0]; reject.Line != 12 || reject.Errors[0].Code != sheet.MissingCell || reject.Errors[0].ColumnName != "MwSt" {
		t.Errorf("the first reject is %+v", reject)
	}
	var form sheet.Preview
	d.send(http.MethodPost, "/api/files?preview=2", strings.NewReader(fieldPart("header", "0")+fieldPart("duplicates", "refuse")+filePart("a.csv", "a,b\n1,2\n3,4\n")+"--x--\r\n"),
		"Content-Type: multipart/form-data; boundary=x").into(http.StatusOK, &form)
	if s := form.Sheets[0]; len(s.Rows) != 2 || s.RowsAccepted != 3 || s.Columns[0].Name != "column_1" {
		t.Errorf("of a form: %+v", s)
	}
	book := d.preview("", sample(t, "stock.xlsx"))
	if !book.Complete || book.Format != "xlsx" || len(book.Sheets) != 3 || book.Sheets[2].Read || book.Sheets[2].Visible || len(book.Sheets[0].Rows) != 25 {
		t.Errorf("of a workbook: %+v", book)
	}
	refused := d.preview("", []byte("%PDF-1.7 no table"))
	if refused.Error == nil || refused.Error.Code != sheet.UnsupportedFormat || len(refused.Sheets) != 0 {
		t.Errorf("of a PDF: %+v", refused)
	}
	d.nothingLeft()
	d.noBlobs()
	if n := d.count("owner_usage"); n != 0 {
		t.Errorf("%d rows of usage", n)
	}
}

// The options of a preview, used as they stand, are those of the task.
func TestOptionsOfAPreviewReadAlike(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	content := sample(t, "orders.csv")
	first := d.preview("&column="+"%E5%8F%97%E6%B3%A8%E7%95%AA%E5%8F%B7:integer;required", content)
	options := jsonOf(first.Sheets[0].Options)
	again := d.preview("&options="+queryEscaped(options), content)
	first.Sheets[0].Candidates, again.Sheets[0].Candidates = nil, nil // the other ones were not tried again
	if jsonOf(again) != jsonOf(first) {
		t.Errorf("with %s the preview is\n%s\nwant\n%s", options, jsonOf(again), jsonOf(first))
	}
	var taken Uploaded
	d.postForm(fieldPart("options", options)+filePart("orders.csv", string(content))).into(http.StatusAccepted, &taken)
	if !equalJSON(taken.Options, []byte(options)) {
		t.Errorf("the task has %s, want %s", taken.Options, options)
	}
}

func queryEscaped(text string) string {
	return strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", "#", "%23", " ", "%20", `"`, "%22").Replace(text)
}

// Of a long text the beginning is read, whether the client or the server cuts it, and the record at the cut is none. A workbook has to be
// whole.
func TestPreviewOfAPart(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.Preview.MaxBytes = 1000 }))
	text := "id,note\n" + strings.Repeat("1,\"two\nlines\"\n", 500)
	for name, found := range map[string]sheet.Preview{
		"cut by the server": d.preview("", []byte(text)),
		"cut by the client": d.preview("&partial=true", []byte(text[:505])),
	} {
		if s := found.Sheets[0]; found.Complete || s.RowsRejected > 0 || s.RowsAccepted < 30 || s.RowsAccepted > 80 {
			t.Errorf("%s: complete %v, %d rows, rejects %+v", name, found.Complete, s.RowsAccepted, s.Rejects)
		}
	}
	book := sample(t, "stock.xlsx")
	for _, a := range []answer{
		d.post("/api/files?preview=10", string(book)),
		d.post("/api/files?preview=10&partial=true", string(book[:500])),
	} {
		if p := a.problem(problem.TooLarge); !strings.Contains(p.Detail, "dry_run") {
			t.Errorf("the problem is %s", p.Detail)
		}
	}
}

// What a preview cannot be is said.
func TestBadPreviews(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for query, code := range map[string]problem.Code{
		"preview=0": problem.InvalidParameter, "preview=1001": problem.InvalidParameter, "preview=many": problem.InvalidParameter,
		"preview=": problem.InvalidParameter, "preview=1&preview=2": problem.InvalidParameter, "preview=1&partial=half": problem.InvalidParameter,
		"preview=1&delimeter=x": problem.UnknownOption, "preview=1&delimiter=x": problem.InvalidOption, "preview=1&options=1": problem.InvalidOption,
		"partial=true&name=a.csv": problem.UnknownOption,
	} {
		d.post("/api/files?"+query, "a\n1\n").problem(code)
	}
	d.post("/api/files?preview=1", "").problem(problem.EmptyFile)
	form := func(body string) answer {
		return d.send(http.MethodPost, "/api/files?preview=1", strings.NewReader(body+"--x--\r\n"), "Content-Type: multipart/form-data; boundary=x")
	}
	form(fieldPart("header", "1")).problem(problem.NoFile)
	form(filePart("a.csv", "a\n") + filePart("b.csv", "b\n")).problem(problem.TooManyParts)
	off := newTestAPI(t, withSettings(func(s *Settings) { s.Preview = receive.PreviewSettings{} }))
	off.post("/api/files?preview=1", "a\n").problem(problem.TooLarge)
	d.nothingLeft()
}

// P9: previews have their own places, few of them, none of which one owner can hold all of; what takes too long is ended, and what is shown
// is bounded whatever is in the file.
func TestPreviewsAreBounded(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withHandler(func(h *Handler) { h.placeWait = 0 }), withSettings(func(s *Settings) { s.MaxBytes = 2 << 20 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	var held []func()
	for range 2 {
		release, err := d.previewing.take(t.Context(), "aad:tenant/ann", 0)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, release)
	}
	d.post("/api/files?preview=1", "a\n1\n", ann).problem(problem.TooManyAtOnce)
	d.post("/api/files?preview=1", "a\n1\n", bob).into(http.StatusOK, &sheet.Preview{})
	for _, release := range held {
		release()
	}
	wide := strings.Repeat("\x01\"\"", 300_000)
	if a := d.post("/api/files?preview=1000", "a,b\n"+strings.Repeat("1,"+wide[:900]+"\n", 1000), ann); a.status != http.StatusOK || len(a.body) > 32<<20 {
		t.Errorf("%d, %d bytes", a.status, len(a.body))
	}
	slow := newTestAPI(t, withHandler(func(h *Handler) { h.previewer.Timeout = time.Nanosecond }))
	slow.post("/api/files?preview=1", "a\n1\n").problem(problem.PreviewTimeout)
}
