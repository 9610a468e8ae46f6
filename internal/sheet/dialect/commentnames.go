package dialect

import "bytes"

// CommentNames returns the names of columns in a comment that separates them by another delimiter than the records below, or by blanks if its
// mark is none of these or several stand between all names; nil if it has none:
//
//	# time, flow, temp [K]
//	0⇥1.25⇥293.1
//
// Each is a word, with its unit in brackets if it has one: what a sentence lists has more.
func CommentNames(comment []byte) [][]byte {
	mark := Dialect{}.markOf(comment)
	if mark == "" {
		return nil
	}
	text := comment[len(mark):]
	spaced := len(text) > 0 && text[0] == ' '
	text = bytes.TrimSpace(text)
	for _, delimiter := range []string{"\t", ";", ",", "|"} {
		if bytes.Contains(text, []byte(delimiter)) {
			return namesOnly(bytes.Split(text, []byte(delimiter)))
		}
	}
	if spaced && !areApart(text) {
		return nil
	}
	return namesOnly(bytes.Fields(text))
}

// areApart reports whether two blanks or more stand between all words of a text.
func areApart(text []byte) bool {
	for i, c := range text {
		if c == ' ' && text[i-1] != ' ' && text[i+1] != ' ' {
			return false
		}
	}
	return true
}

// namesOnly returns the texts without white space around them, if each is a name.
func namesOnly(texts [][]byte) [][]byte {
	for i, text := range texts {
		name := bytes.TrimSpace(text)
		word, unit, found := bytes.Cut(name, []byte(" "))
		if k := kindOf(name); k == empty || k == number || k == moment || len(word) > longestName || found && !isBracketed(unit) {
			return nil
		}
		texts[i] = name
	}
	if len(texts) < narrow {
		return nil
	}
	return texts
}

// takeCommentNames makes the header of a table without one of the last comment above it, if that has a name for each column. start is the
// first row.
func (l *Layout) takeCommentNames(rows []row, start int, h Hints) {
	last := endOfComments(rows) - 1
	for last > 0 && rows[last].blank {
		last--
	}
	if last < 0 || l.Columns < narrow || start <= last || start > endOfComments(rows) || int(rows[last].commentNames) != l.Columns {
		return
	}
	said := h.Header != nil && *h.Header == 1 && h.Preamble != nil && *h.Preamble == last
	if !said && (l.Header > 0 || h.Header != nil || h.Preamble != nil) {
		return
	}
	l.Preamble, l.Header, l.NamedByComment = last, 1, true
}
