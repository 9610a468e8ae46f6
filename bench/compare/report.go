package compare

import (
	"encoding/json"
	"io"
)

// Report is all results of one command, for programs.
type Report struct {
	Machine     string      `json:"machine"`
	Comparisons []OneReport `json:"comparisons"`
}

// OneReport is one comparison's result.
type OneReport struct {
	Name       string      `json:"name"`
	Title      string      `json:"title"`
	Work       int         `json:"work"`
	Candidates []WhoReport `json:"candidates"`
	Bars       []Verdict   `json:"bars"`
}

// WhoReport has a candidate's runs in the order of the rounds, and what they amount to.
type WhoReport struct {
	Name    string            `json:"name"`
	Figures map[string]Spread `json:"figures"`
	Ratios  map[string]Spread `json:"ratios"` // to the comparison's reference, within a round
	Runs    []Run             `json:"runs"`
}

// NewReport makes a report of results.
func NewReport(machine string, results []*Result) Report {
	report := Report{Machine: machine}
	for _, r := range results {
		report.Comparisons = append(report.Comparisons, r.report())
	}
	return report
}

func (r *Result) report() OneReport {
	report := OneReport{Name: r.Comparison.Name, Title: r.Comparison.Title, Work: r.Comparison.Work, Bars: r.Verdicts()}
	for i, who := range r.Comparison.Candidates {
		one := WhoReport{Name: who.Name, Figures: map[string]Spread{}, Ratios: map[string]Spread{}}
		for _, m := range r.Comparison.Measures {
			one.Figures[m.Name] = spreadOf(r.figures(i, m.Name))
			one.Ratios[m.Name] = spreadOf(r.ratios(i, r.Comparison.reference(), m.Name))
		}
		for _, round := range r.Rounds {
			one.Runs = append(one.Runs, round[i])
		}
		report.Candidates = append(report.Candidates, one)
	}
	return report
}

// WriteJSON writes a report.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
