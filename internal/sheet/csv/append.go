package csv

import (
	"bytes"
	"slices"
)

// AppendRecord appends a record as CSV (RFC 4180) with its line end, CR LF. A nil cell is written as nothing, an empty one
// as "", to distinguish the two as PostgreSQL's COPY does. Beyond the RFC, a cell is quoted if a reader might
// misinterpret it, and a record is never a blank line, which readers skip.
func AppendRecord(dst []byte, cells [][]byte) []byte {
	blank := !slices.ContainsFunc(cells, func(cell []byte) bool { return len(bytes.TrimSpace(cell)) > 0 })
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		if cell != nil && needsQuotes(cell) || blank && i == 0 { // a quoted cell turns what would be a blank line into a record
			dst = appendQuoted(dst, cell)
		} else {
			dst = append(dst, cell...)
		}
	}
	return append(dst, "\r\n"...)
}

// needsQuotes reports whether the cell would be misread without quotes. It goes beyond RFC 4180, for readers that guess
// the delimiter, strip spaces, look for a byte order mark, or treat an empty cell as null.
func needsQuotes(cell []byte) bool {
	if len(cell) == 0 {
		return true
	}
	first, last := cell[0], cell[len(cell)-1]
	return first == ' ' || last == ' ' || hasSpecial(cell) || bytes.HasPrefix(cell, []byte("\ufeff"))
}

// special are the characters that a reader takes for the end of a cell or of a line, or for a quote.
var special = [256]bool{',': true, ';': true, '\t': true, '|': true, '"': true, '\r': true, '\n': true}

func hasSpecial(cell []byte) bool {
	for _, c := range cell {
		if special[c] {
			return true
		}
	}
	return false
}

func appendQuoted(dst, cell []byte) []byte {
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(cell, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, cell[:i+1]...), '"')
		cell = cell[i+1:]
	}
	return append(append(dst, cell...), '"')
}
