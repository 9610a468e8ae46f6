package e2e_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// Events of a task come through the host one by one as they happen, and not together at the end of the stream: what follows on the first
// one comes behind it, over the same connection.
func TestEventsPassTheHost(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api"}}) // nobody runs the task
	task := app.Upload(t, "a.csv", []byte("a\n1\n"))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.Host.URL()+"/api/events?task="+task.ID.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	lines := bufio.NewScanner(answer.Body)
	wait := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the stream has ended without %q: %v", part, lines.Err())
	}
	wait(`"status":"PENDING"`)
	if cancelled := app.Do(t, http.MethodPost, "/api/tasks/"+task.ID.String()+"/cancel", nil, nil); cancelled.StatusCode != http.StatusOK {
		t.Fatalf("cancel: %d", cancelled.StatusCode)
	}
	wait(`"status":"CANCELLED"`)
	wait("event: end")
}
