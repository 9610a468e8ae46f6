package compare

import "fmt"

// Bar is what a figure has to be. Exactly one of AtLeast and AtMost counts, by Kind.
type Bar struct {
	Measure   string
	Candidate string
	Against   string // the candidate whose figure it is divided by, run by run; "" is the figure itself
	Kind      Kind
	Limit     float64
}

// Kind says on which side of the limit a bar is met.
type Kind int

// The kinds of bars.
const (
	AtLeast Kind = iota
	AtMost
)

func (k Kind) String() string {
	if k == AtMost {
		return "≤"
	}
	return "≥"
}

// Verdict is whether a bar was met.
type Verdict struct {
	Comparison string  `json:"comparison"`
	What       string  `json:"what"`
	Figure     Spread  `json:"figure"`
	Kind       string  `json:"kind"`
	Limit      float64 `json:"limit"`
	Unit       string  `json:"unit,omitempty"` // "×" for ratios
	Met        bool    `json:"met"`
}

// margin is how far the figure lies on the good side of the limit: 1 is the limit, 2 twice as good.
func (v Verdict) margin(value float64) float64 {
	if v.Kind == AtMost.String() {
		return safeRatio(v.Limit, value)
	}
	return safeRatio(value, v.Limit)
}

func safeRatio(a, b float64) float64 {
	if b == 0 {
		b = 1e-9
	}
	return a / b
}

// Verdicts judges the medians of a result by its comparison's bars. A bar without a run that counts is not met.
func (r *Result) Verdicts() []Verdict {
	verdicts := make([]Verdict, len(r.Comparison.Bars))
	for i, b := range r.Comparison.Bars {
		verdicts[i] = r.judge(b)
	}
	return verdicts
}

func (r *Result) judge(b Bar) Verdict {
	v := Verdict{Comparison: r.Comparison.Name, Kind: b.Kind.String(), Limit: b.Limit}
	who := r.Comparison.number(b.Candidate)
	if b.Against == "" {
		v.What, v.Unit = fmt.Sprintf("%s: %s", b.Candidate, b.Measure), r.Comparison.unit(b.Measure)
		v.Figure = spreadOf(r.figures(who, b.Measure))
	} else {
		v.What, v.Unit = fmt.Sprintf("%s: %s, against %s", b.Candidate, b.Measure, b.Against), "×"
		v.Figure = spreadOf(r.ratios(who, r.Comparison.number(b.Against), b.Measure))
	}
	v.Met = v.Figure.N > 0 && (b.Kind == AtLeast && v.Figure.Median >= b.Limit || b.Kind == AtMost && v.Figure.Median <= b.Limit)
	return v
}

// Check returns an error where a comparison names a candidate or a measure that it does not have.
func (c *Comparison) Check() error {
	for _, b := range c.Bars {
		if c.number(b.Candidate) < 0 || b.Against != "" && c.number(b.Against) < 0 {
			return fmt.Errorf("comparison %s: no candidate %q or %q", c.Name, b.Candidate, b.Against)
		}
		if !c.has(b.Measure) {
			return fmt.Errorf("comparison %s: no measure %q", c.Name, b.Measure)
		}
	}
	if c.Reference != "" && c.number(c.Reference) < 0 {
		return fmt.Errorf("comparison %s: no candidate %q", c.Name, c.Reference)
	}
	return nil
}

func (c *Comparison) has(measure string) bool {
	for _, m := range c.Measures {
		if m.Name == measure {
			return true
		}
	}
	return false
}
