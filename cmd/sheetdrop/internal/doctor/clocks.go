package doctor

import (
	"context"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// clock is a clock as it was read.
type clock struct {
	of    string
	ahead time.Duration // of this machine's
}

// note keeps what a clock has shown between begun and now. The zero time is none. In doubt it has shown what this machine has.
func (e *examination) note(of string, shown, begun time.Time) {
	if shown.IsZero() {
		return
	}
	const resolution = time.Second // of a Date header
	ahead := time.Duration(0)
	if earliest, latest := begun.Add(-resolution), time.Now(); shown.Before(earliest) {
		ahead = shown.Sub(earliest)
	} else if shown.After(latest) {
		ahead = shown.Sub(latest)
	}
	e.clocks = append(e.clocks, clock{of, ahead})
}

// compareClocks names the clock that differs from the others: this machine's, if it differs from several that agree.
func (e *examination) compareClocks(context.Context) Finding {
	if len(e.clocks) == 0 {
		return skipped(words.In("no other clock could be read"))
	}
	worst, apart := e.clocks[0], 0
	for _, c := range e.clocks {
		if c.ahead.Abs() > worst.ahead.Abs() {
			worst = c
		}
		if c.ahead.Abs() > e.Thresholds.ClockWarning {
			apart++
		}
	}
	found := words.Sprintf("The clock of %s differs from this machine's by %s.", worst.of, worst.ahead.Round(time.Second))
	next := words.Sprintf("Set the clock of %s by a time server.", worst.of)
	if apart > 1 && apart == len(e.clocks) {
		found = words.Sprintf("This machine's clock differs from all others by %s.", (-worst.ahead).Round(time.Second))
		next = words.In("Set this machine's clock by a time server.")
	}
	means := words.In("Storage and sign-in refuse what seems to be too old or not yet valid.")
	switch {
	case worst.ahead.Abs() > e.Thresholds.ClockProblem:
		return problem(found, means, next)
	case worst.ahead.Abs() > e.Thresholds.ClockWarning:
		return warning(found, means, next)
	}
	names := make([]string, len(e.clocks))
	for i, c := range e.clocks {
		names[i] = c.of
	}
	return fine(words.Sprintf("These agree with this machine: %s.", strings.Join(names, ", ")))
}
