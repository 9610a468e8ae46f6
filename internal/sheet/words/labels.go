package words

import (
	"bytes"
	"unicode/utf8"
)

// IsImportID reports whether the cell is one of the third row of a header that Qualtrics writes, of which nothing is a name for people. Its
// quotes may still be doubled.
func IsImportID(cell []byte) bool {
	return cell[0] == '{' && (bytes.HasPrefix(cell, []byte(`{"ImportId":`)) || bytes.HasPrefix(cell, []byte(`{""ImportId"":`)))
}

// IsExtra reports whether the cell has such a word.
func IsExtra(cell []byte) bool {
	for word := range bytes.FieldsSeq(cell) {
		if extraWords.is(word) {
			return true
		}
	}
	return false
}

// IsTotal reports whether the cell is a word for a sum.
func IsTotal(cell []byte) bool {
	return totalWords.is(cell)
}

// IsTotalOf reports whether the cell says of what it is the total: Total: all, or Total for stock.
func IsTotalOf(cell []byte) bool {
	if !totalWords.mayBegin(cell, longestTotalOf) {
		return false
	}
	i := bytes.IndexByte(cell, ':')
	if i < 0 {
		if i = bytes.Index(cell, []byte(" for ")); i < 0 && len(cell) > 1 && cell[1] >= 'A' && cell[1] <= 'Z' {
			i = bytes.Index(cell, []byte(" FOR "))
		}
	}
	return i > 0 && i < len(cell)-1 && IsTotal(cell[:i])
}

// ofWhat are the words between Total and what it is the total of.
var ofWhat = listOf([]string{"of", "in", "for", "de", "do", "da", "no", "na", "dos", "das", "del", "des", "der", "die", "van", "w"})

// IsTotalIn reports whether the cell is a total with a bracket, a word such as of or, in East Asia, a number behind it: Total (EUR), Total
// of all towns, 合計2件. Sums of words other than Total may as well be names.
func IsTotalIn(cell []byte) bool {
	if i := bytes.IndexAny(cell[:min(len(cell), longestTotal)], "(（"); i > 0 && len(cell) <= longestTotalOf {
		return IsTotal(bytes.TrimSpace(cell[:i]))
	}
	if len(cell) > 0 && len(cell) <= longestTotalOf && cell[0] >= utf8.RuneSelf { // 合計2件
		i := bytes.IndexAny(cell, "0123456789")
		return i > 0 && IsTotal(bytes.TrimSpace(cell[:i]))
	}
	if len(cell) > longestTotalOf || cell[0]|0x20 != 't' {
		return false
	}
	first, rest, found := bytes.Cut(cell, []byte(" "))
	second, _, more := bytes.Cut(rest, []byte(" "))
	return found && more && IsTotal(first) && ofWhat.is(second)
}

// IsSubtotal reports whether the cell is a word for the sum of a part, alone or with the part's name behind it.
func IsSubtotal(cell []byte) bool {
	if !subtotalWords.mayBegin(cell, longestTotalOf) {
		return false
	}
	i := bytes.IndexAny(cell, " :(（")
	if text := bytes.TrimLeft(cell, "*"); len(text) < len(cell) && bytes.HasPrefix(text, []byte("  ")) { // *   Debit, as SAP writes sums
		return true
	}
	return subtotalWords.is(cell) || i > 0 && cell[0] != '*' && subtotalWords.is(cell[:i]) // * sold out is a remark
}

// IsCounting reports whether the cell is a word for a number of records.
func IsCounting(cell []byte) bool {
	return countWords.is(cell)
}
