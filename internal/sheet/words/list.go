// Package words knows what the words in cells say of their record: that it is a total, an average, a note, a line between pages, or says
// how columns are to be filled in. The words of many languages stand in lists, in lower case.
//
// Each function takes the text of a cell that is not empty, without white space around it.
package words

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordList are the words of a list, in lower case.
type wordList struct {
	set      map[string]bool
	longest  int       // bytes of a cell that may be one of them
	initials [256]bool // the bytes that they may begin with, in any case
}

func listOf(words []string) wordList {
	w := wordList{set: map[string]bool{}, longest: longestTotal}
	for first := utf8.RuneSelf; first < len(w.initials); first++ { // one may fold to any letter
		w.initials[first] = true
	}
	for _, word := range words {
		w.set[string(folded(nil, []byte(word)))], w.longest = true, max(w.longest, len(word))
		for _, first := range []string{word[:1], strings.ToUpper(word[:1])} {
			w.initials[first[0]] = true
		}
	}
	return w
}

// is reports whether a cell is one of the words, in any case, with or without a colon or a point behind it, or spaces between the
// characters of East Asia: 合 計.
func (w *wordList) is(cell []byte) bool {
	if !w.mayBegin(cell, w.longest) {
		return false
	}
	var buffer [2 * longestTotalOf]byte
	return w.set[string(folded(buffer[:0], cell))]
}

// mayBegin rules out, by their length and first byte, most cells that do not begin with one of the words.
func (w *wordList) mayBegin(cell []byte, longest int) bool {
	return len(cell) > 0 && len(cell) <= longest && w.initials[cell[0]]
}

// folded appends a cell as the words of lists are written.
func folded(lower, cell []byte) []byte {
	cell = bytes.TrimRight(cell, ": .")
	for len(cell) > 0 && len(lower) < longestTotalOf {
		if c := cell[0]; c < utf8.RuneSelf {
			lower, cell = append(lower, small(c)), cell[1:]
			continue
		}
		r, size := utf8.DecodeRune(cell)
		if lower, cell = utf8.AppendRune(lower, unicode.ToLower(r)), cell[size:]; r >= hangul {
			cell = bytes.TrimLeft(cell, " \u3000")
		}
	}
	return lower
}

// fragments are texts of two bytes and more that are looked for within cells, in lower case, and the two bytes with which each of them
// begins, in either case.
type fragments struct {
	list   []string
	begins [1 << 16]bool
}

func fragmentsOf(list []string) *fragments {
	f := &fragments{list: list}
	for _, fragment := range list {
		for _, text := range []string{fragment, strings.ToUpper(fragment)} {
			f.begins[pairOf(text[0], text[1])] = true
		}
	}
	return f
}

// pairOf returns two bytes as a number, letters of ASCII as small ones.
func pairOf(first, second byte) int { return int(small(first))<<8 | int(small(second)) }

// small returns a letter of ASCII in lower case.
func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// areIn reports whether one of them stands in a cell, in any case. Nearly all cells have no two bytes with which one begins.
func (f *fragments) areIn(cell []byte) bool {
	for i := 1; i < len(cell); i++ {
		if f.begins[pairOf(cell[i-1], cell[i])] {
			text := strings.ToLower(string(cell[i-1:]))
			return slices.ContainsFunc(f.list, func(fragment string) bool { return strings.Contains(text, fragment) })
		}
	}
	return false
}

// hangul is the first letter of those of East Asia.
const hangul = 0x1100
