package parse_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres/pgtest"
)

// Who waits for a large file is told how far its rows are, also where the file had to be unpacked before the first one was read.
func TestProgressFollowsTheRows(t *testing.T) {
	t.Parallel()
	const rows = 30_000
	text := largeText(rows)
	for name, content := range map[string]string{"csv": text, "gzip": gzipped(t, text)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			u := f.upload(t, content)
			hold := f.Begin(t)
			if _, err := hold.Exec(t.Context(), `lock table sheetdrop.sheet_row in share mode`); err != nil { // for which the load's first rows wait
				t.Fatal(err)
			}
			s := usual
			s.Lease = 3 * time.Second // a heartbeat each second
			wait := start(t.Context(), f.worker(t, s, ""), u)
			f.Await(t, `select (progress->>'rows_read')::int > 0 from sheetdrop.task`)
			shares := pgtest.Query[[]float64](t, f.Database, `select array[(progress->>'rows_read')::float8 / $1::float8,
(progress->>'bytes_read')::float8 / (progress->>'bytes_total')::float8] from sheetdrop.task`, rows)
			read, share := shares[0], shares[1] // of the rows and of the bytes
			if read > 0.9 || share > read+0.05 || share < read-0.05 {
				t.Errorf("%.0f %% of the bytes are read when %.0f %% of the rows are", 100*share, 100*read)
			}
			if err := hold.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := wait(); err != nil {
				t.Error(err)
			}
			f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
			if !pgtest.Query[bool](t, f.Database, `select progress->'bytes_read' = progress->'bytes_total' from sheetdrop.task`) {
				t.Error("all is read, and the progress does not say so")
			}
		})
	}
}

// largeText makes a CSV of about 1 KiB a row.
func largeText(rows int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("id,text\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%01000x\n", i, random.Uint64())
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Who waits for a workbook is told which of its sheets is being read, and none any more when all are.
func TestProgressNamesTheSheet(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content := workbook(t, func(b *excelize.File) error {
		if err := b.SetSheetName("Sheet1", "明細"); err != nil {
			return err
		}
		for n := range 20_000 {
			if err := b.SetSheetRow("明細", fmt.Sprint("A", n+1), &[]any{n, strings.Repeat("x", 1000), "abc"}); err != nil {
				return err
			}
		}
		return nil
	})
	u := f.upload(t, string(content))
	hold := f.Begin(t)
	if _, err := hold.Exec(t.Context(), `lock table sheetdrop.sheet_row in share mode`); err != nil { // for which the load's first rows wait
		t.Fatal(err)
	}
	s := usual
	s.Lease = 3 * time.Second // a heartbeat each second
	wait := start(t.Context(), f.worker(t, s, ""), u)
	f.Await(t, `select progress->>'sheet' = '明細' from sheetdrop.task`)
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	if pgtest.Query[bool](t, f.Database, `select progress ? 'sheet' from sheetdrop.task`) {
		t.Error("all is read, and a sheet is being read")
	}
}
