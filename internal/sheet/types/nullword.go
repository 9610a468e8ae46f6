package types

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// NullWord is a word that stands for no value in a column whose other values are of one type.
type NullWord struct {
	Word  string `json:"word"` // as it stands in the file
	Count int64  `json:"count"`
}

// nullWords are what people and programs write for no value, in lower case where they are ASCII. Only #DIV/0! has a digit: readers in SQL
// rely on that.
var nullWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.SplitSeq("null|(null)|<null>|[null]|nil|none|nan|-nan|na|<na>|n/a|n.a.|n. a.|#n/a|#na|#div/0!|#ref!|#value!|#name?|#num!|#null!|\\n|"+
		"-|--|---|–|—|―|−|－|‐|ー|.|..|...|…|?|missing|not available|not applicable|"+
		"k.a.|k. a.|keine angabe|entfällt|n.d.|n. d.|nd|n/d|s/d|s.d.|n.v.t.|nvt|b.d.|brak|brak danych|н/д|Н/Д|нет данных|Нет данных|немає даних|няма данни|"+
		"該当なし|なし|無し|不明|未定|未入力|データなし|ｎ／ａ|Ｎ／Ａ|无|暂无|不详|無資料|없음|해당없음|해당 없음", "|") {
		words[word] = true
	}
	return words
}()

// falseWord stands for false in a column that also has あり.
const falseWord = "なし"

// longestNullWord is the length in bytes of the longest one.
var longestNullWord = func() (longest int) {
	for word := range nullWords {
		longest = max(longest, len(word))
	}
	return longest
}()

// nullHints has the first and last bytes and the length of null words, so that hardly any other cell is looked at twice.
var nullHints = func() (hints [1 << 12]bool) {
	for word := range nullWords {
		hints[nullHint([]byte(word))] = true
	}
	return hints
}()

func nullHint(cell []byte) int {
	first, last := cell[0], cell[len(cell)-1]
	if isLetter(first) {
		first |= 0x20
	}
	if isLetter(last) {
		last |= 0x20
	}
	return (int(first)*7 + int(last)*37 + len(cell)*311) & (1<<12 - 1)
}

// mayBeNullWord rules most cells out. Whether white space surrounds the cell is told by a byte at each end, which hardly any
// letter of another script has there.
func mayBeNullWord(cell []byte) bool {
	first, last := cell[0], cell[len(cell)-1]
	if last <= ' ' || last == wideSpace[2] || last == hardSpace[1] || first <= ' ' || first == wideSpace[0] || first == hardSpace[0] {
		return true
	}
	return len(cell) <= longestNullWord && nullHints[nullHint(cell)]
}

// IsNullWord reports whether a cell, which is not empty, has nothing but a word that stands for no value in a column of some type.
func IsNullWord(cell []byte) bool { return readNullWord(cell) != 0 }

// readNullWord returns the candidates in whose columns a cell stands for no value; none if it is no such word.
func readNullWord(cell []byte) set {
	if !mayBeNullWord(cell) {
		return 0
	}
	word := trim(cell)
	if len(word) == 0 || len(word) > longestNullWord {
		return 0
	}
	var buffer [64]byte
	switch lower := lowerASCII(buffer[:0], word); {
	case !nullWords[string(lower)]:
		return 0
	case string(lower) == "#div/0!": // an error of a calculation
		return numbers
	case string(lower) == falseWord:
		return everything &^ booleans
	}
	return everything
}

// lowerASCII appends the text to dst with the letters of ASCII in lower case.
func lowerASCII(dst, text []byte) []byte {
	for _, c := range text {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// wordCounts are the null words of a column in lower case as nullWords, with how often they occur.
type wordCounts map[string]NullWord

// add counts a word. Of several ways to write it the first in the order of bytes is kept.
func (w *wordCounts) add(cell []byte) {
	if *w == nil {
		*w = wordCounts{}
	}
	word := string(trim(cell))
	lower := string(lowerASCII(nil, trim(cell)))
	known, found := (*w)[lower]
	if known.Count++; !found || word < known.Word {
		known.Word = word
	}
	(*w)[lower] = known
}

// list returns the words, the most frequent first.
func (w wordCounts) list() []NullWord {
	return slices.SortedFunc(maps.Values(w), func(a, b NullWord) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
}

// addNullWord adds a cell that stands for no value in a column of some type, and reports whether it is one. As long as the column may have
// such a type, it is no value.
func (c *column) addNullWord(row int64, cell []byte) bool {
	fits := readNullWord(cell)
	if fits == 0 {
		return false
	}
	c.words.add(cell)
	var r reading
	r.read(cell, c.watched&booleans)
	c.seen |= r.seen
	if missed := c.watched &^ (fits | r.fits); missed != 0 {
		c.miss(row, cell, missed)
		c.plain.turn(c.watched, c.seen)
	}
	return true
}

// keepWords makes values of the null words that a column of the candidate has as such: all of them if it is text.
func (c *column) keepWords(candidate set) {
	c.watched = 0 // so that they are not taken for null words again
	for _, lower := range slices.Sorted(maps.Keys(c.words)) {
		word := c.words[lower]
		if candidate != 0 && (candidate != boolAriNashi || lower != falseWord) {
			continue
		}
		delete(c.words, lower)
		c.addCell(0, []byte(word.Word))
		c.values += word.Count - 1
	}
}
