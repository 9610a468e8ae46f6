package target_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/target"
)

// Whoever decides by the figures decides for what is more likely: more letters or words in common are more, a name as it stands is most, and
// two columns that a header resembles alike are half of it each.
func TestConfidenceGrowsWithTheLikeness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header string
		want   []target.Candidate
	}{
		{"artcle", []target.Candidate{{Column: "article", Confidence: 0.77}}},
		{"atricle", []target.Candidate{{Column: "article", Confidence: 0.64}}},
		{"from valid", []target.Candidate{{Column: "valid_from", Confidence: 0.9}}},
		{"valid", []target.Candidate{{Column: "valid_from", Confidence: 0.6}}},
		{"xyz", nil},
	} {
		got, _ := target.MatchHeaders(prices, []string{c.header}, nil, nil)
		if !slices.Equal(got.Columns[0].Candidates, c.want) {
			t.Errorf("%s: %+v, want %+v", c.header, got.Columns[0].Candidates, c.want)
		}
	}
	def := target.Definition{Columns: []target.Column{{Name: "sold", Label: "金額", Type: target.Decimal}, {Name: "paid", Label: "金額", Type: target.Decimal}}}
	got, _ := target.MatchHeaders(def, []string{"金額"}, nil, nil)
	if want := []target.Candidate{{Column: "sold", Confidence: 0.5}, {Column: "paid", Confidence: 0.5}}; !slices.Equal(got.Columns[0].Candidates, want) {
		t.Errorf("%+v, want %+v", got.Columns[0].Candidates, want)
	}
	rules := []target.Rule{target.ByRequest, target.ByChoice, target.ByName, target.ByFolded, target.BySynonym, ""}
	if !slices.IsSortedFunc(rules, func(a, b target.Rule) int { return cmp.Compare(b.Confidence(), a.Confidence()) }) {
		t.Error("a rule that comes first is trusted less")
	}
}

// A header means one column at most, so its candidates are never sure together of more than that; the likeliest stands first.
func TestConfidencesOfAHeaderAreOneAtMost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var def target.Definition
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching("[ab]{3,9}( [ab]{3,9})?"), 1, 6, rapid.ID).Draw(t, "names") {
			def.Columns = append(def.Columns, target.Column{Name: name, Type: target.Text})
		}
		got, _ := target.MatchHeaders(def, []string{rapid.StringMatching("[ab]{3,9}( [ab]{3,9})?").Draw(t, "header")}, nil, nil)
		sum, before := 0.0, 1.0
		for i, c := range got.Columns[0].Candidates {
			sum += c.Confidence
			if c.Confidence <= 0 || c.Confidence > before || c.Column != got.Columns[0].Suggestions[i] {
				t.Fatalf("%+v", got.Columns[0])
			}
			before = c.Confidence
		}
		if sum > 1.02 { // each is rounded
			t.Fatalf("%v together: %+v", sum, got.Columns[0].Candidates)
		}
	})
}
