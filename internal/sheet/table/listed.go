package table

import (
	"bytes"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// otherwise are delimiters that list names above rows which other ones separate, or runs of blanks.
const otherwise = ",;\t|"

// takeListed takes the line right above the rows, which begin there, for the header, if none was found, or it was said to be one: it names
// each column, with a delimiter of its own. Blank lines may stand between a comment and the rows.
//
//	# time;temperature;humidity
//	0.5,21.5,48
func (l *Layout) takeListed(rows []row, start int, h Hints) {
	if l.grid || l.RowNames || l.Leading > 0 || start == 0 || start >= len(rows) {
		return
	}
	at := start - 1
	for l.Header == 0 && at > 0 && rows[at].blank && start <= endOfComments(rows) {
		at--
	}
	if !l.mayBeListed(rows[at], h) {
		return
	}
	names := rows[at].listed(h.dialect, l.Columns)
	if names == nil {
		return
	}
	if l.Header == 0 {
		l.Preamble, l.Header = at, 1
	}
	rows[at], l.Listed = *names, true
}

// mayBeListed reports whether the line above the rows may list the names otherwise than these are separated.
func (l *Layout) mayBeListed(above row, h Hints) bool {
	blanks := h.dialect.Delimiter == " "
	if above.width == l.Columns && (!blanks || !above.rawHas(otherwise)) {
		return false
	}
	if !h.areOpen() {
		return l.Header == 1
	}
	return l.Header == 0 || l.Header == 1 && blanks && above.rawHas(otherwise)
}

// rawHas reports whether the record, as it stands in the text, has one of the characters.
func (r row) rawHas(chars string) bool { return r.raw != nil && bytes.ContainsAny(*r.raw, chars) }

// isRemark reports whether the record is a comment that the rows' delimiter does not split: it may as well be a sentence.
func (r row) isRemark() bool { return r.mark != "" && r.width == 1 }

// listed returns the record as one of so many names, which it lists with a delimiter of its own; nil if it does not.
func (r row) listed(d dialect.Dialect, width int) *row {
	if r.raw == nil || width < narrow {
		return nil
	}
	var fields []csv.Field
	if r.isRemark() {
		fields = r.listedInRemark(d, width)
	} else {
		fields = dialect.ListedNames(*r.raw, d.Quote, width, r.mark != "")
	}
	if fields == nil {
		return nil
	}
	names := row{sample: r.sample, line: r.line, width: width, filled: width, mark: r.mark}
	for _, f := range fields {
		name := (*r.raw)[f.Start:f.End]
		names.kinds, names.texts = append(names.kinds, kind.Of(name)), append(names.texts, hash(name))
	}
	return &names
}

// listedInRemark returns so many names in a comment that may be a sentence: each is a single word, which may have its unit in brackets.
func (r row) listedInRemark(d dialect.Dialect, width int) []csv.Field {
	fields := csv.Names(*r.raw, d.Quote, width)
	for _, f := range fields {
		name := (*r.raw)[f.Start:f.End]
		word, unit, found := bytes.Cut(name, []byte(" "))
		if !dialect.MayName(name) || len(word) > longestName || found && !words.IsBracketed(unit) {
			return nil
		}
	}
	return fields
}
