package dialect

import "bytes"

// QuotedLines is a text whose lines were quoted as a whole, without these quotes.
type QuotedLines struct {
	Samples []Sample
	Names   []byte // the first line, if it had no quotes
	Doubled bool   // quotes are doubled in it
}

// Unquote returns the text of lines that were quoted as a whole, each as if it were a text with delimiters in one cell; ok is false if it
// is none. For example, the second line of
//
//	"id,name,qty"
//	"1,""Ann, B"",4"
//
// has the cells 1, Ann, B and 4. The first one, with the names, may have no quotes.
func Unquote(samples []Sample) (q QuotedLines, ok bool) {
	if !beginsQuoted(samples[0].Text) {
		return q, false
	}
	q.Samples = make([]Sample, len(samples))
	lines, quoted := 0, 0
	for i, s := range samples {
		var n, of int
		q.Samples[i] = s
		q.Samples[i].Text, n, of = unquoteLines(s.Text)
		quoted, lines = quoted+n, lines+of
		q.Doubled = q.Doubled || bytes.Contains(s.Text, []byte(`""`))
	}
	if first := firstLine(samples[0].Text); !isQuotedLine(first) {
		q.Names = first
		lines--
	}
	return q, quoted >= Evidence && Share(quoted, lines) >= UniformRecords*UniformRecords
}

// isQuotedLine reports whether the line is one quoted cell.
func isQuotedLine(line []byte) bool {
	_, ok := unquoteLine(line)
	return ok
}

// areQuoted reports whether the first line and nearly all others are one quoted cell: their quotes are no text.
func areQuoted(texts []piece) bool {
	if !isQuotedLine(firstLine(texts[0].bytes)) {
		return false
	}
	lines, quoted := 0, 0
	for _, p := range texts {
		_, n, of := unquoteLines(p.bytes)
		quoted, lines = quoted+n, lines+of
	}
	return quoted >= Evidence && Share(quoted, lines) >= UniformRecords
}

// beginsQuoted reports whether one of the first lines is quoted as a whole, so that others are looked at.
func beginsQuoted(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		if isQuotedLine(bytes.TrimRight(line, "\r\n")) {
			return true
		}
		if n++; n == Evidence {
			break
		}
	}
	return false
}

// unquoteLines returns the text without the quotes around its lines, how many lines had them, and how many there are.
func unquoteLines(text []byte) (plain []byte, quoted, lines int) {
	plain = make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		body := bytes.TrimRight(line, "\r\n")
		if len(body) > 0 {
			lines++
		}
		if inner, ok := unquoteLine(body); ok {
			quoted++
			plain = append(append(plain, inner...), line[len(body):]...)
			continue
		}
		plain = append(plain, line...)
	}
	return plain, quoted, lines
}

// unquoteLine returns what is inside a line that is one quoted cell.
func unquoteLine(line []byte) (inner []byte, ok bool) {
	n := len(line)
	if n < 2 || line[0] != '"' || line[n-1] != '"' {
		return nil, false
	}
	inner = bytes.ReplaceAll(line[1:n-1], []byte(`""`), []byte{0})
	if bytes.IndexByte(inner, '"') >= 0 || bytes.IndexByte(line, 0) >= 0 {
		return nil, false
	}
	return bytes.ReplaceAll(inner, []byte{0}, []byte(`"`)), true
}
