package upload

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// previewOf previews a stored file, which must succeed.
func (d *testAPI) previewOf(file uuid.UUID, query string, headers ...string) (found sheet.Preview) {
	d.t.Helper()
	d.get("/api/files/"+file.String()+"/preview?"+query, headers...).into(http.StatusOK, &found)
	return found
}

// Before a file is parsed again people see how it would be: as a preview of the same bytes with the same options says. Nothing is stored, and
// the file keeps its task.
func TestPreviewOfAStoredFile(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	content := sample(t, "prices.csv")
	var taken FileAndTask
	d.send(http.MethodPost, "/api/files?name=prices.csv&delimiter=semicolon&footer=none", bytes.NewReader(content), "Content-Type: text/csv").
		into(http.StatusAccepted, &taken)
	before := d.everything()
	for query, same := range map[string]string{
		"":                                   "&delimiter=semicolon&footer=none", // the newest task's
		"rows=100":                           "&delimiter=semicolon&footer=none",
		"encoding=auto":                      "",
		"delimiter=comma&header=0&rows=1000": "&delimiter=comma&header=0",
	} {
		got, want := d.previewOf(taken.File.ID, query), d.preview(same, content)
		if query != "delimiter=comma&header=0&rows=1000" && jsonOf(got) != jsonOf(want) {
			t.Errorf("%q: the preview is\n%s\nwant\n%s", query, jsonOf(got), jsonOf(want))
		}
		if s := got.Sheets[0]; s.RowsRead != want.Sheets[0].RowsRead || s.Dialect != want.Sheets[0].Dialect {
			t.Errorf("%q: the preview is %+v, want %+v", query, s, want.Sheets[0])
		}
	}
	if found := d.previewOf(taken.File.ID, "rows=2").Sheets[0]; len(found.Rows) != 2 || found.RowsAccepted != 40 {
		t.Errorf("%d rows of %d are shown, want 2 of 40", len(found.Rows), found.RowsAccepted)
	}
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
	path := "/api/files/" + taken.File.ID.String() + "/preview?"
	for query, code := range map[string]problem.Code{
		"rows=0": problem.InvalidParameter, "rows=1001": problem.InvalidParameter, "rows=": problem.InvalidParameter, "rows=1&rows=2": problem.InvalidParameter,
		"preview=1": problem.UnknownOption, "delimeter=x": problem.UnknownOption, "delimiter=x": problem.InvalidOption, "target=prices": problem.UnknownOption,
		"partial=true": problem.UnknownOption, "options=1": problem.InvalidOption,
	} {
		d.get(path + query).problem(code)
	}
	d.get("/api/files/" + task.NewID().String() + "/preview").problem(problem.NotFound)
	d.exec(`delete from sheetdrop.outbox_message`)
	d.send(http.MethodDelete, "/api/files/"+taken.File.ID.String(), nil)
	d.get(path).problem(problem.NotFound)
}

// Of a file for a target, people see how its records are read.
func TestPreviewOfAFileForATarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.target(pricesTarget)
	var taken FileAndTask
	d.post("/api/files?name=a.csv&delimiter=comma&target=prices", "Artikelnummer,Nettopreis\n1,2\n").into(http.StatusAccepted, &taken)
	if found := d.previewOf(taken.File.ID, ""); len(found.Sheets) != 1 || found.Sheets[0].RowsAccepted != 1 {
		t.Errorf("found %+v", found)
	}
}

// P9: a preview of a stored file reads no more of it than one that is sent, takes one of the same places, and is ended likewise.
func TestPreviewsOfStoredFilesAreBounded(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withHandler(func(h *Handler) { h.placeWait = 0 }), withSettings(func(s *Settings) { s.Preview.MaxBytes = 1000 }))
	ann := signedIn("ann")
	long := d.upload("long.csv", "id,note\n"+strings.Repeat("1,\"two\nlines\"\n", 500), ann)
	found := d.previewOf(long.File.ID, "", ann)
	if s := found.Sheets[0]; found.Complete || s.RowsRejected > 0 || s.RowsAccepted < 30 || s.RowsAccepted > 80 {
		t.Errorf("of a long text: complete %v, %d rows, rejects %+v", found.Complete, s.RowsAccepted, s.Rejects)
	}
	book := d.upload("book.xlsx", string(sample(t, "stock.xlsx")), ann)
	if p := d.get("/api/files/"+book.File.ID.String()+"/preview", ann).problem(problem.TooLarge); !strings.Contains(p.Detail, "dry_run") {
		t.Errorf("of a long workbook the problem is %s", p.Detail)
	}
	path := "/api/files/" + long.File.ID.String() + "/preview"
	for range 2 { // half of the places
		if _, err := d.previewing.take(t.Context(), "aad:tenant/ann", 0); err != nil {
			t.Fatal(err)
		}
	}
	d.get(path, ann).problem(problem.TooManyAtOnce)

	slow := newTestAPI(t, withHandler(func(h *Handler) { h.previewer.Timeout = time.Nanosecond }))
	slow.get("/api/files/" + slow.upload("a.csv", "a\n1\n").File.ID.String() + "/preview").problem(problem.PreviewTimeout)
	off := newTestAPI(t, withSettings(func(s *Settings) { s.Preview = receive.PreviewSettings{} }))
	off.get("/api/files/" + off.upload("a.csv", "a\n1\n").File.ID.String() + "/preview").problem(problem.TooLarge)
}

// Bytes that are gone, or are not those of the file any more, are not previewed as if they were it.
func TestPreviewOfChangedContent(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	u := d.stage("a.csv", "a\n1\n")
	d.complete(u).into(http.StatusAccepted, &FileAndTask{})
	if found := d.previewOf(u.ID, ""); found.Sheets[0].RowsAccepted != 1 {
		t.Errorf("found %+v", found)
	}
	if status := d.put(u.Address.URL, []byte("x\n9\n"), "x-ms-blob-type: BlockBlob"); status >= 300 {
		t.Fatalf("overwriting it: %d", status)
	}
	d.get("/api/files/" + u.ID.String() + "/preview").problem(problem.ContentMissing)
}
