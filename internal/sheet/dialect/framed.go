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
		n, lines := bytes.Count(first, d), 0
		for line := range bytes.Lines(rest) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if bytes.Count(line, d) != n {
				return ""
			}
			if lines++; lines == headRows {
				break
			}
		}
		if lines < bodyRecords {
			return ""
		}
		return string(d)
	}
	return ""
}

// isFrame reports whether the sign may be part of such a delimiter.
func isFrame(c byte) bool { return c != ' ' && c != '\t' && c != ',' && c != ';' && joins(c) }
