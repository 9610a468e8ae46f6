// Package loading measures how fast rows get from a stored file into PostgreSQL, against a plain COPY of the same rows.
package loading

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

const (
	plainCopy = "plain COPY"
	worker    = "worker"
	python    = "Python: csv and psycopg COPY"
)

var rate = []compare.Measure{{Name: "rate", Unit: "rows/s"}, {Name: "log", Unit: "bytes of WAL a row"}}

// Comparisons returns the comparisons of loads.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	all := []compare.Comparison{ofCSV(s), ofWorkbook(s, true), ofWorkbook(s, false), two(s)}
	if s.Huge {
		all = append(all, grown(s))
	}
	return all
}

func ofCSV(s *testbed.Testbed) compare.Comparison {
	n := s.Size(500_000, 5_000)
	f := &fixture{Testbed: s, rows: n, file: func() (string, error) { return s.CSV(n) }}
	c := compare.Comparison{
		Name: "load", Title: "CSV of ten columns into PostgreSQL", Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{{Name: plainCopy, Run: f.copyPlain}, {Name: worker, Run: f.load}},
		Bars:       []compare.Bar{{Measure: "rate", Candidate: worker, Against: plainCopy, Kind: compare.AtLeast, Limit: 0.60}},
	}
	if f.python = findPython(); f.python != "" {
		c.Candidates = append(c.Candidates, compare.Candidate{Name: python, Run: f.loadPython})
	}
	return c
}

// findPython returns a Python that has psycopg (Debian: python3-psycopg), or "".
func findPython() string {
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import psycopg").Run() == nil {
			return program
		}
	}
	return ""
}

func ofWorkbook(s *testbed.Testbed, shared bool) compare.Comparison {
	n := s.Size(100_000, 2_000)
	f := &fixture{Testbed: s, rows: n, file: func() (string, error) { return s.Workbook(n, shared) }}
	name, title := "load-inline", "xlsx of ten columns, texts where they stand, into PostgreSQL"
	if shared {
		name, title = "load-shared", "xlsx of ten columns, shared strings, into PostgreSQL"
	}
	return compare.Comparison{
		Name: name, Title: title, Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{{Name: plainCopy, Run: f.copyPlain}, {Name: worker, Run: f.load}},
		Bars:       []compare.Bar{{Measure: "rate", Candidate: worker, Against: plainCopy, Kind: compare.AtLeast, Limit: 0.45}},
	}
}

// two is about what one worker leaves of the machine. The rates are those of rows, so two files at once may have up to twice that of one.
func two(s *testbed.Testbed) compare.Comparison {
	const one, both = "one worker", "two workers"
	n := s.Size(300_000, 3_000)
	f := &fixture{Testbed: s, rows: n, handlers: 2, file: func() (string, error) { return s.CSV(n) }}
	return compare.Comparison{
		Name: "load-two", Title: "two CSV files by two workers at once, against one after the other", Work: 2 * n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{
			{Name: one, Run: func(ctx context.Context) (compare.Outcome, error) { return f.measure(ctx, 2*n, f.inTurn) }},
			{Name: both, Run: func(ctx context.Context) (compare.Outcome, error) { return f.measure(ctx, 2*n, f.atOnce) }},
		},
		Bars: []compare.Bar{{Measure: "rate", Candidate: both, Against: one, Kind: compare.AtLeast, Limit: 1.4}},
	}
}

// grown is about the index of the table that all rows are in.
func grown(s *testbed.Testbed) compare.Comparison {
	const empty, full = "empty table", "50 million rows"
	n := s.Size(500_000, 2_000)
	a := &fixture{Testbed: s, rows: n, file: func() (string, error) { return s.CSV(n) }}
	b := &fixture{Testbed: s, rows: n, there: s.Size(50_000_000, 20_000), file: func() (string, error) { return s.CSV(n) }}
	return compare.Comparison{
		Name: "load-grown", Title: "CSV into a table of rows that has many already", Work: n, Measures: rate,
		Setup: func(ctx context.Context) (func(), error) {
			closeA, err := a.open(ctx)
			if err != nil {
				return nil, err
			}
			closeB, err := b.open(ctx)
			return func() { closeA(); closeB() }, err
		},
		Candidates: []compare.Candidate{{Name: empty, Run: a.load}, {Name: full, Run: b.load}},
		Bars:       []compare.Bar{{Measure: "rate", Candidate: full, Against: empty, Kind: compare.AtLeast, Limit: 0.8}},
	}
}

// fixture is an app with files that wait to be loaded, and a plain table.
type fixture struct {
	*testbed.Testbed
	rows     int
	there    int // rows of another sheet
	handlers int // 0 is one
	file     func() (string, error)
	python   string // a program that has psycopg

	app      *testbed.App
	programs []*testbed.Program
	files    []uuid.UUID // one for each handler, with the same content
	csv      string
}

