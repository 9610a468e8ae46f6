package typedcopy

import (
	"slices"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// Fit returns which part of a column's values a type can take, from 0 to 1, by what the engine has found out about them in so many rows.
// Where the column has another type, the examples stand for all of its values.
func Fit(found types.Report, t target.Type, rows int64) float64 {
	want := EngineType(t)
	values := rows - found.Nulls - found.Empty
	switch {
	case want == types.Text, values <= 0, holds(want, found.Type):
		return 1
	case slices.ContainsFunc(found.Ambiguous, func(format string) bool { return holds(want, kindOf(format)) }): // people are asked which
		return 1
	case found.Nearly != nil && holds(want, found.Nearly.Type):
		return 1 - float64(min(found.Nearly.Count, values))/float64(values)
	}
	return fitOfExamples(want, found.Examples)
}

// holds reports whether a type takes all values of another one.
func holds(want, kind types.Type) bool {
	switch want {
	case types.Decimal:
		return kind == types.Decimal || kind == types.Integer
	case types.Timestamp:
		return kind == types.Timestamp || kind == types.Date
	}
	return want == kind
}

func fitOfExamples(want types.Type, examples []string) float64 {
	values, err := types.NewConverter(want, "", 0)
	if err != nil || len(examples) == 0 {
		return 0
	}
	taken := 0
	for _, example := range examples {
		if _, ok := values.Value([]byte(example)); ok {
			taken++
		}
	}
	return float64(taken) / float64(len(examples))
}
