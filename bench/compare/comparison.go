// Package compare runs candidates that do the same work side by side, in an order that alternates, and says how they compare: medians,
// ratios of the runs of one round, and whether they meet their bars. A machine that is busy with other work makes all runs of a round
// slower, so the ratio within a round is what counts.
package compare

import (
	"context"
	"fmt"
	"slices"
)

// Figures are what one run measured, by the names of measures.
type Figures map[string]float64

// Outcome is what one run has done and measured.
type Outcome struct {
	Done    int // units of work, which must be the comparison's
	Figures Figures
}

// Candidate is one way to do the work.
type Candidate struct {
	Name string
	Run  func(ctx context.Context) (Outcome, error)
}

// Measure is a figure that the runs of a comparison have.
type Measure struct{ Name, Unit string }

// Comparison compares candidates.
type Comparison struct {
	Name       string // a word, by which it is chosen
	Title      string
	Work       int  // units that each run must do: a run that did another number is void
	Once       bool // its figures hardly differ between runs: one round, however many there are
	Measures   []Measure
	Candidates []Candidate
	Reference  string // the candidate whose figures the ratios in the table refer to; "" is the first one
	Bars       []Bar

	// Setup prepares what the runs need, outside of what is measured, and returns how it is taken away.
	Setup func(ctx context.Context) (teardown func(), err error)
}

// Runner runs comparisons.
type Runner struct {
	Rounds int
	Meter  Meter
	Log    func(format string, args ...any)
}

// Meter measures what a run takes of the machine.
type Meter interface {
	// Begin starts a measurement and returns what ends it.
	Begin() (end func() Usage)
}

// Usage is what a run took, by the processes' names.
type Usage struct {
	CPU  map[string]float64 `json:"cpu_seconds"`
	Peak map[string]float64 `json:"peak_mib"` // the largest process of each
}

// Run runs a comparison. Void runs do not make it fail; see Result.Void.
func (r *Runner) Run(ctx context.Context, c Comparison) (*Result, error) {
	if c.Setup != nil {
		r.Log("%s: preparing", c.Name)
		teardown, err := c.Setup(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: prepare: %w", c.Name, err)
		}
		defer teardown()
	}
	result := &Result{Comparison: c, Rounds: make([]Round, r.rounds(c))}
	for i := range result.Rounds {
		result.Rounds[i] = make(Round, len(c.Candidates))
		for _, n := range order(len(c.Candidates), i) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			run := r.run(ctx, c, c.Candidates[n])
			r.Log("%s: round %d of %d: %s", c.Name, i+1, len(result.Rounds), run.line(c, c.Candidates[n].Name))
			result.Rounds[i][n] = run
		}
	}
	return result, nil
}

func (r *Runner) rounds(c Comparison) int {
	if c.Once {
		return 1
	}
	return r.Rounds
}

func (r *Runner) run(ctx context.Context, c Comparison, who Candidate) Run {
	end := r.Meter.Begin()
	outcome, err := who.Run(ctx)
	run := Run{Figures: outcome.Figures, Usage: end()}
	switch {
	case err != nil:
		run.Void = err.Error()
	case outcome.Done != c.Work:
		run.Void = fmt.Sprintf("%d done, not %d", outcome.Done, c.Work)
	}
	return run
}

// order is that of the candidates in a round: A B in one, B A in the next.
func order(candidates, round int) []int {
	numbers := make([]int, candidates)
	for i := range numbers {
		numbers[i] = i
	}
	if round%2 == 1 {
		slices.Reverse(numbers)
	}
	return numbers
}
