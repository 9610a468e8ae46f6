package words

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// Each word of a list is known, in small letters and with a capital one.
func TestWordsOfLists(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]struct {
		words []string
		is    func([]byte) bool
	}{
		"totals":    {totals, IsTotal},
		"subtotals": {subtotals, IsSubtotal},
		"parts":     {partTotals, isPartWord},
		"means":     {means, IsMean},
		"extremes":  {extremes, IsExtreme},
		"countings": {countings, IsCounting},
		"extras":    {extras, IsExtra},
		"results":   {results, IsResultName},
		"records":   {records, IsOfRecords},
		"carried":   {carriedOver, IsCarried},
	} {
		for _, word := range list.words {
			first, size := utf8.DecodeRuneInString(word)
			for _, cell := range []string{word, string(unicode.ToUpper(first)) + word[size:]} {
				if !list.is([]byte(cell)) {
					t.Errorf("%q is none of the %s", cell, name)
				}
			}
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"as of May": true, "New York": false, "1) rounded": true, "(ab) rounded": true, "(abc) rounded": false, "(A) rounded": false, "1)": false,
		"-----": true, "----": false, "=====+====": true, "※ 速報": true, "Source: Registry": true, "Notes:": true, "終わり。": true, "Oslo": false, "": false,
	} {
		if got := IsNote([]byte(cell)) || IsProse([]byte(cell)); got != want {
			t.Errorf("%q: %v", cell, got)
		}
	}
}

func TestTotal(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"Total": true, "TOTAL:": true, "合計": true, "Gesamtsumme": true, "Grand total": true, "Subtotal": false, "Totals of May": false,
		"Total:::::::::::::::::::": true, "Total::::::::::::::::::::::::::::::::::::::::": false, // longer than any of the words may be
	} {
		if got := IsTotal([]byte(cell)); got != want {
			t.Errorf("%q: %v", cell, got)
		}
	}
}
