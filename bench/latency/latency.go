// Package latency measures how long a small file takes from its upload to COMPLETED, and how long the handler takes to start.
package latency

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

const system = "whole system"

// Comparisons returns the comparisons of latency.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	idle := &fixture{Testbed: s}
	busy := &fixture{Testbed: s}
	perSecond, seconds := s.Size(100, 20), s.Size(60, 3)
	return []compare.Comparison{
		{
			Name: "idle", Title: "upload to COMPLETED of 10 rows where nothing else happens", Work: s.Size(10, 2), Setup: idle.open,
			Measures:   testbed.QuantileMeasures,
			Candidates: []compare.Candidate{{Name: system, Run: idle.one(s.Size(10, 2))}},
			Bars: []compare.Bar{
				{Measure: "p50", Candidate: system, Kind: compare.AtMost, Limit: 150}, {Measure: "p99", Candidate: system, Kind: compare.AtMost, Limit: 500},
			},
		},
		{
			Name: "sustained", Title: fmt.Sprintf("%d uploads a second for %d s, each to COMPLETED", perSecond, seconds), Work: perSecond * seconds,
			Setup: busy.open, Once: true,
			Measures:   append([]compare.Measure{{Name: "backlog", Unit: "more open at the end than before"}}, testbed.QuantileMeasures...),
			Candidates: []compare.Candidate{{Name: system, Run: busy.stream(perSecond, seconds)}},
			Bars: []compare.Bar{
				{Measure: "p99", Candidate: system, Kind: compare.AtMost, Limit: 3000},
				{Measure: "backlog", Candidate: system, Kind: compare.AtMost, Limit: float64(perSecond)},
			},
		},
		coldStart(s),
	}
}

// fixture is an app under its host.
type fixture struct {
	*testbed.Testbed
	app     *testbed.App
	program *testbed.Program
}

func (f *fixture) open(ctx context.Context) (teardown func(), err error) {
	if f.app, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	if f.program, err = f.app.StartHost(ctx, "handler", nil); err != nil {
		return nil, err
	}
	if _, err := f.complete(ctx, -1); err != nil {
		return nil, err
	}
	return func() { f.program.Stop(f.Log); f.app.Drop() }, nil
}

// rows is a file of ten rows that no other one equals.
func rows(n int) []byte {
	var b bytes.Buffer
	b.WriteString("number,name\n")
	for row := range 10 {
		fmt.Fprintf(&b, "%d,name %d\n", n, row)
	}
	return b.Bytes()
}

// complete uploads a file and waits for its end, as a client does. It returns how long that took, in milliseconds.
func (f *fixture) complete(ctx context.Context, n int) (took float64, err error) {
	elapsed := testbed.Start()
	accepted, err := f.program.Upload(ctx, "list.csv", bytes.NewReader(rows(n)))
	if err != nil {
		return 0, err
	}
	status, err := f.program.Await(ctx, accepted.Task.ID)
	if err == nil && status != "COMPLETED" {
		err = fmt.Errorf("task %s is %s", accepted.Task.ID, status)
	}
	return testbed.Milliseconds(elapsed()), err
}

// one uploads a file after some seconds of quiet, in which the host's listener has slowed down to its longest pause.
func (f *fixture) one(n int) func(context.Context) (compare.Outcome, error) {
	sent := 0
	return func(ctx context.Context) (compare.Outcome, error) {
		var took []float64
		for range n {
			sent++
			quiet := 3*time.Second + time.Duration(sent%10)*100*time.Millisecond
			select {
			case <-ctx.Done():
				return compare.Outcome{}, ctx.Err()
			case <-time.After(quiet):
			}
			one, err := f.complete(ctx, sent)
			if err != nil {
				return compare.Outcome{}, err
			}
			took = append(took, one)
		}
		return compare.Outcome{Done: len(took), Figures: testbed.Quantiles(took)}, nil
	}
}

