package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres"
	"sheetdrop/verify/e2e"
)

// scene is one running sheetdrop with all that was entrusted to it.
type scene struct {
	*e2e.App
	blobs  *azure.Blobs
	queue  *azure.Queue
	folder string // shared with the handler: see package crashpoint
	files  []*file
	failed int // requests that were not answered well, so that nothing was promised
}

// file is what a caller holds in hands after 202.
type file struct {
	key       string
	content   []byte
	id, task  uuid.UUID
	want      string // the state in which its tasks must end
	again     int    // tasks after the first
	deleted   bool   // the file
	emptied   bool   // its rows are deleted
	corrected bool   // its reject has become a row, with the id 0
	elsewhere bool   // its rows go into a target
}

// rows is how many the file has, without header and reject.
func (f *file) rows() int { return bytes.Count(f.content, []byte("\n")) - 2 }

// sheet is a CSV file of rows rows, numbered from 0, and of one record that must be rejected.
func sheet(rows, width int) []byte {
	var b strings.Builder
	b.WriteString("id,text\n")
	text := strings.Repeat("x", width)
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s\n", i, text)
		if i == 2 {
			b.WriteString("one,cell,too many\n")
		}
	}
	return []byte(b.String())
}

// picture is a file that cannot be read as a sheet.
var picture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00")

// upload sends a file until it is accepted.
func (s *scene) upload(t *testing.T, content []byte, want string) *file {
	t.Helper()
	f := &file{key: uuid.NewString(), content: content, want: want}
	accepted := s.send(t, f.key, content)
	f.id, f.task = accepted.FileID, accepted.TaskID
	s.files = append(s.files, f)
	return f
}

// uploadForm sends a file in a form, with an option behind it.
func (s *scene) uploadForm(t *testing.T, content []byte, option, value string) {
	t.Helper()
	f := &file{key: uuid.NewString(), content: content, want: "COMPLETED"}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "list.csv")
	if err == nil {
		_, err = part.Write(content)
	}
	if err := errors.Join(err, form.WriteField(option, value), form.Close()); err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {form.FormDataContentType()}, "Idempotency-Key": {f.key}}
	var answer struct {
		Items []struct{ File, Task struct{ ID uuid.UUID } }
	}
	text := s.insist(t, http.MethodPost, "/api/files", header, body.Bytes())
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Items) != 1 {
		t.Fatalf("the answer to a form: %v in %s", err, text)
	}
	f.id, f.task = answer.Items[0].File.ID, answer.Items[0].Task.ID
	s.files = append(s.files, f)
}

type accepted struct{ FileID, TaskID uuid.UUID }

func (s *scene) send(t *testing.T, key string, content []byte) accepted {
	t.Helper()
	header := http.Header{"Content-Type": {"application/octet-stream"}, "Idempotency-Key": {key}}
	text := s.insist(t, http.MethodPost, "/api/files?name=list.csv", header, content)
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("the answer to an upload: %v in %s", err, text)
	}
	return accepted{answer.File.ID, answer.Task.ID}
}

func (s *scene) cancel(t *testing.T, f *file) {
	t.Helper()
	s.insist(t, http.MethodPost, "/api/tasks/"+f.task.String()+"/cancel", nil, nil)
}

func (s *scene) delete(t *testing.T, f *file) {
	t.Helper()
	s.insist(t, http.MethodDelete, "/api/files/"+f.id.String(), nil, nil, http.StatusNotFound) // an answer that was lost
	f.deleted = true
}

// insist repeats a request until it is answered well, as callers must who get no answer, or 5xx. others are statuses that will do, too.
func (s *scene) insist(t *testing.T, method, path string, header http.Header, body []byte, others ...int) []byte {
	t.Helper()
	var answer []byte
	await.Until(t, "a good answer to "+method+" "+path, func() bool {
		status, text, err := s.try(t.Context(), method, path, header, body)
		switch {
		case t.Context().Err() != nil:
			t.Fatalf("%s %s: %v", method, path, t.Context().Err())
		case err != nil || status >= http.StatusInternalServerError:
			s.failed++
			return false
		case status >= http.StatusBadRequest && !slices.Contains(others, status):
			t.Fatalf("%s %s: %d %s", method, path, status, text)
		}
		answer = text
		return true
	})
	return answer
}

func (s *scene) try(ctx context.Context, method, path string, header http.Header, body []byte) (status int, text []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, s.Host.URL()+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// store puts a file and its task where an upload puts them, without a message.
func (s *scene) store(t *testing.T, content []byte) postgres.Upload {
	t.Helper()
	u := s.AddFile(t, content)
	s.files = append(s.files, &file{content: content, id: u.File.ID, task: u.TaskID, want: "COMPLETED"})
	return u
}

// enqueue writes the message of a stored file.
func (s *scene) enqueue(t *testing.T, u postgres.Upload) {
	t.Helper()
	err := s.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		return tx.InsertMessage(ctx, postgres.NewParseMessage(u.MessageID, u.TaskID), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// release lets go on what the scenario holds.
func (s *scene) release(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, "release"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// awaitFired waits until the handler has come to the effect and broken there.
func (s *scene) awaitFired(t *testing.T) {
	t.Helper()
	await.Until(t, "the scenario brings the handler to the effect", func() bool {
		_, err := os.Stat(filepath.Join(s.folder, "fired"))
		return err == nil
	})
}
