package upload

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func filePart(name, content string) string {
	return fmt.Sprintf("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\nContent-Type: text/csv\r\n\r\n%s\r\n", name, content)
}

func fieldPart(name, value string) string {
	return fmt.Sprintf("--x\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, value)
}

func (d *door) postForm(body string, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodPost, "/api/files", strings.NewReader(body+"--x--\r\n"), append(headers, "Content-Type: multipart/form-data; boundary=x")...)
}

// Several files come in one request, in order, under the options before them; a field may also stand in the query.
func TestMultipart(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
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
		if string(item.Task.Options) != `{"delimiter":"\t"}` {
			t.Errorf("options of file %d: %s", i+1, item.Task.Options)
		}
	}
	if n := len(d.nudges()); n != 2 {
		t.Errorf("%d nudges", n)
	}
}

// All or nothing: one bad part refuses the request, names itself, and nothing is left of the good ones before it.
func TestMultipartAllOrNothing(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	problem := d.postForm(filePart("a.csv", "a\n") + filePart("b.csv", "b\n") + filePart("c.csv", "")).problem(EmptyFile)
	if problem.Part != 3 {
		t.Errorf("part %d, want 3", problem.Part)
	}
	d.nothingLeft()
	d.noBlobs()
}

// The limit is for the request, not for each of its files.
func TestMultipartTooLarge(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withSettings(func(s *Settings) { s.MaxBytes = 3000 }))
	body := filePart("a.csv", strings.Repeat("a", 1000)) + filePart("b.csv", strings.Repeat("b", 2500)) + "--x--\r\n"
	problem := d.send(http.MethodPost, "/api/files", chunked(body), "Content-Type: multipart/form-data; boundary=x").problem(TooLarge)
	if problem.Part != 2 {
		t.Errorf("part %d, want 2", problem.Part)
	}
	d.nothingLeft()
	d.noBlobs()
}
