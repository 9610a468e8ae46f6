// Package rowsout measures how fast the rows of a sheet come out again, against COPY TO STDOUT.
package rowsout

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

const (
	plainCopy = "COPY TO STDOUT"
	copyCells = "COPY TO STDOUT, stored rows"
)

// Comparisons returns the comparison of rows that come out.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	n := s.Size(500_000, 5_000)
	x := &export{Testbed: s, rows: n}
	return []compare.Comparison{{
		Name: "rows", Title: "all rows of ten columns, as a client gets them; the reference are ten columns of text as CSV", Work: n, Setup: x.open,
		Measures: []compare.Measure{{Name: "rate", Unit: "rows/s"}, {Name: "bytes", Unit: "MB/s"}},
		Candidates: []compare.Candidate{
			{Name: plainCopy, Run: x.copyOut(`copy plain to stdout (format csv)`)},
			{Name: copyCells, Run: x.copyOut(`copy (select row_no, cells from sheetdrop.sheet_row order by row_no) to stdout (format csv)`)},
			{Name: "csv", Run: x.get("csv", "", 1, testbed.Plain)},
			{Name: "ndjson", Run: x.get("ndjson", "", 0, testbed.Plain)},
			{Name: "csv, compressed", Run: x.get("csv", "", 1, testbed.Compressed)},
			{Name: "csv, raw", Run: x.get("csv", "&values=raw", 1, testbed.Plain)},
			{Name: "ndjson, objects", Run: x.get("ndjson", "&shape=objects", 0, testbed.Plain)},
		},
		Bars: []compare.Bar{
			{Measure: "rate", Candidate: "csv", Against: plainCopy, Kind: compare.AtLeast, Limit: 0.5},
			{Measure: "rate", Candidate: "ndjson", Against: plainCopy, Kind: compare.AtLeast, Limit: 0.5},
		},
	}}
}

type export struct {
	*testbed.Testbed
	rows    int
	app     *testbed.App
	program *testbed.Program
	task    uuid.UUID
}

func (x *export) open(ctx context.Context) (teardown func(), err error) {
	path, err := x.CSV(x.rows)
	if err != nil {
		return nil, err
	}
	if x.app, err = x.NewApp(ctx); err != nil {
		return nil, err
	}
	if x.program, err = x.app.StartHandler(ctx, "handler", nil); err != nil {
		return nil, err
	}
	if _, x.task, err = x.app.AddFile(ctx, path); err != nil {
		return nil, err
	}
	if err := x.program.Complete(ctx, x.task); err != nil {
		return nil, err
	}
	for _, sql := range []string{
		`create table plain as select cells[1] c1, cells[2] c2, cells[3] c3, cells[4] c4, cells[5] c5, cells[6] c6, cells[7] c7, cells[8] c8,
  cells[9] c9, cells[10] c10 from sheetdrop.sheet_row order by row_no`,
		`vacuum analyze plain`, `vacuum analyze sheetdrop.sheet_row`,
	} {
		if _, err := x.app.SQL.Exec(ctx, sql); err != nil {
			return nil, err
		}
	}
	return func() { x.program.Stop(x.Log); x.app.Drop() }, nil
}

// copyOut counts lines: no cell of these files has a line break.
func (x *export) copyOut(sql string) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		conn, err := pgx.Connect(ctx, x.app.URL)
		if err != nil {
			return compare.Outcome{}, err
		}
		defer conn.Close(ctx)
		elapsed := testbed.Start()
		var counted testbed.LineCounter
		if _, err := conn.PgConn().CopyTo(ctx, &counted, sql); err != nil {
			return compare.Outcome{}, err
		}
		return outcome(counted.Lines, counted.Bytes, elapsed().Seconds()), nil
	}
}

func (x *export) get(format, more string, headers int, coding string) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		elapsed := testbed.Start()
		lines, size, err := x.program.Get(ctx, fmt.Sprintf("/api/tasks/%s/sheets/1/rows?format=%s%s", x.task, format, more), coding)
		return outcome(lines-headers, size, elapsed().Seconds()), err
	}
}

func outcome(rows, size int, seconds float64) compare.Outcome {
	return compare.Outcome{Done: rows, Figures: compare.Figures{"rate": float64(rows) / seconds, "bytes": float64(size) / 1e6 / seconds}}
}
