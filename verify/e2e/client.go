package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"
)

// Task is a task as the API shows it.
type Task struct {
	ID      uuid.UUID `json:"id"`
	FileID  uuid.UUID `json:"file_id"`
	Status  string    `json:"status"`
	Attempt int       `json:"attempt"`
	Summary *struct {
		RowsRead     int64 `json:"rows_read"`
		RowsLoaded   int64 `json:"rows_loaded"`
		RowsRejected int64 `json:"rows_rejected"`
		RowsSkipped  int64 `json:"rows_skipped"`
		RowsValid    int64 `json:"rows_valid"`
	} `json:"summary"`
	Error *struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		MessageJA string `json:"message_ja"`
	} `json:"error"`
}

// Answer is an HTTP answer with its body.
type Answer struct {
	StatusCode int
	Status     string
	Header     http.Header
	Text       []byte
}

// Do sends a request and returns the answer.
func (a *App) Do(t testing.TB, method, path string, header http.Header, body io.Reader) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.Host.URL()+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	if a.Principal != "" {
		request.Header.Set("X-MS-CLIENT-PRINCIPAL", a.Principal)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return Answer{response.StatusCode, response.Status, response.Header, text}
}

// Get reads JSON from a path.
func (a *App) Get(t testing.TB, path string, into any) {
	t.Helper()
	answer := a.Do(t, http.MethodGet, path, nil, nil)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s %s", path, answer.Status, answer.Text)
	}
	if err := json.Unmarshal(answer.Text, into); err != nil {
		t.Fatalf("GET %s: %v in %s", path, err, answer.Text)
	}
}

// Upload sends a file as a raw body and gives its task.
func (a *App) Upload(t testing.TB, name string, content []byte) Task {
	t.Helper()
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	answer := a.Do(t, http.MethodPost, "/api/files?name="+url.QueryEscape(name), header, bytes.NewReader(content))
	if answer.StatusCode != http.StatusAccepted {
		t.Fatalf("upload %s: %s %s", name, answer.Status, answer.Text)
	}
	var accepted struct{ Task Task }
	if err := json.Unmarshal(answer.Text, &accepted); err != nil {
		t.Fatal(err)
	}
	return accepted.Task
}

// Await asks for a task until it has ended, however long that takes.
func (a *App) Await(t testing.TB, id uuid.UUID) Task {
	t.Helper()
	for {
		var task Task
		a.Get(t, "/api/tasks/"+id.String()+"?wait=20s", &task)
		switch task.Status {
		case "COMPLETED", "FAILED", "CANCELLED":
			return task
		}
	}
}

// Rows reads all rows of a sheet as the text that stands in the file.
func (a *App) Rows(t testing.TB, task uuid.UUID, sheet string) [][]*string {
	t.Helper()
	var rows [][]*string
	path := "/api/tasks/" + task.String() + "/sheets/" + sheet + "/rows?values=raw&limit=10000"
	for cursor := ""; ; {
		var page struct {
			Rows [][]*string
			Next *string
		}
		a.Get(t, path+cursor, &page)
		rows = append(rows, page.Rows...)
		if page.Next == nil {
			return rows
		}
		cursor = "&cursor=" + url.QueryEscape(*page.Next)
	}
}
