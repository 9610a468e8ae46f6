package table

import "bytes"

// isImportID reports whether the cell is one of the third row of a header that Qualtrics writes, of which nothing is a name for people. Its
// quotes may still be doubled.
func isImportID(cell []byte) bool {
	return cell[0] == '{' && (bytes.HasPrefix(cell, []byte(`{"ImportId":`)) || bytes.HasPrefix(cell, []byte(`{""ImportId"":`)))
}

// isExtra reports whether the cell has such a word.
func isExtra(cell []byte) bool {
	for word := range bytes.FieldsSeq(cell) {
		if extraWords.is(word) {
			return true
		}
	}
	return false
}

// isTotal reports whether the cell is a word for a sum.
func isTotal(cell []byte) bool {
	return totalWords.is(cell)
}

// isTotalOf reports whether the cell says of what it is the total: Total: all, or Total for stock.
func isTotalOf(cell []byte) bool {
	if !totalWords.mayBegin(cell, longestTotalOf) {
		return false
	}
	i := bytes.IndexByte(cell, ':')
	if i < 0 {
		if i = bytes.Index(cell, []byte(" for ")); i < 0 && len(cell) > 1 && cell[1] >= 'A' && cell[1] <= 'Z' {
			i = bytes.Index(cell, []byte(" FOR "))
		}
	}
	return i > 0 && i < len(cell)-1 && isTotal(cell[:i])
}

// ofWhat are the words between Total and what it is the total of.
var ofWhat = wordsOf([]string{"of", "in", "for", "de", "do", "da", "no", "na", "dos", "das", "del", "des", "der", "die", "van", "w"})

// isTotalIn reports whether the cell is a total with a bracket or a word such as of behind it: Total (EUR), Total of all towns. Sums of
// words other than Total may as well be names.
func isTotalIn(cell []byte) bool {
	if i := bytes.IndexAny(cell[:min(len(cell), longestTotal)], "(（"); i > 0 && len(cell) <= longestTotalOf {
		return isTotal(bytes.TrimSpace(cell[:i]))
	}
	if len(cell) > longestTotalOf || cell[0]|0x20 != 't' {
		return false
	}
	first, rest, found := bytes.Cut(cell, []byte(" "))
	second, _, more := bytes.Cut(rest, []byte(" "))
	return found && more && isTotal(first) && ofWhat.is(second)
}

// isSubtotal reports whether the cell is a word for the sum of a part, alone or with the part's name behind it.
func isSubtotal(cell []byte) bool {
	if !subtotalWords.mayBegin(cell, longestTotalOf) {
		return false
	}
	i := bytes.IndexAny(cell, " :(（")
	if text := bytes.TrimLeft(cell, "*"); len(text) < len(cell) && bytes.HasPrefix(text, []byte("  ")) { // *   Debit, as SAP writes sums
		return true
	}
	return subtotalWords.is(cell) || i > 0 && cell[0] != '*' && subtotalWords.is(cell[:i]) // * sold out is a remark
}

// isCounting reports whether the cell is a word for a number of records.
func isCounting(cell []byte) bool {
	return countWords.is(cell)
}
