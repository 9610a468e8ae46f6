// Package growth measures what a unit of work takes where there is one, ten and a hundred times as much of it. What takes more a unit the
// more there is would be slow at some size.
package growth

import (
	"context"
	"fmt"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
)

// workload is a kind of work.
type workload struct {
	name, title string
	base        int // units of ×1
	// start prepares n units of work, outside of the time that counts, and returns what does them and how many it did.
	start func(ctx context.Context, f *fixture, n int) (do func(context.Context) (int, error), err error)
}

// worse is by how much a unit may take longer among a hundred times than among ten times as many: noise.
const worse = 1.3

// Comparisons returns a comparison for each kind of work, each in an app of its own.
func Comparisons(s *testbed.Testbed) (all []compare.Comparison) {
	for _, one := range []workload{
		{"upload", "an upload", s.Size(50, 1), uploads},
		{"relay", "a message sent", s.Size(300, 4), messages},
		{"claim", "a claim of 100 messages, of so many hundreds that wait", s.Size(50, 1), claims},
		{"load", "a row loaded", s.Size(5000, 50), loads},
		{"rows", "a row that comes out", s.Size(5000, 50), rowsOut},
		{"lists", "a file in the list of all", s.Size(500, 10), lists},
		{"reconcile", "a task whose message was lost", s.Size(500, 5), reconcile},
	} {
		all = append(all, one.comparison(s))
	}
	return all
}

func (one workload) comparison(s *testbed.Testbed) compare.Comparison {
	f := &fixture{Testbed: s}
	c := compare.Comparison{
		Name: "growth-" + one.name, Title: "what it takes: " + one.title, Work: 1, Setup: f.open,
		Measures: []compare.Measure{{Name: "each", Unit: "µs"}, {Name: "total", Unit: "s"}},
		Bars:     []compare.Bar{{Measure: "each", Candidate: "× 100", Against: "× 10", Kind: compare.AtMost, Limit: worse}},
	}
	for _, times := range []int{1, 10, 100} {
		n := one.base * times
		c.Candidates = append(c.Candidates, compare.Candidate{
			Name: fmt.Sprintf("× %d", times), Run: func(ctx context.Context) (compare.Outcome, error) { return f.measure(ctx, one, n) },
		})
	}
	return c
}

// measure does n units of work, all of which must have been done.
func (f *fixture) measure(ctx context.Context, one workload, n int) (compare.Outcome, error) {
	do, err := one.start(ctx, f, n)
	if err != nil {
		return compare.Outcome{}, err
	}
	if err := f.Checkpoint(ctx); err != nil {
		return compare.Outcome{}, err
	}
	elapsed := testbed.Start()
	done, err := do(ctx)
	took := elapsed()
	if err == nil && done != n {
		err = fmt.Errorf("%d done, not %d", done, n)
	}
	return compare.Outcome{Done: 1, Figures: compare.Figures{
		"each": float64(took.Microseconds()) / float64(n), "total": took.Seconds(),
	}}, err
}
