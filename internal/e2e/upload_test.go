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
		t.Skip("the real files are not kept with the project:", err)
	}
	app := e2e.Start(t, e2e.Options{})
	for _, want := range []struct {
		name     string
		rows     int64
		row, col int
		cell     string
	}{
		{"syukujitsu.csv", 1067, 0, 1, "元日"},
		{"222127_aed.csv", 82, 0, 1, ""},
		{"222127_tourism.csv", 205, 0, 1, ""},
		{"temperature.xlsx", 2, 0, 0, ""},
		{"Attendance.xlsx", -1, 0, 0, ""},
	} {
		content, err := os.ReadFile(filepath.Join(folder, want.name))
		if err != nil {
			t.Fatal(err)
		}
		task := app.Await(t, app.Upload(t, want.name, content).ID)
		if task.Status != "COMPLETED" {
			t.Errorf("%s: %+v %+v", want.name, task, task.Error)
			continue
		}
		if want.rows >= 0 && task.Summary.RowsLoaded != want.rows {
			t.Errorf("%s: %d rows, want %d", want.name, task.Summary.RowsLoaded, want.rows)
		}
		rows := app.Rows(t, task.ID, "1")
		t.Logf("%s: loaded %d rejected %d skipped %d", want.name, task.Summary.RowsLoaded, task.Summary.RowsRejected, task.Summary.RowsSkipped)
		if want.cell != "" && *rows[want.row][want.col] != want.cell {
			t.Errorf("%s: cell (%d,%d) is %q, want %q", want.name, want.row, want.col, *rows[want.row][want.col], want.cell)
		}
	}
}
