package upload

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/problem"
)

func filePart(name, content string) string {
	return fmt.Sprintf("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\nContent-Type: text/csv\r\n\r\n%s\r\n", name, content)
}

func fieldPart(name, value string) string {
	return fmt.Sprintf("--x\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, value)
}

func (d *testAPI) postForm(body string, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodPost, "/api/files", strings.NewReader(body+"--x--\r\n"), append(headers, "Content-Type: multipart/form-data; boundary=x")...)
}

// Several files come in one request, in order, under the options before them; a field may also stand in the query.
func TestMultipart(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var taken Uploaded
	d.postForm(fieldPart("delimiter", "tab")+filePart("注文.csv", "a\tb\r\n")+filePart("b.csv", "--x-is-no-boundary\n")).into(http.StatusAccepted, &taken)
	if len(taken.Items) != 2 || taken.Items[0].File.Name != "注文.csv" || taken.Items[1].File.Name != "b.csv" {
		t.Fatalf("took %+v", taken)
	}
	for i, want := range []string{"a\tb\r\n", "--x-is-no-boundary\n"} {
		item := taken.Items[i]
		if got := string(d.blob(item.File.ID)); got != want {
			t.Errorf("file %d is kept as %q", i+1, got)
		}
		var kept Task
		if d.get("/api/tasks/"+item.Task.ID.String()).into(http.StatusOK, &kept); string(kept.Options) != `{"delimiter":"\t"}` || item.Task.Options != nil {
			t.Errorf("options of file %d: %s, and in the answer %s", i+1, kept.Options, item.Task.Options)
		}
	}
	if string(taken.Options) != `{"delimiter":"\t"}` {
		t.Errorf("the answer has the options %s", taken.Options)
	}
	if n := len(d.nudges()); n != 2 {
		t.Errorf("%d nudges", n)
	}
}

// A generated client sends the fields of a form in the order of their names: options behind a file count for it as those
// before it, and are kept with its blob, from which it is recovered.
func TestOptionsStandAnywhereInAForm(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	target := d.target(pricesTarget)
	for _, form := range []string{
		fieldPart("options", `{"delimiter":"\t","header":1}`) + filePart("a.csv", "a\n") + filePart("b.csv", "b\n"),
		filePart("a.csv", "a\n") + fieldPart("delimiter", "tab") + filePart("b.csv", "b\n") + fieldPart("header", "1"),
		fieldPart("delimiter", "tab") + filePart("a.csv", "a\n") + filePart("b.csv", "b\n") + fieldPart("options", `{"delimiter":";","header":1}`),
	} {
		var taken Uploaded
		d.postForm(form).into(http.StatusAccepted, &taken)
		for _, item := range taken.Items {
			var kept Task
			d.get("/api/tasks/"+item.Task.ID.String()).into(http.StatusOK, &kept)
			if !equalJSON(kept.Options, json.RawMessage(`{"delimiter":"\t","header":1}`)) || !equalJSON(d.noteOf(item.File.ID).Options, kept.Options) {
				t.Errorf("%q: options %s, in the note %s", form, kept.Options, d.noteOf(item.File.ID).Options)
			}
		}
	}
	var taken Uploaded
	d.postForm(fieldPart("mode", "insert")+filePart("a.csv", "a\n")+fieldPart("target", "prices")).into(http.StatusAccepted, &taken)
	var kept struct{ Target struct{ ID uuid.UUID } }
	if err := json.Unmarshal(taken.Options, &kept); err != nil || kept.Target.ID != target.ID {
		t.Errorf("into %s: %v", taken.Options, err)
	}
	var shown sheet.Preview
	d.send(http.MethodPost, "/api/files?preview=5", strings.NewReader(filePart("a.csv", "a;b\n1;2\n")+fieldPart("delimiter", ",")+"--x--\r\n"),
		"Content-Type: multipart/form-data; boundary=x").into(http.StatusOK, &shown)
	if shown.Sheets[0].Dialect.Delimiter != "," {
		t.Errorf("the preview is split by %q", shown.Sheets[0].Dialect.Delimiter)
	}
}

