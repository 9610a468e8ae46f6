package relay

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const batch = 100 // that the relay claims at once

// logOfMessages is what a message costs the database, from its insert to where it is done with: its row in the history, or its job's in
// River with the state completed. What deletes those later is in neither.
func logOfMessages(s *testbed.Testbed) compare.Comparison {
	n := s.Size(5000, 200)
	f := &fixture{Testbed: s, sink: &nothing{}, n: n}
	return compare.Comparison{
		Name: "relay-log", Title: "what a message costs the database, inserted one by one and then sent", Work: n, Setup: f.open,
		Measures: []compare.Measure{
			{Name: "log", Unit: "bytes of WAL a message"}, {Name: "versions", Unit: "row versions a message"},
			{Name: "commits", Unit: "per batch of 100 sent"},
		},
		Reference: "River",
		Candidates: []compare.Candidate{
			{Name: "River", Run: f.cost(f.bestRiver, riverOne)},
			{Name: ours, Run: f.cost(newOurs, oursOne)},
		},
		Bars: []compare.Bar{
			{Measure: "log", Candidate: ours, Against: "River", Kind: compare.AtMost, Limit: 0.35},
			{Measure: "versions", Candidate: ours, Against: "River", Kind: compare.AtMost, Limit: 1},
			{Measure: "commits", Candidate: ours, Kind: compare.AtMost, Limit: 2 + float64(batch)/float64(n)},
		},
	}
}

// insertOne commits one message, in a transaction of its own.
type insertOne func(ctx context.Context, c relay, tx pgx.Tx) error

func oursOne(ctx context.Context, _ relay, tx pgx.Tx) error {
	m := postgres.NewParseMessage(task.NewID(), task.NewID())
	_, err := tx.Exec(ctx, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload) values ($1, $2, $3, $4)`,
		m.ID, m.EventType, m.TaskID, m.Payload)
	return err
}

func riverOne(ctx context.Context, c relay, tx pgx.Tx) error {
	r := c.(*riverRelay)
	_, err := r.inserts.InsertTx(ctx, tx, job{payload()}, nil)
	return err
}

func (f *fixture) cost(with newRelay, insert insertOne) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (outcome compare.Outcome, err error) {
		c, err := with(ctx, f)
		if err != nil {
			return outcome, err
		}
		defer func() {
			if c != nil {
				c.close()
			}
		}()
		if err := f.Checkpoint(ctx); err != nil {
			return outcome, err
		}
		log, err := f.LogPosition(ctx)
		if err != nil {
			return outcome, err
		}
		before, err := f.app.RowVersions(ctx)
		if err != nil {
			return outcome, err
		}
		if err := f.insertAll(ctx, c, insert); err != nil {
			return outcome, err
		}
		filled, err := f.app.Commits(ctx)
		if err != nil {
			return outcome, err
		}
		if outcome.Done, err = c.run(ctx); err != nil {
			return outcome, err
		}
		c.close() // only then has the server counted all
		c = nil
		end, err := f.LogPosition(ctx)
		if err != nil {
			return outcome, err
		}
		commits, err := f.app.Commits(ctx)
		if err != nil {
			return outcome, err
		}
		after, err := f.app.RowVersions(ctx)
		n := float64(f.n)
		outcome.Figures = compare.Figures{"log": (end - log) / n, "versions": (after - before) / n, "commits": (commits - filled) / n * batch}
		return outcome, err
	}
}

func (f *fixture) insertAll(ctx context.Context, c relay, insert insertOne) error {
	if r, ok := c.(*riverRelay); ok {
		r.want = f.n
	}
	pool, err := pgxpool.New(ctx, f.app.URL)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, _, err = testbed.Each(ctx, f.n, 4, func(ctx context.Context, _ int) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return insert(ctx, c, tx) })
	})
	return err
}
