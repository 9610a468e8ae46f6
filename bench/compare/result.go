package compare

import (
	"fmt"
	"strings"
)

// Run is one run of one candidate.
type Run struct {
	Figures Figures `json:"figures"`
	Usage   Usage   `json:"usage"`
	Void    string  `json:"void,omitempty"` // why it does not count
}

// Round is a run of each candidate, in the comparison's order of them.
type Round []Run

// Result is what came out of a comparison.
type Result struct {
	Comparison Comparison
	Rounds     []Round
}

// Void returns a line for each run that does not count.
func (r *Result) Void() (lines []string) {
	for n, round := range r.Rounds {
		for i, run := range round {
			if run.Void != "" {
				lines = append(lines, fmt.Sprintf("%s: %s, round %d: %s", r.Comparison.Name, r.Comparison.Candidates[i].Name, n+1, run.Void))
			}
		}
	}
	return lines
}

// figures returns a candidate's figures of one measure, of the runs that count.
func (r *Result) figures(candidate int, measure string) (values []float64) {
	for _, round := range r.Rounds {
		if value, ok := round[candidate].figure(measure); ok {
			values = append(values, value)
		}
	}
	return values
}

// ratios returns, for each round in which both count, one candidate's figure divided by the other's.
func (r *Result) ratios(candidate, against int, measure string) (values []float64) {
	for _, round := range r.Rounds {
		a, okA := round[candidate].figure(measure)
		b, okB := round[against].figure(measure)
		if okA && okB && b != 0 {
			values = append(values, a/b)
		}
	}
	return values
}

func (r Run) figure(measure string) (float64, bool) {
	value, measured := r.Figures[measure]
	return value, measured && r.Void == ""
}

// number is the index of a candidate, or -1.
func (c *Comparison) number(name string) int {
	for i, who := range c.Candidates {
		if who.Name == name {
			return i
		}
	}
	return -1
}

func (c *Comparison) reference() int { return max(0, c.number(c.Reference)) }

func (c *Comparison) unit(measure string) string {
	for _, m := range c.Measures {
		if m.Name == measure {
			return m.Unit
		}
	}
	return ""
}

func (r Run) line(c Comparison, who string) string {
	if r.Void != "" {
		return who + ": VOID: " + r.Void
	}
	parts := []string{}
	for _, m := range c.Measures {
		if value, measured := r.Figures[m.Name]; measured {
			parts = append(parts, fmt.Sprintf("%s %s %s", m.Name, short(value), m.Unit))
		}
	}
	return who + ": " + strings.Join(parts, ", ")
}
