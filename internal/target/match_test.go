package target_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/target"
)

var prices = target.Definition{
	Name: "prices", Key: []string{"article"}, Mode: target.Upsert,
	Columns: []target.Column{
		{Name: "article", Label: "商品コード", Type: target.Text, Required: true, Synonyms: []string{"Artikelnummer", "SKU"}},
		{Name: "net", Label: "税抜価格", Type: target.Decimal, Digits: 12, Scale: 2, Min: "0", Required: true},
		{Name: "valid_from", Type: target.Date, Format: "DD.MM.YYYY"},
	},
}

// arrows shows a mapping as a line for each header.
func arrows(m target.Mapping) []string {
	var lines []string
	for _, c := range m.Columns {
		lines = append(lines, fmt.Sprintf("%s>%s:%s", c.Header, c.Column, c.Rule))
	}
	return lines
}

func codes(problems []target.Problem) []target.Code {
	var all []target.Code
	for _, p := range problems {
		all = append(all, p.Code)
	}
	return all
}

// A file whose headers are written in another way than the target's columns is loaded into them without a question, and
// never into a column that somebody did not mean.
func TestHeadersReachColumnsByTheFirstRuleThatDecides(t *testing.T) {
	t.Parallel()
	const ambiguous, needed = target.AmbiguousHeader, target.MappingNeeded
	for name, c := range map[string]struct {
		headers           []string
		asked, remembered map[string]target.Choice
		want              []string
		codes             []target.Code
	}{
		"name, label":                      {[]string{"article", "税抜価格"}, nil, nil, []string{"article>article:name", "税抜価格>net:name"}, nil},
		"trimmed":                          {[]string{" article", "net\t"}, nil, nil, []string{" article>article:name", "net\t>net:name"}, nil},
		"folded":                           {[]string{"ARTICLE", "税抜 価格", "Valid-From"}, nil, nil, []string{"ARTICLE>article:folded", "税抜 価格>net:folded", "Valid-From>valid_from:folded"}, nil},
		"synonym":                          {[]string{"sku", "net"}, nil, nil, []string{"sku>article:synonym", "net>net:name"}, nil},
		"asked":                            {[]string{"Nettopreis", "sku"}, map[string]target.Choice{"Nettopreis": {Column: "net"}}, nil, []string{"Nettopreis>net:request", "sku>article:synonym"}, nil},
		"remembered":                       {[]string{"Netto-Preis", "sku"}, nil, map[string]target.Choice{"nettopreis": {Column: "net"}}, []string{"Netto-Preis>net:remembered", "sku>article:synonym"}, nil},
		"asked is first":                   {[]string{"a", "b", "sku"}, map[string]target.Choice{"a": {Column: "net"}}, map[string]target.Choice{"b": {Column: "net"}}, []string{"a>net:request", "b>:", "sku>article:synonym"}, nil},
		"a higher rule takes the column":   {[]string{"article", "SKU", "net"}, nil, nil, []string{"article>article:name", "SKU>:", "net>net:name"}, nil},
		"left out on purpose":              {[]string{"article", "net", "valid_from"}, map[string]target.Choice{"valid_from": {}}, nil, []string{"article>article:name", "net>net:name", "valid_from>:request"}, nil},
		"left out before":                  {[]string{"article", "net", "valid_from"}, nil, map[string]target.Choice{"validfrom": {}}, []string{"article>article:name", "net>net:name", "valid_from>:remembered"}, nil},
		"repeated":                         {[]string{"article", "net", "net"}, nil, nil, []string{"article>article:name", "net>:", "net>:"}, []target.Code{ambiguous}},
		"two synonyms":                     {[]string{"SKU", "Artikelnummer", "net"}, nil, nil, []string{"SKU>:", "Artikelnummer>:", "net>net:name"}, []target.Code{ambiguous}},
		"ambiguous goes no lower":          {[]string{"NET", "Net", "税抜価格"}, nil, nil, []string{"NET>:", "Net>:", "税抜価格>net:name"}, []target.Code{needed}},
		"asked which of the repeated":      {[]string{"article", "net", "net"}, map[string]target.Choice{"net_2": {Column: "net"}}, nil, []string{"article>article:name", "net>:", "net>net:request"}, nil},
		"remembered for one of two":        {[]string{"sku", "Preis", "Preis"}, nil, map[string]target.Choice{"preis": {Column: "net"}}, []string{"sku>article:synonym", "Preis>:", "Preis>:"}, []target.Code{ambiguous}},
		"remembered for both":              {[]string{"sku", "Preis", "Preis"}, nil, map[string]target.Choice{"preis": {Column: "net"}, "preis2": {}}, []string{"sku>article:synonym", "Preis>net:remembered", "Preis>:remembered"}, nil},
		"asked twice":                      {[]string{"sku", "a", "b"}, map[string]target.Choice{"a": {Column: "net"}, "b": {Column: "net"}}, nil, []string{"sku>article:synonym", "a>:", "b>:"}, []target.Code{ambiguous}},
		"empty":                            {[]string{"sku", "", "net", "  "}, map[string]target.Choice{"column_2": {Column: "valid_from"}}, nil, []string{"sku>article:synonym", ">valid_from:request", "net>net:name", "  >:"}, nil},
		"required":                         {[]string{"net"}, nil, nil, []string{"net>net:name"}, []target.Code{needed}},
		"nothing":                          {nil, nil, nil, nil, []target.Code{needed, needed}},
		"no such header":                   {[]string{"sku", "net"}, map[string]target.Choice{"x": {Column: "net"}}, nil, []string{"sku>article:synonym", "net>net:name"}, []target.Code{needed}},
		"no such column":                   {[]string{"sku", "net"}, map[string]target.Choice{"net": {Column: "x"}}, nil, []string{"sku>article:synonym", "net>net:name"}, []target.Code{needed}},
		"remembered a column that is gone": {[]string{"sku", "net"}, nil, map[string]target.Choice{"net": {Column: "x"}}, []string{"sku>article:synonym", "net>net:name"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := target.MatchHeaders(prices, c.headers, c.asked, c.remembered)
			if !slices.Equal(arrows(got), c.want) {
				t.Errorf("got %q, want %q", arrows(got), c.want)
			}
			if !slices.Equal(codes(problems), c.codes) {
				t.Errorf("problems %+v, want %v", problems, c.codes)
			}
		})
	}
}

