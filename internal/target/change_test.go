package target_test

import (
	"slices"
	"testing"

	"sheetdrop/internal/target"
)

// What would lose values is refused with the field and what can be done instead; all else is done.
func TestChangesOfDefinitions(t *testing.T) {
	t.Parallel()
	old := target.Definition{Name: "t", Key: []string{"id"}, Columns: []target.Column{
		{Name: "id", Type: target.Text, Required: true, MaxLength: 10}, {Name: "net", Type: target.Decimal, Digits: 10, Scale: 2}, {Name: "day", Type: target.Date, Required: true},
	}}
	for name, c := range map[string]struct {
		change func(*target.Definition)
		want   []string
	}{
		"nothing":     {func(*target.Definition) {}, nil},
		"renamed":     {func(d *target.Definition) { d.Name = "u" }, []string{"/name"}},
		"another key": {func(d *target.Definition) { d.Key = nil }, []string{"/key"}},
		"another mode": {func(d *target.Definition) {
			d.Mode, d.Extra, d.Partition = target.Replace, target.RefuseExtra, []string{"day"}
		}, nil},
		"a column less":    {func(d *target.Definition) { d.Columns = d.Columns[:2] }, []string{"/columns"}},
		"in another order": {func(d *target.Definition) { slices.Reverse(d.Columns) }, nil},
		"a new column":     {func(d *target.Definition) { d.Columns = append(d.Columns, target.Column{Name: "x", Type: target.Time}) }, nil},
		"new and required": {func(d *target.Definition) {
			d.Columns = append(d.Columns, target.Column{Name: "x", Type: target.Text, Required: true})
		}, []string{"/columns/3/default"}},
		"with a default": {func(d *target.Definition) {
			d.Columns = append(d.Columns, target.Column{Name: "x", Type: target.Text, Required: true, Default: new("")})
		}, nil},
		"required":            {func(d *target.Definition) { d.Columns[1].Required = true }, []string{"/columns/1/required"}},
		"no longer required":  {func(d *target.Definition) { d.Columns[2].Required = false }, nil},
		"longer":              {func(d *target.Definition) { d.Columns[0].MaxLength = 11 }, nil},
		"as long as you like": {func(d *target.Definition) { d.Columns[0].MaxLength = 0 }, nil},
		"shorter":             {func(d *target.Definition) { d.Columns[0].MaxLength = 9 }, []string{"/columns/0/type"}},
		"more digits":         {func(d *target.Definition) { d.Columns[1].Digits = 11 }, nil},
		"any digits":          {func(d *target.Definition) { d.Columns[1].Digits, d.Columns[1].Scale = 0, 0 }, nil},
		"another scale":       {func(d *target.Definition) { d.Columns[1].Scale = 3 }, []string{"/columns/1/type"}},
		"another type":        {func(d *target.Definition) { d.Columns[2].Type = target.Timestamp }, []string{"/columns/2/type"}},
		"rules": {func(d *target.Definition) {
			d.Columns[1].Min, d.Columns[1].Synonyms, d.Columns[2].Label, d.Columns[2].Format = "0", []string{"x"}, "y", "era"
		}, nil},
	} {
		to := old
		to.Columns = slices.Clone(old.Columns)
		c.change(&to)
		if got := pointers(old.ValidateChange(to)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
