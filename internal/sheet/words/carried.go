package words

import "strings"

// carriedOver are the subtotals that say what is carried from one page to the next.
var carriedOver = []string{"übertrag", "carried forward", "brought forward", "à reporter"}

var carriedWords = listOf(carriedOver)

// IsCarried reports whether the cell is such a word, or begins or ends with it: Übertrag Vormonat.
func IsCarried(cell []byte) bool {
	if carriedWords.is(cell) || len(cell) > longestTotalOf {
		return carriedWords.is(cell)
	}
	text := strings.ToLower(string(cell))
	for _, word := range carriedOver {
		rest, found := strings.CutPrefix(text, word)
		if found && (rest[0] == ' ' || rest[0] == ':') || strings.HasSuffix(text, " "+word) {
			return true
		}
	}
	return false
}
