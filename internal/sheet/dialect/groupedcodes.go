package dialect

import (
	"bytes"
	"strings"
)

// areCodes reports whether nearly all lines, below a header of fewer words, are telephone numbers or bank accounts, in groups between which
// blanks stand.
//
//	Call back
//	+49 30 123456
//	(030) 1234 567
func areCodes(text []byte) bool {
	lines, codes, words := 0, 0, 0
	for line := range linesOf(text) {
		line = bytes.TrimSpace(line)
		groups := len(bytes.Fields(line))
		switch {
		case groups == 0:
			continue
		case isTelephone(line) || isIBAN(line):
			if groups <= words { // they are columns, each with its name
				return false
			}
			codes++
		case lines == 0 && words == 0:
			words = groups
			continue
		}
		lines++
	}
	return codes > 0 && Share(codes, lines) >= linesOfValues
}

// isTelephone reports whether the line is a plus sign or a bracket and eight to fifteen digits, as numbers of the world have them (ITU-T
// E.164), with the marks of such numbers between them.
func isTelephone(line []byte) bool {
	if len(line) == 0 || line[0] != '+' && line[0] != '(' {
		return false
	}
	digits := 0
	for _, c := range line[1:] {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte(" -/.()", c) < 0:
			return false
		}
	}
	return digits >= 8 && digits <= 15
}

// isIBAN reports whether the line is an account number of ISO 13616 as it is printed: a country's two letters, two digits, and groups of
// four letters and digits, of which the last one may be shorter; 15 to 34 in all.
func isIBAN(line []byte) bool {
	n := 0
	for i, c := range line {
		switch {
		case i%5 == 4 && c != ' ':
			return false
		case i%5 == 4:
			continue
		case i < 2 && (c < 'A' || c > 'Z'), (i == 2 || i == 3) && (c < '0' || c > '9'):
			return false
		case (c < 'A' || c > 'Z') && (c < '0' || c > '9'):
			return false
		}
		n++
	}
	return n >= 15 && n <= 34
}
