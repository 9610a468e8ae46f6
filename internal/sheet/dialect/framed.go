package dialect

import "bytes"

// framed returns a delimiter of a sign between two others that are alike, which each of the first lines holds as often as the first one,
// though the signs may stand in texts alone as well: |~|. It is "" if there is none.
func framed(text piece) string {
	first, rest, _ := bytes.Cut(text.whole, []byte("\n"))
	for i := 0; i+2 < len(first); i++ {
		d := first[i : i+3]
		if d[0] != d[2] || d[0] == d[1] || !isFrame(d[0]) || !isFrame(d[1]) {
			continue
		}
		if !eachHas(rest, d, bytes.Count(first, d)) {
			return ""
		}
		return string(d)
	}
	return ""
}

// eachHas reports whether each of the first lines, two or more, holds the delimiter so many times.
func eachHas(text, delimiter []byte, n int) bool {
	lines := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if bytes.Count(line, delimiter) != n {
			return false
		}
		if lines++; lines == firstRecords {
			break
		}
	}
	return lines >= Narrow
}

// byDollars reports whether dollar signs separate cells: each of the first lines holds as many as the first one, two or more, in which none
// stands before a number, as the sign of a currency does.
func byDollars(text piece) bool {
	dollar := []byte("$")
	if text.seen['$'] == 0 {
		return false
	}
	first, rest, _ := bytes.Cut(text.whole, []byte("\n"))
	for part := range bytes.SplitSeq(first, dollar) {
		if part = bytes.TrimLeft(part, " -("); len(part) == 0 || part[0] >= '0' && part[0] <= '9' {
			return false
		}
	}
	n := bytes.Count(first, dollar)
	return n >= Narrow && eachHas(rest, dollar, n)
}

// isFrame reports whether the sign may be part of such a delimiter.
func isFrame(c byte) bool { return c != ' ' && c != '\t' && c != ',' && c != ';' && joins(c) }
