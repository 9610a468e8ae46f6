package dialect

import (
	"bytes"
	"slices"
	"strings"
)

// Unquote decides how a text is written whose lines were quoted as a whole, each as if it were a text with delimiters in
// one cell; ok is false if it is none. For example, the second line of
//
//	"id,name,qty"
//	"1,""Ann, B"",4"
//
// has the cells 1, Ann, B and 4. The first one, with the names, may have no quotes.
func Unquote(samples []Sample, h Hints) (r Result, ok bool) {
	if !beginsQuoted(samples[0].Text) {
		return r, false
	}
	inner := make([]Sample, len(samples))
	lines, quoted, doubled := 0, 0, false
	for i, s := range samples {
		var n, of int
		inner[i] = s
		inner[i].Text, n, of = unquoteLines(s.Text)
		quoted, lines = quoted+n, lines+of
		doubled = doubled || bytes.Contains(s.Text, []byte(`""`))
	}
	names, named := firstLine(samples[0].Text), false
	if _, ok := unquoteLine(names); !ok {
		named = true
		lines--
	}
	if quoted < evidence || share(quoted, lines) < uniformRecords*uniformRecords {
		return r, false
	}
	r = Decide(inner, h)
	r.Quoted = true
	if named && !bytes.Contains(names, []byte(r.Delimiter)) { // above texts with delimiters in them
		return r, false
	}
	widths := r.Columns > narrow || r.Columns == narrow && (doubled || r.Named && r.Candidates[0].values >= doubtfulValues)
	return r, widths && r.Uniform && !r.SkipSpace && !strings.HasSuffix(r.Delimiter, " ")
}

// areQuoted reports whether the first line and nearly all others are one quoted cell: their quotes are no text.
func areQuoted(texts []piece) bool {
	if _, ok := unquoteLine(firstLine(texts[0].bytes)); !ok {
		return false
	}
	lines, quoted := 0, 0
	for _, p := range texts {
		_, n, of := unquoteLines(p.bytes)
		quoted, lines = quoted+n, lines+of
	}
	return quoted >= evidence && share(quoted, lines) >= uniformRecords
}

// beginsQuoted reports whether one of the first lines is quoted as a whole, so that others are looked at.
func beginsQuoted(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		if _, ok := unquoteLine(bytes.TrimRight(line, "\r\n")); ok {
			return true
		}
		if n++; n == evidence {
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

// blankQuoted takes records of two or more empty cells for blank where each record begins with a quote, and reports whether it does.
//
//	"Name","Town"
//	"",""
//	"Ann","Bath"
func blankQuoted(rows []row) bool {
	n, empties := 0, 0
	for _, r := range rows {
		switch {
		case r.blank:
		case !r.quoted || r.broken || r.width < narrow:
			return false
		case r.filled > 0:
			n++
		default:
			empties++
		}
	}
	if n < bodyRecords {
		return false
	}
	for i := range rows {
		rows[i].blank = rows[i].blank || empties > 0 && rows[i].filled == 0 && !slices.ContainsFunc(rows[i].texts, isSomeText)
	}
	return true
}
