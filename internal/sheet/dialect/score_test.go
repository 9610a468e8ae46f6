package dialect

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/csv"
)

// The less text holds a delimiter, the sooner it is believed.
func TestPriors(t *testing.T) {
	t.Parallel()
	list := []string{" ", ":", "^", "|", ","}
	for i := 1; i < len(list); i++ {
		if prior(list[i]) <= prior(list[i-1]) {
			t.Errorf("%q is not believed sooner than %q", list[i], list[i-1])
		}
	}
	if !isDoubtful(":") || isDoubtful("^") || prior("::") != prior("|") {
		t.Error("a colon is doubtful, a caret is not, and two colons stand in no text")
	}
}

func TestDoubtQuote(t *testing.T) {
	t.Parallel()
	score := func(quote byte, delimiter string, records int) float64 {
		s := Scored{Dialect: Dialect{Quote: quote, Delimiter: delimiter}, Score: 1, records: records}
		s.doubtQuote(false)
		return s.Score
	}
	if score(0, ",", 7) != 0 || score(0, ",", 8) == 0 {
		t.Error("a few records say that quotes are text, or eight do not")
	}
	if score('"', ",", 8) != 1 || score('\'', ",", 8) >= 1 || score(0, "\t", 8) >= score('\'', ",", 8) || score(0, ",", 8) >= score(0, "\t", 8) {
		t.Error("quotes are not preferred to apostrophes, these to none between tabs, these to none")
	}
}

// Two lines of prose above a table are held against it in full, of more a quarter.
func TestPreambleCountsLess(t *testing.T) {
	t.Parallel()
	share := func(prose int) float64 {
		tally := tally{records: prose + 6, prose: prose, widths: map[int]*widthTally{1: {records: prose}, 3: {records: 6}}}
		_, s := tally.best()
		return s * 3 / 2
	}
	for prose, want := range map[int]float64{0: 1, 2: 6.0 / 8, 6: 6.0 / 9, 10: 6.0 / 10} {
		if got := share(prose); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%d lines: %v, want %v", prose, got, want)
		}
	}
}

// A column that every wrong delimiter sees is worth less than the least of tables.
func TestRegularity(t *testing.T) {
	t.Parallel()
	if regularity(1) >= noTable*regularity(2) || regularity(2) >= regularity(3) {
		t.Errorf("%v %v %v", regularity(1), regularity(2), regularity(3))
	}
}

// A table is held less likely where the first line is none of its records, and far less between spaces or colons.
func TestFirstRecordOfAnotherWidth(t *testing.T) {
	t.Parallel()
	loss := func(delimiter string) float64 {
		table := strings.Repeat(strings.Join([]string{"a", "b", "c"}, delimiter)+"\n", 50)
		d := Dialect{Delimiter: delimiter, Quote: '"', Escape: '"'}
		with, without := score(piecesOf("title\n"+table), d, map[Dialect]tally{}), score(piecesOf(table), d, map[Dialect]tally{})
		return with.Score / without.Score
	}
	if l := loss(","); l >= 0.9 || loss(" ") >= l*0.6 {
		t.Errorf("%v %v", l, loss(" "))
	}
}

func TestSwallowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cell  string
		width int
		want  bool
	}{
		"four delimiters and a line end":            {"a,b,c,d\n,", 2, true},
		"three delimiters and a line end":           {"a,b,c\n,", 2, false},
		"four delimiters":                           {"a,b,c,d,", 2, false},
		"fewer delimiters than the record itself":   {"a,b,c,d\n,", 6, false},
		"as many delimiters as the record, or more": {"a,b,c,d\n,", 5, true},
	} {
		rec := &csv.Record{Raw: []byte(c.cell), Fields: []csv.Field{{End: int32(len(c.cell))}}, Width: c.width}
		if got := (Dialect{Delimiter: ","}).swallowed(rec); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
