package dialect

import (
	"bytes"

	"sheetdrop/internal/sheet/csv"
)

// The names that a line lists with another delimiter than that of the rows.
const (
	longestListed = 40 // bytes of one
	listedWords   = 4  // of one: more are prose
	listedNames   = 3  // that a comma with blanks, or runs of blanks separate, as both also stand in prose
)

// takeListed takes the line right above the rows, which begin there, for the header, if none was found, or it was said to be one: it names
// each column, with a delimiter of its own.
//
//	# time;temperature;humidity
//	0.5,21.5,48
func (l *Layout) takeListed(d Dialect, rows []row, start int, h Hints) {
	if l.grid || l.RowNames || rows[max(0, start-1)].width == l.Columns && d.Delimiter != " " || l.Leading > 0 || start == 0 || start >= len(rows) || rows[start-1].sample > 0 {
		return
	}
	said := h.Header != nil || h.Preamble != nil
	if said && l.Header != 1 || !said && l.Header > 0 && (l.Header > 1 || d.Delimiter != " " || !rows[start-1].rawHas(",;\t|")) {
		return
	}
	above := rows[start-1]
	names := above.listed(d, l.Columns)
	if names == nil || above.mark != "" && above.width == 1 { // see CommentNames
		return
	}
	if l.Header == 0 {
		l.Preamble, l.Header = start-1, 1
	}
	rows[start-1], l.Listed = *names, true
}

// rawHas reports whether the record, as it stands in the text, has one of the characters.
func (r row) rawHas(any string) bool { return r.raw != nil && bytes.ContainsAny(*r.raw, any) }

// listsTwo reports whether the two names have no blank, and either none stands between them, or two or more do in a comment.
func (r row) listsTwo(names []csv.Field) bool {
	for _, f := range names {
		if bytes.IndexByte((*r.raw)[f.Start:f.End], ' ') >= 0 {
			return false
		}
	}
	return r.mark != "" || bytes.IndexByte(*r.raw, ' ') < 0
}

// listed returns the record as one of so many names, which it lists with a delimiter of its own; nil if it does not.
func (r row) listed(d Dialect, width int) *row {
	if r.raw == nil || width < narrow {
		return nil
	}
	fields := csv.Names(*r.raw, d.Quote, width)
	if fields == nil || width < listedNames && !r.rawHas(";\t|") && !r.listsTwo(fields) {
		return nil
	}
	names := row{sample: r.sample, line: r.line, width: width, filled: width}
	seen := map[uint64]bool{}
	for _, f := range fields {
		name := (*r.raw)[f.Start:f.End]
		text, k := hash(name), kindOf(name)
		if k == empty || k == number || k == moment || len(name) > longestListed || hasWords(name, listedWords+1) || seen[text] {
			return nil
		}
		seen[text] = true
		names.kinds, names.texts = append(names.kinds, k), append(names.texts, text)
	}
	return &names
}
