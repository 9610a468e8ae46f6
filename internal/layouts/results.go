package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// results are the figures of all rounds, by layout.
type results struct {
	names   []string // of figures
	layouts []layout
	rounds  [][][]float64 // layout, round, figure
}

func newResults(names []string, list []layout) *results {
	return &results{names, list, make([][][]float64, len(list))}
}

func (r *results) add(layout int, figures []float64) {
	r.rounds[layout] = append(r.rounds[layout], figures)
}

// print writes a Markdown table: a line for each figure, with its median and, behind it, the median of its ratios to the first layout.
func (r *results) print(w io.Writer) {
	fmt.Fprint(w, "| |")
	for _, l := range r.layouts {
		fmt.Fprintf(w, " %s |", l.name)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---:|", len(r.layouts)))
	for figure, name := range r.names {
		fmt.Fprintf(w, "| %s |", name)
		for i := range r.layouts {
			fmt.Fprintf(w, " %s |", r.cell(i, figure))
		}
		fmt.Fprintln(w)
	}
}

func (r *results) cell(layout, figure int) string {
	values, ratios := make([]float64, 0), make([]float64, 0)
	for round, figures := range r.rounds[layout] {
		values = append(values, figures[figure])
		ratios = append(ratios, figures[figure]/r.rounds[0][round][figure])
	}
	switch value := fmt.Sprintf("%.4g", median(values)); {
	case math.IsNaN(values[0]):
		return "—"
	case layout == 0:
		return value
	default:
		return fmt.Sprintf("%s (× %.2f, %.2f to %.2f)", value, median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
}
