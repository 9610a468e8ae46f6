package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A first try takes one command: it loads the samples, shows rows and rejects, and leaves nothing running.
func TestLocalOnceLoadsTheSamples(t *testing.T) {
	t.Parallel()
	data := newData(t)
	status, p := run(t, "local", "--once", "--data", data)
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.progress.String(), "the built-in one, as `func` is not on the PATH", "uploading orders.csv")
	want(t, p.out.String(),
		"orders.csv: 60 rows loaded, 4 rejected, 1 skipped\n", "prices.csv: 40 rows loaded, 3 rejected, 1 skipped\n", "stock.xlsx: 37 rows loaded, 2 rejected, 1 skipped\n",
		"  integer   date        text          text                  text ", "  20240001  2024-04-01  000123        ㈱髙橋商店 ",
		"  … 55 more\n", "line 20  納品先住所  missing_cell", "stock.xlsx, sheet Lists: hidden, not read")
	for _, name := range []string{"local.json", "stack.json"} {
		if _, err := os.Stat(filepath.Join(data, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// A mistyped file name is reported before anything is started.
func TestMissingFileStartsNothing(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	status, p := run(t, "local", "--data", data, "no-such.csv")
	if _, err := os.Stat(data); status == 0 || err == nil {
		t.Errorf("exit status %d, and it has begun", status)
	}
	want(t, p.progress.String(), "no-such.csv")
}
