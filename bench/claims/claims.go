// Package claims measures whether a claim of messages takes as long where millions wait and millions were sent as where there are few.
package claims

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const (
	little  = "little waits, nothing sent"
	much    = "much waits, much sent"
	claimed = 100 // messages at once, as the relay does
	lease   = 30 * time.Second
)

// Comparisons returns the comparison of claims.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	n := s.Size(250, 20)
	a := &fixture{Testbed: s, wait: 3 * claimed}
	b := &fixture{Testbed: s, wait: s.Size(1_000_000, 20_000), sent: s.Size(5_000_000, 20_000)}
	return []compare.Comparison{{
		Name: "claims", Title: "a claim of 100 messages, 1,500 claims of each: a million wait and five were sent, against few and none", Work: n * claimed,
		Measures: append([]compare.Measure{{Name: "sorts", Unit: "in the plan"}}, testbed.QuantileMeasures...),
		Setup: func(ctx context.Context) (func(), error) {
			return func() { a.close(); b.close() }, errors.Join(a.open(ctx), b.open(ctx))
		},
		Candidates: []compare.Candidate{{Name: little, Run: a.run(n)}, {Name: much, Run: b.run(n)}},
		Bars: []compare.Bar{
			{Measure: "p50", Candidate: much, Against: little, Kind: compare.AtMost, Limit: 2},
			{Measure: "p99", Candidate: much, Against: little, Kind: compare.AtMost, Limit: 3},
			{Measure: "sorts", Candidate: much, Kind: compare.AtMost, Limit: 0},
		},
	}}
}

// fixture is a database with so many messages that wait and so many that were sent.
type fixture struct {
	*testbed.Testbed
	wait, sent int
	app        *testbed.App
	db         *postgres.DB
	seen       statement
}

// statement remembers the claim as it is sent to the server, with its arguments.
type statement struct {
	sql  string
	args []any
}

// TraceQueryStart implements pgx.QueryTracer.
func (s *statement) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.Contains(data.SQL, "update sheetdrop.outbox_message") && strings.Contains(data.SQL, "order by next_attempt_at") {
		s.sql, s.args = data.SQL, data.Args
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statement) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

const (
	waitingSQL = `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, next_attempt_at)
select id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), now() - ($1 - i) * interval '1 ms'
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`

	sentSQL = `insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, created_at, processed_at)
select i % 14, id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), 1, now(), now()
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`
)

func (f *fixture) open(ctx context.Context) (err error) {
	if f.app, err = f.NewApp(ctx); err != nil {
		return err
	}
	if err := f.add(ctx, f.wait); err != nil {
		return err
	}
	if _, err := f.app.SQL.Exec(ctx, sentSQL, f.sent); err != nil {
		return err
	}
	for _, table := range []string{"outbox_message", "outbox_history"} {
		if _, err := f.app.SQL.Exec(ctx, `vacuum analyze sheetdrop.`+table); err != nil {
			return err
		}
	}
	f.db, err = postgres.Open(postgres.Settings{URL: f.app.URL, MaxConns: 2, Configure: func(c *pgx.ConnConfig) { c.Tracer = &f.seen }})
	return err
}

func (f *fixture) close() {
	f.db.Close()
	f.app.Drop()
}

func (f *fixture) add(ctx context.Context, n int) error {
	_, err := f.app.SQL.Exec(ctx, waitingSQL, n)
	return err
}

// run claims, settles, and commits as many new messages, each time.
func (f *fixture) run(n int) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (outcome compare.Outcome, err error) {
		var took []float64
		for range n {
			token := task.NewID()
			elapsed := testbed.Start()
			messages, err := f.db.ClaimMessages(ctx, token, lease, time.Time{}, claimed)
			if err != nil {
				return outcome, err
			}
			took = append(took, testbed.Milliseconds(elapsed()))
			outcome.Done += len(messages)
			var settled postgres.Settlement
			for _, m := range messages {
				settled.Sent = append(settled.Sent, m.ID)
			}
			if err := f.db.Settle(ctx, token, settled); err != nil {
				return outcome, err
			}
			if err := f.add(ctx, claimed); err != nil {
				return outcome, err
			}
		}
		outcome.Figures = testbed.Quantiles(took)
		outcome.Figures["sorts"], err = f.sorts(ctx)
		return outcome, err
	}
}

// sorts returns how many sorts are in the plan of the claim, as the server makes it in the claim's own transaction.
func (f *fixture) sorts(ctx context.Context) (n float64, err error) {
	if f.seen.sql == "" {
		return 0, errors.New("the statement of the claim was not seen")
	}
	err = pgx.BeginFunc(ctx, f.app.SQL, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local enable_sort = off; set local enable_seqscan = off`, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `explain `+f.seen.sql, f.seen.args...)
		if err != nil {
			return err
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		n = float64(strings.Count(strings.Join(plan, "\n"), "Sort"))
		if err == nil && len(plan) == 0 {
			err = fmt.Errorf("no plan")
		}
		return err
	})
	return n, err
}
