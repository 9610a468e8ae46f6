// Package memory measures the most that a new handler has in memory for one heavy piece of work.
package memory

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/meter"
	"sheetdrop/bench/testbed"
)

// Comparisons returns the comparison of memory.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	const work = 1
	r := &fixture{Testbed: s}
	return []compare.Comparison{{
		Name: "memory", Title: "peak memory of a new handler", Work: work, Once: true, Setup: r.open,
		Measures: []compare.Measure{{Name: "peak", Unit: "MiB"}},
		Candidates: []compare.Candidate{
			{Name: "csv, 1 GiB", Run: r.peak(r.load(func() (string, error) { return s.CSV(s.Size(12_500_000, 50_000)) }))},
			{Name: "xlsx, 200,000 × 10", Run: r.peak(r.load(func() (string, error) { return s.Workbook(s.Size(200_000, 2_000), true) }))},
			{Name: "64 uploads of 20 MB", Run: r.peak(r.uploads(s.Size(64, 4), s.Size(20_000_000, 200_000)))},
			{Name: "ndjson out", Run: r.peak(r.rowsOut)},
		},
		Bars: []compare.Bar{
			{Measure: "peak", Candidate: "csv, 1 GiB", Kind: compare.AtMost, Limit: 96},
			{Measure: "peak", Candidate: "xlsx, 200,000 × 10", Kind: compare.AtMost, Limit: 128},
			{Measure: "peak", Candidate: "64 uploads of 20 MB", Kind: compare.AtMost, Limit: 256},
			{Measure: "peak", Candidate: "ndjson out", Kind: compare.AtMost, Limit: 64},
		},
	}}
}

type fixture struct {
	*testbed.Testbed
	app *testbed.App
}

func (r *fixture) open(ctx context.Context) (teardown func(), err error) {
	r.app, err = r.NewApp(ctx)
	return func() { r.app.Drop() }, err
}

// job is a piece of work; the handler that it returns did it, and is measured.
type job func(ctx context.Context, start func() (*testbed.Program, error)) (*testbed.Program, error)

// peak does a job by new handlers, and reads what the one that counts has had at the most.
func (r *fixture) peak(do job) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		var started []*testbed.Program
		defer func() {
			for _, p := range started {
				p.Stop(r.Log)
			}
		}()
		measured, err := do(ctx, func() (*testbed.Program, error) {
			p, err := r.app.StartHandler(ctx, fmt.Sprintf("handler %d", len(started)+1), nil)
			if err == nil {
				started = append(started, p)
			}
			return p, err
		})
		if err != nil {
			return compare.Outcome{}, err
		}
		return compare.Outcome{Done: 1, Figures: compare.Figures{"peak": float64(meter.Peak(measured.PID)) / (1 << 20)}}, nil
	}
}

// load parses a file.
func (r *fixture) load(file func() (string, error)) job {
	return func(ctx context.Context, start func() (*testbed.Program, error)) (*testbed.Program, error) {
		path, err := file()
		if err != nil {
			return nil, err
		}
		_, taskID, err := r.app.AddFile(ctx, path)
		if err != nil {
			return nil, err
		}
		p, err := start()
		if err != nil {
			return nil, err
		}
		return p, p.Complete(ctx, taskID)
	}
}

func (r *fixture) uploads(n, size int) job {
	return func(ctx context.Context, start func() (*testbed.Program, error)) (*testbed.Program, error) {
		p, err := start()
		if err != nil {
			return nil, err
		}
		line := []byte("a line of a file that is as long as it has to be\n")
		_, _, err = testbed.Each(ctx, n, n, func(ctx context.Context, i int) error {
			first := fmt.Appendf(nil, "file %d\n", i)
			_, err := p.UploadRetrying(ctx, "list.csv", func() io.Reader {
				return io.MultiReader(bytes.NewReader(first), &repeated{line: line, left: size})
			})
			return err
		})
		return p, err
	}
}

// repeated is a text of one line again and again.
type repeated struct {
	line []byte
	at   int
	left int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.left > 0 {
		m := copy(p[n:min(len(p), n+r.left)], r.line[r.at:])
		r.at = (r.at + m) % len(r.line)
		r.left -= m
		n += m
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *fixture) rowsOut(ctx context.Context, start func() (*testbed.Program, error)) (*testbed.Program, error) {
	n := r.Size(500_000, 5_000)
	path, err := r.CSV(n)
	if err != nil {
		return nil, err
	}
	_, taskID, err := r.app.AddFile(ctx, path)
	if err != nil {
		return nil, err
	}
	loader, err := start()
	if err != nil {
		return nil, err
	}
	if err := loader.Complete(ctx, taskID); err != nil {
		return nil, err
	}
	sender, err := start()
	if err != nil {
		return nil, err
	}
	lines, _, err := sender.Get(ctx, fmt.Sprintf("/api/tasks/%s/sheets/1/rows?format=ndjson", taskID), testbed.Plain)
	if err == nil && lines != n {
		err = fmt.Errorf("%d rows, not %d", lines, n)
	}
	return sender, err
}
