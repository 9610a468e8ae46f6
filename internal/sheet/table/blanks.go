package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// withoutBlankEnds returns the samples without the blank lines above and below everything else, which say nothing of the text, and how many
// stood above. If somebody has said how many records stand above the header, and not that none do, they count.
func withoutBlankEnds(samples []dialect.Sample, h Hints) (inner []dialect.Sample, above int) {
	first, last := samples[0], samples[len(samples)-1]
	if len(bytes.TrimSpace(first.Text)) == 0 || h.Preamble != nil && *h.Preamble > 0 {
		return samples, 0
	}
	inner = slices.Clone(samples)
	if first.Head {
		inner[0].Text, above = belowBlankLines(first.Text)
	}
	if last.Tail {
		inner[len(inner)-1].Text = aboveBlankLines(inner[len(inner)-1].Text)
	}
	return inner, above
}

// belowBlankLines returns the text below its first blank lines, and how many they are.
func belowBlankLines(text []byte) (rest []byte, n int) {
	for {
		end := bytes.TrimLeft(text, " ")
		switch {
		case bytes.HasPrefix(end, []byte("\r\n")):
			text = end[2:]
		case len(end) > 0 && (end[0] == '\n' || end[0] == '\r'):
			text = end[1:]
		default:
			return text, n
		}
		n++
	}
}

// aboveBlankLines returns the text with one line end at most behind the last line that is not blank.
func aboveBlankLines(text []byte) []byte {
	rest := bytes.TrimRight(text, "\r\n")
	switch ends := text[len(rest):]; {
	case bytes.HasPrefix(ends, []byte("\r\n")):
		return text[:len(rest)+2]
	case len(ends) > 0:
		return text[:len(rest)+1]
	}
	return text
}

// below moves what was found in a text down by so many blank lines, which stood above it; whole says that it is one sample.
func (l *Layout) below(lines int, whole bool) {
	if l.BlankLines = lines; l.Preamble > 0 {
		l.Preamble += lines
	}
	if !whole {
		return
	}
	if l.FooterLine > 0 {
		l.FooterLine += int64(lines)
	}
	if l.OtherLine > 0 {
		l.OtherLine += int64(lines)
	}
}

// singleSpaced returns the rows of a text in which a blank record stands behind each other one, as line ends of CR CR LF make them, without
// these, and the index of each of the rest among all. Of any other text it returns the rows as they are, and no indexes.
func singleSpaced(rows []row) (kept []row, at []int) {
	n := 0
	for i := 0; i < len(rows); i += 2 {
		if i+1 < len(rows) && !rows[i+1].blank || rows[i].sample > 0 {
			return rows, nil
		}
		if !rows[i].blank {
			n++
		}
	}
	if n < evidence {
		return rows, nil
	}
	for i := 0; i < len(rows); i += 2 {
		kept, at = append(kept, rows[i]), append(at, i)
	}
	return kept, at
}

// inText returns the layout of rows that were found without the blank records between them.
func (l Layout) inText(at []int) Layout {
	if l.Preamble > 0 && l.Preamble < len(at) {
		l.Preamble = at[l.Preamble]
	}
	return l
}

// blankQuoted takes records of two or more empty cells for blank where each record begins with a quote, and reports whether it does. One
// empty cell alone is blank in any table of more columns.
//
//	"Name","Town"
//	"",""
//	"Ann","Bath"
//	""
func blankQuoted(rows []row) bool {
	blankAlone(rows)
	n, empties := 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.width < narrow:
		case !r.quoted || r.broken:
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

// blankAlone takes records of one empty cell for blank if most of those down to the last one with more have more.
func blankAlone(rows []row) {
	wide, last := 0, 0
	for i, r := range rows {
		if r.width >= narrow {
			wide, last = wide+1, i
		}
	}
	for i, r := range rows {
		rows[i].blank = r.blank || r.width == 1 && r.filled == 0 && !r.broken && wide > last-wide
	}
}

// dropEnds removes the empty cells behind the last delimiters of all lines and reports whether it has: lines without a delimiter aside,
// each ends with one, and one has three cells or more with it. So the delimiters end lines, and separate nothing.
//
//	Stock of the depot;
//	No;Article;Pieces;
//	1;bolt;200;
func dropEnds(rows []row) bool {
	n, widest := 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken || r.width < narrow:
		case !r.endsEmpty():
			return false
		default:
			n, widest = n+1, max(widest, r.width)
		}
	}
	if n < narrow || widest <= trailingColumns {
		return false
	}
	for i := range rows {
		if r := &rows[i]; !r.broken && r.width >= narrow && r.endsEmpty() {
			r.dropTrailing(r.width, 1)
			r.lastText = len(r.texts) == r.width && isSomeText(r.texts[r.width-1])
		}
	}
	return true
}
