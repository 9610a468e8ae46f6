package e2e_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"sheetdrop/samples"
	"sheetdrop/verify/e2e"
)

// The main job: a file goes in over HTTP, and its rows come out.
func TestSamples(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	for _, name := range []string{"orders.csv", "prices.csv", "stock.xlsx"} {
		content, err := samples.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		task := app.Await(t, app.Upload(t, name, content).ID)
		if task.Status != "COMPLETED" || task.Summary.RowsLoaded == 0 || task.Summary.RowsRejected == 0 {
			t.Errorf("%s: %+v %+v, want COMPLETED with rows and rejects", name, task, task.Summary)
		}
		rows := app.Rows(t, task.ID, 1)
		if len(rows) == 0 {
			t.Errorf("%s: no rows in its first sheet", name)
		}
	}
}

// A file that the host would not let through is announced as too large, by the same setting; one at the limit is loaded.
func TestUploadLimitOfTheHost(t *testing.T) {
	t.Parallel()
	const limit = 4000
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT": strconv.Itoa(limit)}})
	var health struct {
		MaxUploadBytes int `json:"max_upload_bytes"`
	}
	if app.Get(t, "/api/health", &health); health.MaxUploadBytes != limit {
		t.Errorf("announced are %d bytes, want %d", health.MaxUploadBytes, limit)
	}
	content := csv(10, 100)
	content = append(content, bytes.Repeat([]byte("\n"), limit-len(content))...)
	if task := app.Await(t, app.Upload(t, "list.csv", content).ID); task.Status != "COMPLETED" {
		t.Errorf("at the limit: %+v", task)
	}
	header := http.Header{"Content-Type": {"text/csv"}}
	if a := app.Do(t, http.MethodPost, "/api/files?name=list.csv", header, bytes.NewReader(append(content, '\n'))); a.StatusCode != http.StatusInternalServerError {
		t.Errorf("over it: %s %s, want the host's 500", a.Status, a.Text)
	}
}

// Real files of other people, kept beside the checkout: counts and characters are right.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "..", "shared", "samples")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the real files are not beside the checkout: ", err) //nolint:forbidigo // they are not ours to commit
	}
	app := e2e.Start(t, e2e.Options{})
	for _, want := range []struct {
		name     string
		rows     int64
		row, col int
		cell     string
	}{
		{"syukujitsu.csv", 1067, 0, 1, "元日"},
		{"222127_aed.csv", 82, 0, 4, "市役所本館"},
		{"222127_tourism.csv", 205, 1, 4, "勇喜寿司"},
		{"temperature.xlsx", 2, 1, 0, "fahrenheit"},
	} {
		content, err := os.ReadFile(filepath.Join(folder, want.name))
		if err != nil {
			t.Fatal(err)
		}
		task := app.Await(t, app.Upload(t, want.name, content).ID)
		if task.Status != "COMPLETED" || task.Summary.RowsLoaded != want.rows || task.Summary.RowsRejected != 0 {
			t.Errorf("%s: %+v %+v, want %d rows", want.name, task, task.Summary, want.rows)
			continue
		}
		rows := app.Rows(t, task.ID, 1)
		if got := rows[want.row][want.col]; len(rows) != int(want.rows) || got == nil || *got != want.cell {
			t.Errorf("%s: %d rows, cell (%d,%d) is %v, want %q", want.name, len(rows), want.row, want.col, got, want.cell)
		}
	}
}
