package dialect

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words are those of a list, in lower case.
type words map[string]bool

func wordsOf(list []string) words {
	set := words{}
	for _, word := range list {
		set[word] = true
	}
	return set
}

// is reports whether a cell is one of the words, in any case, with or without a colon or a point behind it, or spaces between the
// characters of East Asia: 合 計.
func (w words) is(cell []byte) bool {
	var buffer [2 * longestTotalOf]byte
	return w[string(folded(buffer[:0], cell))]
}

// folded appends a cell as the words of lists are written.
func folded(lower, cell []byte) []byte {
	cell = bytes.TrimRight(cell, ": .")
	for len(cell) > 0 && len(lower) < longestTotalOf {
		if c := cell[0]; c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			lower, cell = append(lower, c), cell[1:]
			continue
		}
		r, size := utf8.DecodeRune(cell)
		if lower, cell = utf8.AppendRune(lower, unicode.ToLower(r)), cell[size:]; r >= hangul {
			cell = bytes.TrimLeft(cell, " \u3000")
		}
	}
	return lower
}

// hangul is the first letter of those of East Asia.
const hangul = 0x1100

// mayBeLabel rules most cells out, by their first letter and length.
func mayBeLabel(cell []byte, longest int, initials string) bool {
	return len(cell) <= longest && (cell[0] >= 0x80 || strings.IndexByte(initials, cell[0]) >= 0)
}
