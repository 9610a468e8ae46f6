// Package relay measures how fast messages leave the outbox, beside what people would use in its place: River, and watermill's SQL Pub/Sub.
package relay

import (
	"context"
	"fmt"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

const (
	ours       = "relay"
	putMessage = "raw Put Message"
	riverBest  = "River, best"
)

var rate = []compare.Measure{{Name: "rate", Unit: "1/s"}}

// Comparisons returns the comparisons of relays.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	return []compare.Comparison{
		intoAzurite(s), intoNothing(s), againstWatermill(s), intoStub(s), logOfMessages(s), trickle(s), untilVisible(s, 10), untilVisible(s, 100),
	}
}

// intoAzurite is about the queue itself: it takes most of the time.
func intoAzurite(s *testbed.Testbed) compare.Comparison {
	n := s.Size(4000, 200)
	f := &fixture{Testbed: s, sink: &azurite{testbed: s, warmUp: s.Size(3000, 50)}, n: n}
	return compare.Comparison{
		Name: "relay-azurite", Title: "messages from the outbox into Azurite's queue", Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{
			{Name: putMessage, Run: f.putMessages},
			{Name: ours, Run: f.drain(newOurs)},
			{Name: riverBest, Run: f.drain(f.bestRiver)},
		},
		Bars: []compare.Bar{{Measure: "rate", Candidate: ours, Against: putMessage, Kind: compare.AtLeast, Limit: 0.95}},
	}
}

// intoNothing is about the database alone.
func intoNothing(s *testbed.Testbed) compare.Comparison {
	n := s.Size(20_000, 400)
	f := &fixture{Testbed: s, sink: &nothing{}, n: n}
	return compare.Comparison{
		Name: "relay", Title: "messages from the outbox to a sink that takes no time", Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{
			{Name: ours, Run: f.drain(newOurs)},
			{Name: riverBest, Run: f.drain(f.bestRiver)},
			{Name: "River, defaults", Run: f.drain(newRiver(riverDefaults))},
			{Name: "River, PollOnly", Run: f.drain(newRiver(riverPolling))},
			{Name: "watermill-sql, queue", Run: f.drain(newWatermill(watermillQueue))},
		},
		Bars: []compare.Bar{
			{Measure: "rate", Candidate: ours, Against: riverBest, Kind: compare.AtLeast, Limit: 3},
			{Measure: "rate", Candidate: ours, Against: "watermill-sql, queue", Kind: compare.AtLeast, Limit: 0.8},
		},
	}
}

// againstWatermill has many messages: its default schema looks at all that were ever sent.
func againstWatermill(s *testbed.Testbed) compare.Comparison {
	n := s.Size(100_000, 400)
	f := &fixture{Testbed: s, sink: &nothing{}, n: n}
	return compare.Comparison{
		Name: "relay-many", Title: "many messages to a sink that takes no time", Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{
			{Name: ours, Run: f.drain(newOurs)},
			{Name: "watermill-sql, default", Run: f.drain(newWatermill(watermillDefault))},
		},
		Bars: []compare.Bar{{Measure: "rate", Candidate: ours, Against: "watermill-sql, default", Kind: compare.AtLeast, Limit: 5}},
	}
}

// intoStub is about how many sends are under way at once.
func intoStub(s *testbed.Testbed) compare.Comparison {
	n := s.Size(10_000, 200)
	f := &fixture{Testbed: s, sink: &stub{}, n: n}
	return compare.Comparison{
		Name: "relay-stub", Title: "messages from the outbox to an HTTP server that answers after a millisecond", Work: n, Setup: f.open, Measures: rate,
		Candidates: []compare.Candidate{
			{Name: ours, Run: f.drain(newOurs)},
			{Name: riverBest, Run: f.drain(f.bestRiver)},
		},
	}
}

// fixture is a database with messages, a sink, and what carries the ones to the other.
type fixture struct {
	*testbed.Testbed
	sink    sink
	n       int
	app     *testbed.App
	workers int // of River, with which it was best
	atOnce  int // of raw Put Message, with which it was best
}

// relay brings messages from a database to a sink.
type relay interface {
	// fill commits n messages that are due now.
	fill(ctx context.Context, n int) error
	// run sends until all that were filled in are done with in the table, and returns how many that are.
	run(ctx context.Context) (done int, err error)
	close()
}

type newRelay func(ctx context.Context, f *fixture) (relay, error)

func (f *fixture) open(ctx context.Context) (teardown func(), err error) {
	if f.app, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	if err := prepareRiver(ctx, f.app); err != nil {
		return nil, err
	}
	if err := f.sink.open(ctx); err != nil {
		return nil, err
	}
	if err := f.sweepRiver(ctx); err != nil {
		return nil, err
	}
	if err := f.sweepPut(ctx); err != nil {
		return nil, err
	}
	return func() { f.sink.close(); f.app.Drop() }, nil
}

// drain is a run: the messages are there when its time begins.
func (f *fixture) drain(with newRelay) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		rate, done, err := f.drainOnce(ctx, with, f.n)
		return compare.Outcome{Done: done, Figures: compare.Figures{"rate": rate}}, err
	}
}

// drainOnce returns messages a second, and how many are done both at the sink and in the table.
func (f *fixture) drainOnce(ctx context.Context, with newRelay, n int) (rate float64, done int, err error) {
	c, err := with(ctx, f)
	if err != nil {
		return 0, 0, err
	}
	defer c.close()
	if err := c.fill(ctx, n); err != nil {
		return 0, 0, err
	}
	if err := f.Checkpoint(ctx); err != nil {
		return 0, 0, err
	}
	before, err := f.sink.count(ctx)
	if err != nil {
		return 0, 0, err
	}
	elapsed := testbed.Start()
	done, err = c.run(ctx)
	if err != nil {
		return 0, 0, err
	}
	took := elapsed()
	after, err := f.sink.count(ctx)
	if err == nil && after-before != done {
		err = fmt.Errorf("%d messages at the sink, and %d done in the table", after-before, done)
	}
	return float64(n) / took.Seconds(), done, err
}

// putMessages is the sink without an outbox.
func (f *fixture) putMessages(ctx context.Context) (compare.Outcome, error) {
	rate, err := f.put(ctx, f.n, f.atOnce)
	return compare.Outcome{Done: f.n, Figures: compare.Figures{"rate": rate}}, err
}

func (f *fixture) put(ctx context.Context, n, atOnce int) (rate float64, err error) {
	queue, err := f.sink.queue()
	if err != nil {
		return 0, err
	}
	_, took, err := testbed.Each(ctx, n, atOnce, func(ctx context.Context, _ int) error { return queue.Send(ctx, payload()) })
	return float64(n) / took.Seconds(), err
}

// sweepPut finds with how many at once raw Put Message is fastest.
func (f *fixture) sweepPut(ctx context.Context) error {
	best := 0.0
	for _, atOnce := range []int{1, 4, 8, 16, 32, 64} {
		rate, err := f.put(ctx, max(f.n/8, 50), atOnce)
		if err != nil {
			return err
		}
		f.Log("raw Put Message, %d at once: %.0f/s", atOnce, rate)
		if rate > best {
			best, f.atOnce = rate, atOnce
		}
	}
	return nil
}