func (f *fixture) open(ctx context.Context) (teardown func(), err error) {
	path, err := f.file()
	if err != nil {
		return nil, err
	}
	if f.csv, err = f.CSV(f.rows); err != nil {
		return nil, err
	}
	if f.app, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	const table = `create table plain (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text, c9 text, c10 text)`
	if _, err := f.app.SQL.Exec(ctx, table); err != nil {
		return nil, err
	}
	for n := range max(1, f.handlers) {
		if err := f.start(ctx, path, n); err != nil {
			return nil, err
		}
	}
	if _, err := f.app.SQL.Exec(ctx, `insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells)
select 1000000, n, n + 1, array[n::text, 'A-' || n, 'a name', n % 1000 || '.50', '7', '2024-01-01', '2024-01-01 10:00:00', 'true', 'a note', '0.5']
from generate_series(1, $1) n`, f.there); err != nil {
		return nil, err
	}
	return func() {
		for _, p := range f.programs {
			p.Stop(f.Log)
		}
		f.app.Drop()
	}, nil
}

// start runs one more handler, with a file of its own, and loads that once.
func (f *fixture) start(ctx context.Context, path string, n int) error {
	p, err := f.app.StartHandler(ctx, fmt.Sprintf("handler %d", n+1), nil)
	if err != nil {
		return err
	}
	f.programs = append(f.programs, p)
	file, taskID, err := f.app.AddFile(ctx, path)
	if err != nil {
		return err
	}
	f.files = append(f.files, file)
	return p.Complete(ctx, taskID)
}

// measure runs work on empty tables, and counts what was loaded.
func (f *fixture) measure(ctx context.Context, n int, work func(context.Context) error) (outcome compare.Outcome, err error) {
	if _, err := f.app.SQL.Exec(ctx, `truncate plain`); err != nil {
		return outcome, err
	}
	if f.there == 0 {
		if _, err := f.app.SQL.Exec(ctx, `truncate sheetdrop.sheet_row`); err != nil {
			return outcome, err
		}
	}
	before, err := f.count(ctx)
	if err != nil {
		return outcome, err
	}
	if err := f.Checkpoint(ctx); err != nil {
		return outcome, err
	}
	log, err := f.LogPosition(ctx)
	if err != nil {
		return outcome, err
	}
	elapsed := testbed.Start()
	if err := work(ctx); err != nil {
		return outcome, err
	}
	took := elapsed()
	end, err := f.LogPosition(ctx)
	if err != nil {
		return outcome, err
	}
	after, err := f.count(ctx)
	outcome.Done = after - before
	outcome.Figures = compare.Figures{"rate": float64(n) / took.Seconds(), "log": (end - log) / float64(n)}
	return outcome, err
}

func (f *fixture) count(ctx context.Context) (n int, err error) {
	if f.there > 0 { // to count them would take minutes
		err = f.app.SQL.QueryRow(ctx, `select coalesce(sum(rows_loaded), 0) from sheetdrop.sheet`).Scan(&n)
		return n, err
	}
	err = f.app.SQL.QueryRow(ctx, `select (select count(*) from plain) + (select count(*) from sheetdrop.sheet_row)`).Scan(&n)
	return n, err
}

// copyPlain is what a plain program does: it hands the file to the server as it is.
func (f *fixture) copyPlain(ctx context.Context) (compare.Outcome, error) {
	return f.measure(ctx, f.rows, func(ctx context.Context) error {
		file, err := os.Open(f.csv)
		if err != nil {
			return err
		}
		defer file.Close()
		conn, err := pgx.Connect(ctx, f.app.URL)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.PgConn().CopyFrom(ctx, file, `copy plain from stdin (format csv, header)`)
		return err
	})
}

func (f *fixture) load(ctx context.Context) (compare.Outcome, error) {
	return f.measure(ctx, f.rows, func(ctx context.Context) error { return f.parse(ctx, 0, 0) })
}

// parse has one handler parse a file once more.
func (f *fixture) parse(ctx context.Context, handler, file int) error {
	p := f.programs[handler]
	taskID, err := p.ParseAgain(ctx, f.files[file])
	if err != nil {
		return err
	}
	return p.Deliver(ctx, taskID)
}

func (f *fixture) inTurn(ctx context.Context) error {
	if err := f.parse(ctx, 0, 0); err != nil {
		return err
	}
	return f.parse(ctx, 0, 1)
}

func (f *fixture) atOnce(ctx context.Context) error {
	both, ctx := errgroup.WithContext(ctx)
	for n := range 2 {
		both.Go(func() error { return f.parse(ctx, n, n) })
	}
	return both.Wait()
}

// pythonScript is what people write themselves.
const pythonScript = `import csv, sys, psycopg
with open(sys.argv[2], newline='', encoding='utf-8') as f, psycopg.connect(sys.argv[1]) as c:
    rows = csv.reader(f)
    next(rows)
    with c.cursor().copy('copy plain from stdin') as out:
        for row in rows:
            out.write_row(row)
`

func (f *fixture) loadPython(ctx context.Context) (compare.Outcome, error) {
	return f.measure(ctx, f.rows, func(ctx context.Context) error {
		output, err := exec.CommandContext(ctx, f.python, "-c", pythonScript, f.app.URL, f.csv).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, output)
		}
		return nil
	})
}
