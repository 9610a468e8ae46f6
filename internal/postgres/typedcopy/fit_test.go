package typedcopy

import (
	"testing"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// A column of the right name with values of another kind is doubted before its rows are refused one by one.
func TestFitIsThePartOfTheValuesThatCanBeRead(t *testing.T) {
	t.Parallel()
	notes := types.Report{Type: types.Text, Examples: []string{"red", "blue"}}
	for name, c := range map[string]struct {
		found types.Report
		into  target.Type
		want  float64
	}{
		"same type":            {types.Report{Type: types.Date}, target.Date, 1},
		"whole into fraction":  {types.Report{Type: types.Integer}, target.Decimal, 1},
		"day into moment":      {types.Report{Type: types.Date}, target.Instant, 1},
		"anything into text":   {types.Report{Type: types.Decimal}, target.Text, 1},
		"nothing in it":        {types.Report{Type: types.Text, Nulls: 4, Empty: 6}, target.Decimal, 1},
		"but for some":         {types.Report{Type: types.Text, Empty: 2, Nearly: &types.Nearly{Type: types.Integer, Count: 2}}, target.Decimal, 0.75},
		"a day, or another":    {types.Report{Type: types.Text, Ambiguous: []string{"DD/MM/YYYY", "MM/DD/YYYY"}}, target.Date, 1},
		"words into numbers":   {notes, target.Decimal, 0},
		"one of two is a day":  {types.Report{Type: types.Text, Examples: []string{"2026-01-31", "soon"}}, target.Date, 0.5},
		"fraction into whole":  {types.Report{Type: types.Decimal, Format: "0.0", Examples: []string{"1.5", "2.5"}}, target.Integer, 0},
		"more misfits than it": {types.Report{Type: types.Text, Nulls: 9, Nearly: &types.Nearly{Type: types.Integer, Count: 3}}, target.Integer, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Fit(c.found, c.into, 10); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
