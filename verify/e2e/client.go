package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// Task is a task as the API shows it.
type Task = client.Task

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

// Client returns the generated client of the app's API.
func (a *App) Client(t testing.TB) *client.Client {
	t.Helper()
	c, err := client.NewClient(a.Host.URL()+"/api", client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if a.Principal != "" {
			r.Header.Set("X-MS-CLIENT-PRINCIPAL", a.Principal)
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// decode returns the answer to a request of the client, which must succeed.
func decode[T any](t testing.TB, answer *http.Response, err error) T {
	t.Helper()
	value, err := client.Decode[T](answer, err)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Upload sends a file as a raw body and returns its task.
func (a *App) Upload(t testing.TB, name string, content []byte) Task {
	t.Helper()
	params := &client.PostFileParams{Name: &name}
	answer, err := a.Client(t).PostFileWithBody(t.Context(), params, "application/octet-stream", bytes.NewReader(content))
	return *decode[client.Uploaded](t, answer, err).Task // items are not in the answers of older versions
}

// Await asks for a task until it has ended, however long that takes.
func (a *App) Await(t testing.TB, id uuid.UUID) Task {
	t.Helper()
	for c, wait := a.Client(t), "20s"; ; {
		answer, err := c.GetTask(t.Context(), id, &client.GetTaskParams{Wait: &wait})
		task := decode[Task](t, answer, err)
		switch task.Status {
		case "COMPLETED", "FAILED", "CANCELLED":
			return task
		}
	}
}

// Rows reads all rows of a sheet as the text that stands in the file.
func (a *App) Rows(t testing.TB, task uuid.UUID, sheet int64) (rows [][]*string) {
	t.Helper()
	values, limit := client.GetRowsParamsValues("raw"), int64(10_000)
	for c, asked := a.Client(t), (&client.GetRowsParams{Values: &values, Limit: &limit}); ; {
		answer, err := c.GetRows(t.Context(), task, sheet, asked)
		page := decode[struct {
			Rows [][]*string
			Next *string
		}](t, answer, err)
		rows = append(rows, page.Rows...)
		if page.Next == nil {
			return rows
		}
		asked.Cursor = page.Next
	}
}
