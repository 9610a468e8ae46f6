package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"sheetdrop/bench/compare"
)

// idle is a meter of a machine that takes nothing.
type idle struct{}

func (idle) Begin() func() compare.Usage {
	return func() compare.Usage {
		return compare.Usage{CPU: map[string]float64{"client": 1.5}, Peak: map[string]float64{"handler": 20}}
	}
}

// scripted is a candidate whose runs measure these values one after the other, and which notes its turns.
func scripted(name string, turns *[]string, values ...float64) compare.Candidate {
	n := 0
	return compare.Candidate{Name: name, Run: func(context.Context) (compare.Outcome, error) {
		*turns = append(*turns, name)
		n++
		return compare.Outcome{Done: 10, Figures: compare.Figures{"rate": values[n-1]}}, nil
	}}
}

func run(t *testing.T, rounds int, c compare.Comparison) *compare.Result {
	t.Helper()
	runner := compare.Runner{Rounds: rounds, Meter: idle{}, Log: t.Logf}
	result, err := runner.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func rate(candidates ...compare.Candidate) compare.Comparison {
	return compare.Comparison{
		Name: "race", Title: "who is faster", Work: 10, Candidates: candidates,
		Measures: []compare.Measure{{Name: "rate", Unit: "1/s"}},
	}
}

func TestOrderAlternates(t *testing.T) {
	var turns []string
	run(t, 3, rate(scripted("A", &turns, 1, 1, 1), scripted("B", &turns, 1, 1, 1), scripted("C", &turns, 1, 1, 1)))
	if got, want := strings.Join(turns, ""), "ABCCBAABC"; got != want {
		t.Errorf("the order was %s, want %s", got, want)
	}
}

// A machine that is three times slower in the second round says nothing about the candidates.
func TestRatiosAreThoseOfOneRound(t *testing.T) {
	var turns []string
	c := rate(scripted("plain", &turns, 90, 30, 60), scripted("ours", &turns, 45, 15, 30))
	c.Bars = []compare.Bar{
		{Measure: "rate", Candidate: "ours", Against: "plain", Kind: compare.AtLeast, Limit: 0.5},
		{Measure: "rate", Candidate: "ours", Against: "plain", Kind: compare.AtLeast, Limit: 0.51},
		{Measure: "rate", Candidate: "ours", Kind: compare.AtMost, Limit: 30},
		{Measure: "rate", Candidate: "ours", Kind: compare.AtMost, Limit: 29},
	}
	verdicts := run(t, 3, c).Verdicts()
	if got, want := verdicts[0].Figure, (compare.Spread{Median: 0.5, Min: 0.5, Max: 0.5, N: 3}); got != want {
		t.Errorf("the ratio is %+v, want %+v", got, want)
	}
	if got, want := verdicts[2].Figure, (compare.Spread{Median: 30, Min: 15, Max: 45, N: 3}); got != want {
		t.Errorf("the figure is %+v, want %+v", got, want)
	}
	for i, want := range []bool{true, false, true, false} {
		if verdicts[i].Met != want {
			t.Errorf("bar %d is met: %t, want %t", i, verdicts[i].Met, want)
		}
	}
}

// A run that lost messages, or that failed, would look fast.
func TestRunWhoseCountDiffersIsVoid(t *testing.T) {
	var turns []string
	lossy := compare.Candidate{Name: "lossy", Run: func(context.Context) (compare.Outcome, error) {
		return compare.Outcome{Done: 9, Figures: compare.Figures{"rate": 1000}}, nil
	}}
	broken := compare.Candidate{Name: "broken", Run: func(context.Context) (compare.Outcome, error) {
		return compare.Outcome{Done: 10, Figures: compare.Figures{"rate": 1000}}, errors.New("no connection")
	}}
	c := rate(scripted("plain", &turns, 10), lossy, broken)
	c.Bars = []compare.Bar{
		{Measure: "rate", Candidate: "lossy", Against: "plain", Kind: compare.AtLeast, Limit: 1},
		{Measure: "rate", Candidate: "broken", Kind: compare.AtLeast, Limit: 1},
	}
	result := run(t, 1, c)
	want := []string{"race: lossy, round 1: 9 done, not 10", "race: broken, round 1: no connection"}
	if got := result.Void(); !slices.Equal(got, want) {
		t.Errorf("void runs %q, want %q", got, want)
	}
	for _, v := range result.Verdicts() {
		if v.Met || v.Figure.N != 0 {
			t.Errorf("a void run counts: %+v", v)
		}
	}
}

func TestOnceIsOneRound(t *testing.T) {
	var turns []string
	c := rate(scripted("A", &turns, 1))
	c.Once = true
	if run(t, 5, c); len(turns) != 1 {
		t.Errorf("%d rounds, want 1", len(turns))
	}
}

func TestSetupThatFailsEndsTheComparison(t *testing.T) {
	c := rate()
	c.Setup = func(context.Context) (func(), error) { return nil, errors.New("no disk") }
	runner := compare.Runner{Rounds: 1, Meter: idle{}, Log: t.Logf}
	if _, err := runner.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("error %v, want one that says no disk", err)
	}
}

func TestQuantileLiesBetweenValues(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 0.5: 2.5, 1: 4} {
		if got := compare.Quantile(values, q); got != want {
			t.Errorf("quantile %g is %g, want %g", q, got, want)
		}
	}
}

func TestComparisonThatNamesNobodyIsRefused(t *testing.T) {
	for _, b := range []compare.Bar{
		{Measure: "rate", Candidate: "somebody"}, {Measure: "speed", Candidate: "A"}, {Measure: "rate", Candidate: "A", Against: "somebody"},
	} {
		c := rate(compare.Candidate{Name: "A"})
		c.Bars = []compare.Bar{b}
		if c.Check() == nil {
			t.Errorf("%+v is not refused", b)
		}
	}
}

func TestReports(t *testing.T) {
	var turns []string
	c := rate(scripted("plain", &turns, 2000, 4000), scripted("ours <new>", &turns, 1000, 3000))
	c.Bars = []compare.Bar{{Measure: "rate", Candidate: "ours <new>", Against: "plain", Kind: compare.AtLeast, Limit: 0.6}}
	results := []*compare.Result{run(t, 2, c)}

	var table strings.Builder
	must(t, results[0].WriteTable(&table))
	for _, line := range []string{
		"| plain | rate, 1/s | 3,000 | 2,000 | 4,000 | 1.00 (1.00 to 1.00) | client 1.50 | handler 20.0 |",
		"| ours <new> | rate, 1/s | 2,000 | 1,000 | 3,000 | 0.62 (0.50 to 0.75) | client 1.50 | handler 20.0 |",
		"| ours <new>: rate, against plain | ≥ 0.60 × | 0.62 | 0.50 | 0.75 | met |",
	} {
		if !strings.Contains(table.String(), line) {
			t.Errorf("the table lacks %q:\n%s", line, table.String())
		}
	}

	var picture bytes.Buffer
	must(t, compare.WritePicture(&picture, "2 cores", results))
	decoder := xml.NewDecoder(&picture)
	circles := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 1 {
		t.Errorf("the picture has %d bars, want 1", circles)
	}

	var text bytes.Buffer
	must(t, compare.NewReport("2 cores", results).WriteJSON(&text))
	var report compare.Report
	must(t, json.Unmarshal(text.Bytes(), &report))
	if got := report.Comparisons[0].Candidates[1].Ratios["rate"].Median; got != 0.625 {
		t.Errorf("the median ratio in JSON is %g, want 0.625", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