// A column is read as its owner has said: by the choice's format, else by the column's own.
func TestFormatOfAChoiceTakesPrecedence(t *testing.T) {
	t.Parallel()
	for want, asked := range map[string]map[string]target.Choice{
		"DD.MM.YYYY": {"valid_from": {Column: "valid_from"}},
		"YYYY-MM-DD": {"valid_from": {Column: "valid_from", Format: "YYYY-MM-DD"}},
	} {
		if got, _ := target.MatchHeaders(prices, []string{"valid_from"}, asked, nil); got.Columns[0].Format != want {
			t.Errorf("got %q, want %q", got.Columns[0].Format, want)
		}
	}
}

// A default stands for a required column that the file does not have, but not for a key, which would be the same in each row.
func TestDefaultStandsForAMissingColumn(t *testing.T) {
	t.Parallel()
	def := prices
	def.Columns = slices.Clone(def.Columns)
	def.Columns[0].Default, def.Columns[1].Default = new("x"), new("0")
	_, problems := target.MatchHeaders(def, []string{"valid_from"}, nil, nil)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, `"article"`) {
		t.Errorf("%+v", problems)
	}
}

// An owner who refuses columns that nobody has matched learns of each.
func TestExtraColumnsAreRefusedIfAsked(t *testing.T) {
	t.Parallel()
	def := prices
	def.Extra = target.RefuseExtra
	_, problems := target.MatchHeaders(def, []string{"sku", "net", "note", "more"}, map[string]target.Choice{"more": {}}, nil)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, `"note"`) {
		t.Errorf("%+v", problems)
	}
}

// Where two columns have the same label, a header that could be either is left to a person.
func TestHeaderOfTwoColumnsIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	def := target.Definition{Columns: []target.Column{{Name: "sold", Label: "金額", Type: target.Decimal}, {Name: "paid", Label: "金額", Type: target.Decimal}}}
	got, problems := target.MatchHeaders(def, []string{"金額"}, nil, nil)
	if got.Columns[0].Column != "" || !slices.Equal(got.Columns[0].Suggestions, []string{"sold", "paid"}) || len(problems) != 0 {
		t.Errorf("%+v %+v", got, problems)
	}
	got, _ = target.MatchHeaders(def, []string{"金額", "sold"}, nil, nil)
	if want := []string{"金額>paid:folded", "sold>sold:name"}; !slices.Equal(arrows(got), want) {
		t.Errorf("got %q, want %q", arrows(got), want)
	}
}

// A header that could be one column is not taken for another one because a second header could be the first one, too.
func TestAmbiguousHeaderIsLeftAtThat(t *testing.T) {
	t.Parallel()
	def := target.Definition{Columns: []target.Column{
		{Name: "x", Type: target.Text}, {Name: "y", Type: target.Text, Synonyms: []string{"x"}}, {Name: "z", Type: target.Text, Synonyms: []string{"a"}},
	}}
	got, problems := target.MatchHeaders(def, []string{"x", "x", "a"}, nil, nil)
	if want := []string{"x>:", "x>:", "a>z:synonym"}; !slices.Equal(arrows(got), want) || !slices.Equal(codes(problems), []target.Code{target.AmbiguousHeader}) {
		t.Errorf("%q, %+v", arrows(got), problems)
	}
}

