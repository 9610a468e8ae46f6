package dialect

import (
	"bytes"
	"slices"
)

// preferFewRecords lowers the scores of other delimiters where one usual delimiter has a header and a row or two in a short text: of so few
// records the shares of a score say little.
func preferFewRecords(scored []Scored, text []byte) {
	var found []string
	for _, delimiter := range UsualDelimiters {
		if areFewRecords(text, delimiter) {
			found = append(found, delimiter)
		}
	}
	if len(found) != 1 {
		return
	}
	for i := range scored {
		if scored[i].Delimiter != found[0] {
			scored[i].Score = 0
		}
	}
}

// areFewRecords reports whether two or three lines of a short text stand below one another and have a usual delimiter twice or more, each
// as often: the first one without a digit, as names of columns, and the others with one. All other lines have it once at most, as names
// with their values, titles and notes do.
//
//	Members of the club
//	User,smith
//
//	Units,Weight,Sales
//	770,316.90,879.40
func areFewRecords(text []byte, delimiter string) bool {
	if !slices.Contains(UsualDelimiters, delimiter) {
		return false
	}
	lines, records, each, last := 0, 0, 0, 0
	for line := range linesOf(text) {
		if lines++; lines > fewLines {
			return false
		}
		n := countUnquoted(line, delimiter)
		if n < Narrow {
			continue
		}
		hasDigit := slices.ContainsFunc(line, func(c byte) bool { return '0' <= c && c <= '9' })
		isNext := records > 0 && lines == last+1 && n == each && hasDigit
		isHeader := records == 0 && !hasDigit && !bytes.Contains(line, []byte(delimiter+" "))
		if !isNext && !isHeader {
			return false
		}
		records, each, last = records+1, n, lines
	}
	return records >= Narrow && records <= Evidence
}
