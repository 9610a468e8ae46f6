package compare

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteTable writes a result as tables in Markdown: the figures of each candidate, and the bars.
func (r *Result) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s; %d rounds, work %s\n\n", r.Comparison.Name, r.Comparison.Title, len(r.Rounds), short(float64(r.Comparison.Work)))
	fmt.Fprintf(&b, "| | measure | median | min | max | × %s | CPU, s | peak, MiB |\n|---|---|---:|---:|---:|---:|---|---|\n",
		r.Comparison.Candidates[r.Comparison.reference()].Name)
	for i, who := range r.Comparison.Candidates {
		r.rows(&b, i, who.Name)
	}
	if verdicts := r.Verdicts(); len(verdicts) > 0 {
		b.WriteString("\n| bar | | figure | min | max | |\n|---|---|---:|---:|---:|---|\n")
		for _, v := range verdicts {
			fmt.Fprintf(&b, "| %s | %s %s %s | %s | %s | %s | %s |\n", v.What, v.Kind, short(v.Limit), v.Unit,
				short(v.Figure.Median), short(v.Figure.Min), short(v.Figure.Max), metWord(v.Met))
		}
	}
	for _, line := range r.Void() {
		fmt.Fprintf(&b, "\nVOID %s\n", line)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// rows writes a line for each measure of a candidate; the first one has what the runs took of the machine.
func (r *Result) rows(b *strings.Builder, candidate int, name string) {
	cpu, peak := r.usage(candidate)
	for _, m := range r.Comparison.Measures {
		s := spreadOf(r.figures(candidate, m.Name))
		if s.N == 0 {
			continue
		}
		ratio := spreadOf(r.ratios(candidate, r.Comparison.reference(), m.Name))
		against := ""
		if ratio.N > 0 {
			against = fmt.Sprintf("%s (%s to %s)", short(ratio.Median), short(ratio.Min), short(ratio.Max))
		}
		fmt.Fprintf(b, "| %s | %s, %s | %s | %s | %s | %s | %s | %s |\n",
			name, m.Name, m.Unit, short(s.Median), short(s.Min), short(s.Max), against, cpu, peak)
		name, cpu, peak = "", "", ""
	}
}

// usage returns the medians of what the runs took, in words.
func (r *Result) usage(candidate int) (cpu, peak string) {
	seconds, mib := map[string][]float64{}, map[string][]float64{}
	for _, round := range r.Rounds {
		for name, v := range round[candidate].Usage.CPU {
			seconds[name] = append(seconds[name], v)
		}
		for name, v := range round[candidate].Usage.Peak {
			mib[name] = append(mib[name], v)
		}
	}
	return words(seconds, 0.005), words(mib, 0.5)
}

// words writes the medians that are not below what is worth telling.
func words(values map[string][]float64, least float64) string {
	parts := []string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if median := Quantile(values[name], 0.5); median >= least {
			parts = append(parts, name+" "+short(median))
		}
	}
	return strings.Join(parts, ", ")
}

func metWord(met bool) string {
	if met {
		return "met"
	}
	return "NOT met"
}
