package dialect

import (
	"bytes"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/kind"
)

// sign is what a cell shows for or against a dialect.
type sign uint8

const (
	isText sign = iota
	isValue
	isMisquoted
)

// value returns, from 0 to 1, how likely it is that the field is what its writer intended.
func (d Dialect) value(raw []byte, f csv.Field) (float64, sign) {
	cell := raw[f.Start:f.End]
	if d.Quote != 0 && f.Start > 0 && raw[f.Start-1] == d.Quote && int(f.End) < len(raw) && raw[f.End] == d.Quote {
		if d.hasStrayQuote(cell) {
			return misquotedValue, isMisquoted
		}
		if k := kind.SortOf(cell); k == kind.Number || k == kind.Moment {
			return 1, isValue
		}
		if bytes.IndexByte(cell, '\n') >= 0 {
			return quotedLinesValue, isText
		}
		return 1, isText
	}
	text := kind.Trim(cell)
	switch {
	case len(cell) == 0:
		return emptyValue, isText
	case len(text) == 0:
		return blankValue, isText
	}
	v := 1.0
	if cell[0] == ' ' {
		v = spaceFirstFactor
	}
	first, last := text[0], text[len(text)-1]
	switch {
	case (first == '"' || first == '\'') && first == last && len(text) > 1:
		return unreadQuotesValue, isMisquoted
	case first == '"' || last == '"' && bytes.Count(text, []byte{'"'}) == 1:
		return misquotedValue * v, isMisquoted
	}
	switch k := kind.SortOf(text); {
	case k == kind.Number || k == kind.Moment:
		return v, isValue
	case isSplittable(text):
		return unsplitValue * v, isText
	case k >= kind.Code:
		return codeValue * v, isText
	}
	return wordValue * v, isText
}

// isSplittable reports whether another dialect would split the text: at a comma only as between cells, not as in a sentence.
func isSplittable(text []byte) bool {
	for i, c := range text {
		if splits[c] && (c != ',' || i+1 == len(text) || text[i+1] != ' ') {
			return true
		}
	}
	return false
}

// splits are the usual delimiters.
var splits = [256]bool{',': true, ';': true, '\t': true, '|': true}

// hasStrayQuote reports whether a quote in the quoted field is not escaped.
func (d Dialect) hasStrayQuote(cell []byte) bool {
	for i := 0; i < len(cell); i++ {
		switch {
		case d.Escape != d.Quote && cell[i] == d.Escape:
			i++
		case cell[i] != d.Quote:
		case d.Escape == d.Quote && i+1 < len(cell) && cell[i+1] == d.Quote:
			i++
		default:
			return true
		}
	}
	return false
}
