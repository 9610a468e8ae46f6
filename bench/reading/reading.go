// Package reading measures the engine without a database: against DuckDB, encoding/csv and excelize.
package reading

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"

	"github.com/xuri/excelize/v2"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/sheet"
)

const duckDB = "DuckDB"

var rate = []compare.Measure{{Name: "rate", Unit: "rows/s"}}

// Comparisons returns the comparisons of reading.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	n := s.Size(2_400_000, 20_000) // 240 MiB
	p := &programs{Testbed: s, rows: n}
	return []compare.Comparison{
		{
			Name: "parse", Title: "a CSV of 240 MiB to NDJSON: sheetdrop parse as a whole program, DuckDB's COPY from inside of it, both into a file", Work: n, Setup: p.open,
			Measures: rate, Candidates: []compare.Candidate{
				{Name: duckDB, Run: p.duck(`copy (select * from read_csv('%[1]s')) to '%[1]s.duckdb' (format json)`)},
				{Name: "sheetdrop parse", Run: p.sheetdrop("parse", "--format", "ndjson")},
			},
			Bars: []compare.Bar{{Measure: "rate", Candidate: "sheetdrop parse", Against: duckDB, Kind: compare.AtLeast, Limit: 1.2}},
		},
		{
			Name: "sniff", Title: "what a CSV of 240 MiB has: sheetdrop sniff as a whole program, DuckDB's SUMMARIZE from inside of it", Work: n, Setup: p.open,
			Measures: rate, Candidates: []compare.Candidate{
				{Name: duckDB, Run: p.duck(`select count from (summarize select * from read_csv('%s')) limit 1`)},
				{Name: "sheetdrop sniff", Run: p.sheetdrop("sniff", "--json")},
			},
			Bars: []compare.Bar{{Measure: "rate", Candidate: "sheetdrop sniff", Against: duckDB, Kind: compare.AtLeast, Limit: 3}},
		},
		library(s, "read-csv", "a CSV file by the engine, in one process", "encoding/csv", func(n int) (string, error) { return s.CSV(n) }, byEncodingCSV),
		library(s, "read-xlsx", "a workbook by the engine, in one process", "excelize",
			func(n int) (string, error) { return s.Workbook(n, true) }, byExcelize),
	}
}

// programs are those that read a file.
type programs struct {
	*testbed.Testbed
	rows    int
	file    string
	command string
}

func (p *programs) open(ctx context.Context) (teardown func(), err error) {
	if p.file, err = p.CSV(p.rows); err != nil {
		return nil, err
	}
	p.command, err = p.Command(ctx)
	return func() {}, err
}

func (p *programs) sheetdrop(arguments ...string) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		out, err := os.Create(p.file + ".sheetdrop")
		if err != nil {
			return compare.Outcome{}, err
		}
		defer out.Close()
		cmd := exec.CommandContext(ctx, p.command, append(arguments, p.file)...)
		cmd.Stdout = out
		elapsed := testbed.Start()
		if err := cmd.Run(); err != nil {
			return compare.Outcome{}, err
		}
		took := elapsed().Seconds()
		rows, err := rowsLoaded(out)
		return outcome(rows, took), err
	}
}

var loaded = regexp.MustCompile(`"rows_loaded":(\d+)`)

// rowsLoaded returns how many rows a program says, at the end of what it has printed, that it has read; 0 where it does not.
func rowsLoaded(printed *os.File) (rows int, err error) {
	const enough = 64 << 10
	size, err := printed.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	end, err := io.ReadAll(io.NewSectionReader(printed, max(0, size-enough), enough))
	if err != nil {
		return 0, err
	}
	if all := loaded.FindAllSubmatch(end, -1); len(all) > 0 {
		rows, err = strconv.Atoi(string(all[len(all)-1][1]))
	}
	return rows, err
}

// duckScript runs a statement, and prints how long that took and what the statement says of the number of rows.
const duckScript = `
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const began = process.hrtime.bigint();
  const rows = (await connection.runAndReadAll(process.argv[process.argv.length - 1])).getRowsJson();
  console.log(Number(process.hrtime.bigint() - began) / 1e9, rows[0][0]);
})();
`

// duck gives DuckDB the time that its statement takes alone, without that of Node.js to start.
func (p *programs) duck(statement string) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		out, err := devstack.DuckDB(ctx, p.Log, duckScript, fmt.Sprintf(statement, p.file))
		if err != nil {
			return compare.Outcome{}, err
		}
		var seconds float64
		var rows int
		if _, err := fmt.Sscan(string(out), &seconds, &rows); err != nil {
			return compare.Outcome{}, fmt.Errorf("DuckDB says %q: %w", out, err)
		}
		return outcome(rows, seconds), nil
	}
}

func outcome(rows int, seconds float64) compare.Outcome {
	return compare.Outcome{Done: rows, Figures: compare.Figures{"rate": float64(rows) / seconds}}
}

// library is a comparison between the engine and a library for the same format.
func library(
	s *testbed.Testbed, name, title, who string, file func(rows int) (string, error), read func(path string) (int, error),
) compare.Comparison {
	n := s.Size(200_000, 5_000)
	var path string
	measured := func(read func(string) (int, error)) func(context.Context) (compare.Outcome, error) {
		return func(context.Context) (compare.Outcome, error) {
			elapsed := testbed.Start()
			rows, err := read(path)
			return outcome(rows, elapsed().Seconds()), err
		}
	}
	return compare.Comparison{
		Name: name, Title: title, Work: n, Measures: rate,
		Setup: func(context.Context) (teardown func(), err error) {
			path, err = file(n)
			return func() {}, err
		},
		Candidates: []compare.Candidate{{Name: who, Run: measured(read)}, {Name: "engine", Run: measured(byEngine)}},
	}
}

func byEncodingCSV(path string) (rows int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.ReuseRecord = true
	for rows = -1; ; rows++ { // the first record is the header
		if _, err := reader.Read(); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
	}
}

func byExcelize(path string) (n int, err error) {
	book, err := excelize.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer book.Close()
	rows, err := book.Rows("rows")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for n = -1; rows.Next(); n++ {
		if _, err := rows.Columns(excelize.Options{RawCellValue: true}); err != nil {
			return n, err
		}
	}
	return n, rows.Error()
}

func byEngine(path string) (rows int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	book, err := sheet.Open(context.Background(), io.NewSectionReader(file, 0, info.Size()), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		return 0, err
	}
	defer book.Close()
	one, err := book.Next()
	if err != nil {
		return 0, err
	}
	for {
		record, err := one.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		if record.Kind == sheet.Row {
			rows++
		}
	}
}
