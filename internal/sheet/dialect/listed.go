package dialect

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/csv"
)

// The names that a line lists with another delimiter than that of the rows.
const (
	longestListed = 40 // bytes of one
	listedWords   = 4  // of one: more are prose
	listedNames   = 3  // that a comma with blanks, or runs of blanks separate, as both also stand in prose
)

// otherwise are delimiters that list names above rows which other ones separate, or runs of blanks.
const otherwise = ",;\t|"

// takeListed takes the line right above the rows, which begin there, for the header, if none was found, or it was said to be one: it names
// each column, with a delimiter of its own. Blank lines may stand between a comment and the rows.
//
//	# time;temperature;humidity
//	0.5,21.5,48
func (l *Layout) takeListed(d Dialect, rows []row, start int, h Hints) {
	if l.grid || l.RowNames || l.Leading > 0 || start == 0 || start >= len(rows) {
		return
	}
	at := start - 1
	for l.Header == 0 && at > 0 && rows[at].blank && start <= endOfComments(rows) {
		at--
	}
	if !l.mayBeListed(d, rows[at], h) {
		return
	}
	names := rows[at].listed(d, l.Columns)
	if names == nil {
		return
	}
	if l.Header == 0 {
		l.Preamble, l.Header = at, 1
	}
	rows[at], l.Listed = *names, true
}

// mayBeListed reports whether the line above the rows may list the names otherwise than these are separated.
func (l *Layout) mayBeListed(d Dialect, above row, h Hints) bool {
	if above.width == l.Columns && (d.Delimiter != " " || !above.rawHas(otherwise) && !above.hasRuns()) {
		return false
	}
	if h.Header != nil || h.Preamble != nil {
		return l.Header == 1
	}
	return l.Header == 0 || l.Header == 1 && d.Delimiter == " " && above.rawHas(otherwise)
}

// rawHas reports whether the record, as it stands in the text, has one of the characters.
func (r row) rawHas(chars string) bool { return r.raw != nil && bytes.ContainsAny(*r.raw, chars) }

// hasRuns reports whether the record, as it stands in the text, has a run of blanks.
func (r row) hasRuns() bool { return r.raw != nil && bytes.Contains(*r.raw, []byte("  ")) }

// isRemark reports whether the record is a comment that the rows' delimiter does not split: it may as well be a sentence.
func (r row) isRemark() bool { return r.mark != "" && r.width == 1 }

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
	if fields == nil || width < listedNames && !r.isRemark() && !r.rawHas(";\t|") && !r.listsTwo(fields) {
		return nil
	}
	names := row{sample: r.sample, line: r.line, width: width, filled: width, mark: r.mark}
	for _, f := range fields {
		name := (*r.raw)[f.Start:f.End]
		text, k := hash(name), kindOf(name)
		if k == empty || k == number || k == moment || !r.mayList(name) || !r.isRemark() && slices.Contains(names.texts, text) {
			return nil
		}
		names.kinds, names.texts = append(names.kinds, k), append(names.texts, text)
	}
	return &names
}

// mayList reports whether a text is short enough for a name: a single word, which may have its unit in brackets, if the record may be a
// sentence.
func (r row) mayList(name []byte) bool {
	if !r.isRemark() {
		return len(name) <= longestListed && !hasWords(name, listedWords+1)
	}
	word, unit, found := bytes.Cut(name, []byte(" "))
	return len(word) <= longestName && (!found || isBracketed(unit))
}