// What nobody has set is never loaded, however much it resembles a column; but the column is suggested.
func TestLikeHeadersAreSuggestedOnly(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][]string{
		"artcle": {"article"}, "articlle": {"article"}, "atricle": {"article"}, "valid": {"valid_from"}, "Valid from (date)": {"valid_from"},
		"税抜き価格": {"net"}, "Artikelnumer": {"article"}, "no": nil, "": nil, "xyz": nil, "arti": nil,
	} {
		got, _ := target.MatchHeaders(prices, []string{header}, nil, nil)
		if c := got.Columns[0]; c.Column != "" || !slices.Equal(c.Suggestions, want) {
			t.Errorf("%q: column %q, suggestions %q, want %q", header, c.Column, c.Suggestions, want)
		}
	}
}

// textOf draws headers, names and synonyms that often meet.
func textOf() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"", " ", "a", "A", "a_", "b", "B b", "bb", "c", "ｃ", "カ", "ｶ", "かな", "a_2", "column_1", "abcdef", "abcdeg"})
}

// The order of a file's columns, or of the target's, decides nothing; a column has one header, and a header one column.
func TestMatchingIsAFunctionOfItsInputAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var def target.Definition
		for _, name := range rapid.SliceOfNDistinct(textOf(), 0, 6, rapid.ID).Draw(t, "names") {
			def.Columns = append(def.Columns, target.Column{Name: name, Label: textOf().Draw(t, "label"), Type: target.Text,
				Synonyms: rapid.SliceOfN(textOf(), 0, 2).Draw(t, "synonyms")})
		}
		headers := rapid.SliceOfNDistinct(textOf(), 0, 8, strings.TrimSpace).Filter(hasNoName).Draw(t, "headers")
		asked := rapid.MapOfN(textOf(), rapid.Custom(choice), 0, 2).Draw(t, "asked")
		remembered := rapid.MapOfN(textOf(), rapid.Custom(choice), 0, 2).Draw(t, "remembered")
		got, problems := target.MatchHeaders(def, headers, asked, remembered)
		checkOnce(t, got)

		columns := def
		columns.Columns = rapid.Permutation(def.Columns).Draw(t, "columns")
		shuffled := rapid.Permutation(headers).Draw(t, "shuffled")
		again, problemsAgain := target.MatchHeaders(columns, shuffled, asked, remembered)
		if !reflect.DeepEqual(byHeader(got), byHeader(again)) || len(problems) != len(problemsAgain) {
			t.Fatalf("%v %+v\n%v %+v", arrows(got), problems, arrows(again), problemsAgain)
		}
	})
}

func choice(t *rapid.T) target.Choice { return target.Choice{Column: textOf().Draw(t, "column")} }

// hasNoName reports whether no header is empty: its name would depend on its place.
func hasNoName(headers []string) bool {
	return !slices.ContainsFunc(headers, func(h string) bool { return strings.TrimSpace(h) == "" })
}

func byHeader(m target.Mapping) map[string]string {
	found := map[string]string{}
	for _, c := range m.Columns {
		found[c.Header] = c.Column + ":" + string(c.Rule)
	}
	return found
}

func checkOnce(t *rapid.T, m target.Mapping) {
	seen := maps.Collect(func(yield func(string, bool) bool) {
		for _, name := range m.Missing {
			if !yield(name, true) {
				return
			}
		}
	})
	for _, c := range m.Columns {
		if c.Column != "" && seen[c.Column] {
			t.Fatalf("%q is there twice, or missing as well: %+v", c.Column, m)
		}
		seen[c.Column] = true
	}
}

// The distance of two texts is that of Levenshtein, as far as it matters: whatever is near is suggested, and nothing else.
func TestSuggestionsAreWithinTwoEdits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[ab]{6,9}")
		name, header := word.Draw(t, "name"), word.Draw(t, "header")
		want := levenshtein(name, header)
		got, _ := target.MatchHeaders(target.Definition{Columns: []target.Column{{Name: name, Type: target.Text}}}, []string{header}, nil, nil)
		if suggested := len(got.Columns[0].Suggestions) == 1; suggested != (want == 1 || want == 2) {
			t.Fatalf("%s and %s have %d edits; suggested: %t", name, header, want, suggested)
		}
	})
}

// levenshtein is the textbook's.
func levenshtein(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return levenshtein(a[1:], b[1:])
	}
	return 1 + min(levenshtein(a[1:], b), levenshtein(a, b[1:]), levenshtein(a[1:], b[1:]))
}

func BenchmarkMatchHeaders(b *testing.B) {
	for name, size := range map[string]struct{ headers, columns int }{"100x200": {100, 200}, "3000x1000": {3000, 1000}} {
		def := target.Definition{Name: "t"}
		for i := range size.columns {
			def.Columns = append(def.Columns, target.Column{Name: fmt.Sprint("net_price_", i), Label: fmt.Sprint("税抜価格 ", i),
				Synonyms: []string{fmt.Sprint("Nettopreis ", i), fmt.Sprint("Preis ohne MwSt ", i)}})
		}
		headers := make([]string, size.headers) // none of them matches, and each resembles many columns
		for i := range headers {
			headers[i] = fmt.Sprint("Netto-Preise ", i)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				target.MatchHeaders(def, headers, nil, nil)
			}
		})
	}
}
