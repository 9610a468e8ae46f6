package relay

import (
	"context"
	"time"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// trickle is what a message costs in commits where they come one by one.
func trickle(s *testbed.Testbed) compare.Comparison {
	n := s.Size(200, 20)
	f := &fixture{Testbed: s, sink: &nothing{}, n: n}
	return compare.Comparison{
		Name: "relay-trickle", Title: "commits of messages that come one by one, each nudged when the one before is done", Work: n, Setup: f.open,
		Once: true, Measures: []compare.Measure{{Name: "commits", Unit: "a message, with its insert"}},
		Candidates: []compare.Candidate{{Name: ours, Run: f.oneByOne}},
		Bars:       []compare.Bar{{Measure: "commits", Candidate: ours, Kind: compare.AtMost, Limit: 3}},
	}
}

func (f *fixture) oneByOne(ctx context.Context) (outcome compare.Outcome, err error) {
	c, err := newOurs(ctx, f)
	if err != nil {
		return outcome, err
	}
	p := c.(*ourRelay)
	before, err := f.app.Commits(ctx)
	if err != nil {
		return outcome, err
	}
	for range f.n {
		m := postgres.NewParseMessage(task.NewID(), task.NewID())
		err := p.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
			return tx.InsertMessages(ctx, []postgres.OutboxMessage{m})
		})
		if err != nil {
			return outcome, err
		}
		sent, _ := f.sink.count(ctx)
		p.relay.Nudge(m.ID)
		err = testbed.Await(ctx, time.Millisecond, func() (bool, error) {
			now, err := f.sink.count(ctx)
			return now > sent, err
		})
		if err != nil {
			return outcome, err
		}
	}
	p.close() // settles what was sent last
	after, err := f.app.Commits(ctx)
	if err != nil {
		return outcome, err
	}
	err = f.app.SQL.QueryRow(ctx, `select count(*) from sheetdrop.outbox_history`).Scan(&outcome.Done)
	outcome.Figures = compare.Figures{"commits": (after - before) / float64(f.n)}
	return outcome, err
}