// What options behind a file make wrong refuses all of the request, as it does before them.
func TestWrongOptionsBehindAFileLeaveNothing(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for form, code := range map[string]problem.Code{
		filePart("a.csv", "a\n") + fieldPart("header", "x"):                                               problem.InvalidOption,
		filePart("a.csv", "a\n") + fieldPart("haeder", "1"):                                               problem.UnknownOption,
		fieldPart("header", "1") + filePart("a.csv", "a\n") + fieldPart("header", "2"):                    problem.InvalidOption,
		filePart("a.csv", "a\n") + fieldPart("mode", "insert"):                                            problem.InvalidOption,
		filePart("a.csv", "a\n") + filePart("b.csv", "a\n") + fieldPart("duplicates", "refuse"):           problem.Duplicate,
		filePart("a.csv", "a\n") + fieldPart("target", "none"):                                            problem.NoSuchTarget,
		filePart("a.csv", "a\n") + filePart("b.csv", "b\n") + fieldPart("null", strings.Repeat("x", 101)): problem.InvalidOption,
	} {
		d.postForm(form).problem(code)
	}
	d.nothingLeft()
	d.noBlobs()
}

// All or nothing: one bad part refuses the request, names itself, and nothing is left of the good ones before it.
func TestMultipartAllOrNothing(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	problem := d.postForm(filePart("a.csv", "a\n") + filePart("b.csv", "b\n") + filePart("c.csv", "")).problem(problem.EmptyFile)
	if problem.Part != 3 {
		t.Errorf("part %d, want 3", problem.Part)
	}
	d.nothingLeft()
	d.noBlobs()
}

// The limit is for the request, not for each of its files.
func TestMultipartTooLarge(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 3000 }))
	body := filePart("a.csv", strings.Repeat("a", 1000)) + filePart("b.csv", strings.Repeat("b", 2500)) + "--x--\r\n"
	problem := d.send(http.MethodPost, "/api/files", chunked(body), "Content-Type: multipart/form-data; boundary=x").problem(problem.TooLarge)
	if problem.Part != 2 {
		t.Errorf("part %d, want 2", problem.Part)
	}
	d.nothingLeft()
	d.noBlobs()
}

// P9: options count for each file of a form, which is kept with them: those of a hundred files do not become a hundred
// times as long, neither in memory nor in the answer. Sent four times at once they must not end the server for
// everybody.
func TestMemoryOfOptions(t *testing.T) {
	t.Parallel()
	const bound = 128 << 20
	c := startChild(t, newChildParts(devtest.Database(t), newStorage(t), 1<<20))
	form := func(options, files int) string {
		var b strings.Builder
		for n := 0; n < options; n += 1000 {
			b.WriteString(fieldPart("column", fmt.Sprintf("c%d:text;allowed=%s", n, strings.Repeat("<<<<<<<<|", 105)+"<")))
		}
		for range files {
			b.WriteString(filePart("a.csv", "a\n"))
		}
		return b.String() + "--x--\r\n"
	}
	for _, test := range []struct{ options, files, status int }{
		{250_000, 100, http.StatusBadRequest}, {200_000, 4, http.StatusAccepted}, {8_000, 100, http.StatusAccepted},
	} {
		var sending sync.WaitGroup
		for range 4 {
			sending.Go(func() {
				response := post(t, c.address+"/api/files", "multipart/form-data; boundary=x", strings.NewReader(form(test.options, test.files)))
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				if err != nil || response.StatusCode != test.status || len(body) > 1<<20 {
					t.Errorf("%d bytes of options for %d files: %s, %d bytes, %v", test.options, test.files, response.Status, len(body), err)
				}
			})
		}
		sending.Wait()
	}
	if peak := c.end(); peak > bound {
		t.Errorf("held %d MiB", peak>>20)
	}
}