// stream uploads at a steady rate, whether earlier ones have been answered or not, and reads from the database when each was COMPLETED: the
// same machine's clock says when it was sent.
func (f *fixture) stream(perSecond, seconds int) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (outcome compare.Outcome, err error) {
		var (
			sends  sync.WaitGroup
			mu     sync.Mutex
			sentAt = map[uuid.UUID]time.Time{}
			failed error
			open   []float64
		)
		ticker := time.NewTicker(time.Second / time.Duration(perSecond))
		defer ticker.Stop()
		for n := range perSecond * seconds {
			select {
			case <-ctx.Done():
				return outcome, ctx.Err()
			case <-ticker.C:
			}
			sends.Go(func() {
				at := time.Now()
				accepted, err := f.program.UploadRetrying(ctx, "list.csv", func() io.Reader { return bytes.NewReader(rows(n)) })
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed = err
					return
				}
				sentAt[accepted.Task.ID] = at
			})
			if n%perSecond == perSecond-1 {
				var count float64
				if err := f.app.SQL.QueryRow(ctx, `select count(*)::float8 from sheetdrop.task where finished_at is null`).Scan(&count); err != nil {
					return outcome, err
				}
				open = append(open, count)
			}
		}
		sends.Wait()
		if failed != nil {
			return outcome, failed
		}
		const warmUp = 1
		if err := f.app.AwaitCount(ctx, warmUp+len(sentAt), `select count(*) from sheetdrop.task where finished_at is not null`); err != nil {
			return outcome, err
		}
		took, err := f.durations(ctx, sentAt)
		outcome.Done, outcome.Figures = len(took), testbed.Quantiles(took)
		third := max(1, len(open)/3)
		outcome.Figures["backlog"] = max(0, compare.Quantile(open[len(open)-third:], 0.5)-compare.Quantile(open[:third], 0.5))
		return outcome, err
	}
}

func (f *fixture) durations(ctx context.Context, sentAt map[uuid.UUID]time.Time) (took []float64, err error) {
	found, err := f.app.SQL.Query(ctx, `select id, finished_at from sheetdrop.task where status = 'COMPLETED'`)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var id uuid.UUID
		var finished time.Time
		if err := found.Scan(&id, &finished); err != nil {
			return nil, err
		}
		if at, ours := sentAt[id]; ours {
			took = append(took, testbed.Milliseconds(finished.Sub(at)))
		}
	}
	return took, found.Err()
}

// coldStart is from the start of the process to what a host waits for, and until all that it needs has answered.
func coldStart(s *testbed.Testbed) compare.Comparison {
	var app *testbed.App
	return compare.Comparison{
		Name: "start", Title: "start of the handler's process to its first answer, and until database, blobs and queue have answered", Work: 1,
		Measures: []compare.Measure{{Name: "answers", Unit: "ms"}, {Name: "ready", Unit: "ms"}},
		Setup: func(ctx context.Context) (teardown func(), err error) {
			if _, err := s.Handler(ctx); err != nil {
				return nil, err
			}
			app, err = s.NewApp(ctx)
			return func() { app.Drop() }, err
		},
		Candidates: []compare.Candidate{{Name: "handler", Run: func(ctx context.Context) (compare.Outcome, error) {
			elapsed := testbed.Start()
			p, err := app.StartHandler(ctx, "handler", nil)
			if err != nil {
				return compare.Outcome{}, err
			}
			defer p.Stop(s.Log)
			answers := testbed.Milliseconds(elapsed())
			_, _, err = p.Get(ctx, "/api/ready", testbed.Plain)
			return compare.Outcome{Done: 1, Figures: compare.Figures{"answers": answers, "ready": testbed.Milliseconds(elapsed())}}, err
		}}},
		Bars: []compare.Bar{
			{Measure: "answers", Candidate: "handler", Kind: compare.AtMost, Limit: 50},
			{Measure: "ready", Candidate: "handler", Kind: compare.AtMost, Limit: 50},
		},
	}
}
