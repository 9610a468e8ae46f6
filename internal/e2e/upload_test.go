package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"sheetdrop/internal/e2e"
	"sheetdrop/samples"
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
		rows := app.Rows(t, task.ID, "1")
		if len(rows) == 0 {
			t.Errorf("%s: no rows in its first sheet", name)
		}
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
		rows := app.Rows(t, task.ID, "1")
		if got := rows[want.row][want.col]; len(rows) != int(want.rows) || got == nil || *got != want.cell {
			t.Errorf("%s: %d rows, cell (%d,%d) is %v, want %q", want.name, len(rows), want.row, want.col, got, want.cell)
		}
	}
}
