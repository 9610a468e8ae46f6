// Package tracing measures what traces cost: uploads and rows a second of handlers that export none, a tenth and all of them.
package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

const (
	before = "before traces" // a handler of an older version, where there is one
	off    = "none exported"
	tenth  = "10 % sampled"
	all    = "all sampled"

	fileBytes = 10_000
	many      = 16 // requests at once
)

// Comparisons returns the comparisons of traces.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	uploads, rows := &fixture{Testbed: s}, &fixture{Testbed: s, rows: s.Size(200_000, 2_000)}
	requests := s.Size(1000, 48)
	return []compare.Comparison{
		uploads.comparison("traces-uploads", "POST of a 10 kB file, 16 at once", requests, "1/s", func(name string) func(context.Context) (compare.Outcome, error) {
			return func(ctx context.Context) (compare.Outcome, error) { return uploads.upload(ctx, name, requests) }
		}),
		rows.comparison("traces-rows", "CSV of ten columns into PostgreSQL", rows.rows, "rows/s", func(name string) func(context.Context) (compare.Outcome, error) {
			return func(ctx context.Context) (compare.Outcome, error) { return rows.load(ctx, name) }
		}),
	}
}

// fixture is an app with a handler for each way.
type fixture struct {
	*testbed.Testbed
	rows int // of the file that is loaded; 0 is none

	app      *testbed.App
	programs map[string]*testbed.Program
	file     uuid.UUID
	sent     atomic.Int64
}

func (f *fixture) comparison(
	name, title string, work int, unit string, run func(name string) func(context.Context) (compare.Outcome, error),
) compare.Comparison {
	c := compare.Comparison{Name: name, Title: title, Work: work, Setup: f.open, Measures: []compare.Measure{{Name: "rate", Unit: unit}}}
	if f.Before != "" {
		c.Candidates = append(c.Candidates, compare.Candidate{Name: before, Run: run(before)})
		c.Bars = append(c.Bars, compare.Bar{Measure: "rate", Candidate: off, Against: before, Kind: compare.AtLeast, Limit: 0.99})
	}
	for _, candidate := range []string{off, tenth, all} {
		c.Candidates = append(c.Candidates, compare.Candidate{Name: candidate, Run: run(candidate)})
	}
	c.Bars = append(c.Bars, compare.Bar{Measure: "rate", Candidate: tenth, Against: off, Kind: compare.AtLeast, Limit: 0.97})
	return c
}

func (f *fixture) open(ctx context.Context) (teardown func(), err error) {
	if f.app, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	sampled := func(share string) map[string]string {
		return map[string]string{
			"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL,
			"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": share,
		}
	}
	f.programs = map[string]*testbed.Program{}
	for name, settings := range map[string]map[string]string{off: nil, tenth: sampled("0.1"), all: sampled("1")} {
		if f.programs[name], err = f.app.StartHandler(ctx, name, settings); err != nil {
			return nil, err
		}
	}
	if f.Before != "" {
		if f.programs[before], err = f.app.StartEarlier(ctx, before); err != nil {
			return nil, err
		}
	}
	if err := f.warm(ctx); err != nil {
		return nil, err
	}
	return func() {
		for _, p := range f.programs {
			p.Stop(f.Log)
		}
		collector.Close()
		f.app.Drop()
	}, nil
}

// warm does each handler's work once.
func (f *fixture) warm(ctx context.Context) error {
	if f.rows == 0 {
		for name := range f.programs {
			if _, err := f.upload(ctx, name, f.Size(300, 10)); err != nil {
				return err
			}
		}
		return nil
	}
	path, err := f.CSV(f.rows)
	if err != nil {
		return err
	}
	var task uuid.UUID
	if f.file, task, err = f.app.AddFile(ctx, path); err != nil {
		return err
	}
	if err := f.programs[off].Complete(ctx, task); err != nil {
		return err
	}
	for name := range f.programs {
		if _, err := f.load(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// upload sends files to one of the handlers, which does not parse them.
func (f *fixture) upload(ctx context.Context, name string, n int) (compare.Outcome, error) {
	elapsed := testbed.Start()
	_, _, err := testbed.Each(ctx, n, many, func(ctx context.Context, _ int) error {
		_, err := f.programs[name].Upload(ctx, "list.csv", bytes.NewReader(f.content()))
		return err
	})
	return compare.Outcome{Done: n, Figures: compare.Figures{"rate": float64(n) / elapsed().Seconds()}}, err
}

// content is a file of 10 kB that no other one equals.
func (f *fixture) content() []byte {
	n := f.sent.Add(1)
	var b bytes.Buffer
	b.WriteString("number,text\n")
	for row := 0; b.Len() < fileBytes; row++ {
		fmt.Fprintf(&b, "%d,%s %d\n", n, strings.Repeat("text ", 8), row)
	}
	return b.Bytes()
}

// load has one of the handlers load the file once more.
func (f *fixture) load(ctx context.Context, name string) (outcome compare.Outcome, err error) {
	if _, err := f.app.SQL.Exec(ctx, `truncate sheetdrop.sheet_row`); err != nil {
		return outcome, err
	}
	if err := f.Checkpoint(ctx); err != nil {
		return outcome, err
	}
	task, err := f.programs[name].ParseAgain(ctx, f.file)
	if err != nil {
		return outcome, err
	}
	elapsed := testbed.Start()
	if err := f.programs[name].Complete(ctx, task); err != nil {
		return outcome, err
	}
	return compare.Outcome{Done: f.rows, Figures: compare.Figures{"rate": float64(f.rows) / elapsed().Seconds()}}, nil
}
