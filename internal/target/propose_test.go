package target_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// Whatever a file's columns are called, what is proposed for them can be created as it is, and matches the file again.
func TestProposalIsValidAndMatchesItsFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "_row", "ctid", "商品コード", "a", "A", " a ", strings.Repeat("値段", 40), "x\ny", "__was"}))
		labels := rapid.SliceOfN(label, 1, 8).Draw(t, "labels")
		var columns []sheet.Column
		for i, name := range sheet.ColumnNames(labels) {
			columns = append(columns, sheet.Column{Name: name, Label: labels[i], Report: types.Report{Type: types.Text}})
		}
		def := target.Propose(label.Draw(t, "file"), columns)
		if problems := def.Validate(); len(problems) > 0 {
			t.Fatalf("%+v\n%+v", def, problems)
		}
		mapping, problems := target.MatchHeaders(def, labels, nil, nil)
		if len(problems) > 0 {
			return // labels that are the same, which nobody can tell apart
		}
		for i, c := range mapping.Columns {
			if c.Column != "" && c.Column != def.Columns[i].Name {
				t.Fatalf("%q goes to %q, and was made of %+v", c.Header, c.Column, def.Columns[i])
			}
		}
	})
}

// Types come from what was found in the file, and hold what the next one may have.
func TestProposedColumns(t *testing.T) {
	t.Parallel()
	var columns []sheet.Column
	for label, report := range map[string]types.Report{
		"商品コード": {Type: types.Text}, "Nr.": {Type: types.Integer, Digits: 19}, "Zeit": {Type: types.Timestamp, Format: "YYYY-MM-DD hh:mm±hh:mm"}, "Tag": {Type: types.Date, Format: "DD.MM.YYYY"},
	} {
		columns = append(columns, sheet.Column{Name: label, Label: label + " ", Report: report})
	}
	slices.SortFunc(columns, func(a, b sheet.Column) int { return strings.Compare(a.Name, b.Name) })
	def := target.Propose(`C:\data\Preise 2026.xlsx`, columns)
	want := []target.Column{{Name: "Nr.", Type: target.Decimal}, {Name: "Tag", Type: target.Date}, {Name: "Zeit", Type: target.Instant}, {Name: "商品コード", Type: target.Text}}
	if def.Name != "Preise 2026" || !slices.EqualFunc(def.Columns, want, func(a, b target.Column) bool { return a.Name == b.Name && a.Label == b.Label && a.Type == b.Type }) {
		t.Errorf("%+v", def)
	}
}
