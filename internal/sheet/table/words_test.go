package table

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
		"totals":    {totals, isTotal},
		"subtotals": {subtotals, isSubtotal},
		"parts":     {partTotals, isPartWord},
		"means":     {means, isMean},
		"extremes":  {extremes, isExtreme},
		"countings": {countings, isCounting},
		"extras":    {extras, isExtra},
		"results":   {results, isResultName},
		"records":   {records, isOfRecords},
		"carried":   {carriedOver, isCarried},
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
