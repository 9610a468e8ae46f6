package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// A layout is decided from so much of a text.
const (
	headRows    = 1000      // records at its beginning
	otherRows   = 1000      // and at its end
	sampleBytes = 384 << 10 // of a record; no sample is longer
)

// seen returns how many cells are looked at of a record with so many.
func seen(width int) int { return min(width, dialect.MaxColumns) }

// readRows reads the first and the last records of the text, and some of each sample between, without their first cells.
func readRows(samples []dialect.Sample, d dialect.Dialect, from int) []row {
	rows := make([]row, 0, headRows+otherRows)
	for i, s := range samples {
		last := i == len(samples)-1
		text := s.Text
		if i > 0 && !last { // it only tells how wide the table is there
			text = dialect.EndOf(text)
		}
		before := len(rows)
		rows = newReading(d, i, from).sample(rows, text, last)
		if i > 0 && len(rows) > before { // its first one may have begun before the sample
			rows = slices.Delete(rows, before, before+1)
		}
		if !last && len(rows) > before+1 { // its last one may go on behind the sample
			rows = rows[:len(rows)-1]
		}
	}
	return rows
}

// reading makes rows of a sample's records.
type reading struct {
	dialect.Dialect
	memory
	no   int // of the sample
	from int // the first cell that is looked at
}

func newReading(d dialect.Dialect, no, from int) *reading {
	return &reading{Dialect: d, no: no, from: from}
}

// sample appends the first records and, if last is set, the last ones.
func (m *reading) sample(rows []row, text []byte, last bool) []row {
	sc := m.Scanner(csv.NewText(text), sampleBytes)
	most := len(rows) + headRows
	var tail ending
	for {
		rec, err := sc.Next()
		switch {
		case errors.Is(err, io.EOF):
			return m.rows(rows, tail)
		case len(rows) < most:
			rows = append(rows, m.row(rec))
		case len(tail) < otherRows:
			tail.add(rec)
		case !last:
			return m.rows(rows, tail)
		default:
			tail.halve()
			tail.add(rec)
		}
	}
}

// rows appends the rows of records.
func (m *reading) rows(rows []row, records []csv.Record) []row {
	rows = slices.Grow(rows, len(records))
	for i := range records {
		rows = append(rows, m.row(&records[i]))
	}
	return rows
}

// ending is the last records of a text, as they were split: only those that no other one follows are worth a closer look.
type ending []csv.Record

// add appends a record, in the memory of one that was dropped.
func (e *ending) add(rec *csv.Record) {
	var fields []csv.Field
	if n := len(*e); n < cap(*e) {
		fields = (*e)[:n+1][n].Fields
	}
	kept := *rec
	fields = append(fields[:0], rec.Fields...)
	kept.Fields = fields
	*e = append(*e, kept)
}

// halve drops the first half.
func (e *ending) halve() {
	half := len(*e) / 2
	for i := range half {
		(*e)[i], (*e)[half+i] = (*e)[half+i], (*e)[i]
	}
	*e = (*e)[:half]
}

// memory allocates the cells of many records.
type memory struct {
	kinds []kind.Kind
	texts []uint64
}

// take returns memory for n cells.
func (m *memory) take(n int) ([]kind.Kind, []uint64) {
	if len(m.kinds) < n {
		m.kinds, m.texts = make([]kind.Kind, 8*dialect.MaxColumns), make([]uint64, 8*dialect.MaxColumns)
	}
	kinds, texts := m.kinds[:n:n], m.texts[:n:n]
	m.kinds, m.texts = m.kinds[n:], m.texts[n:]
	return kinds, texts
}

func (m *reading) row(rec *csv.Record) row {
	r := row{sample: int32(m.no), line: rec.Line, width: max(0, rec.Width-m.from)}
	r.blank, r.broken = dialect.IsBlank(rec), rec.Fault != csv.NoFault
	r.mark, r.remark = m.MarkOf(rec.Raw), bytes.HasPrefix(rec.Raw, []byte("# "))
	fields := rec.Fields[min(len(rec.Fields), m.from):]
	r.kinds, r.texts = m.take(len(fields))
	var y years
	for i, f := range fields {
		r.look(i, kind.Trim(rec.Raw[f.Start:f.End]), &y)
	}
	r.lookAtAll(func(i int) []byte { return rec.Raw[fields[i].Start:fields[i].End] }, &y, true)
	if rec.Width == 1 && r.filled == 1 && !r.broken {
		if kinds := m.appendedKinds(rec.Raw); kinds != nil {
			r.appended = &kinds
		}
	}
	if m.no == 0 && m.from == 0 && !r.blank && (rec.Width == 1 || r.mark != "" || m.Delimiter == " ") {
		line := rec.Raw
		r.raw = &line
	}
	r.spaced = slices.ContainsFunc(fields[min(1, len(fields)):], func(f csv.Field) bool { return f.Start < f.End && rec.Raw[f.Start] == ' ' })
	r.split = r.prose && r.filled == len(fields) && isSplit(rec.Raw, fields)
	r.blank = r.blank || r.filled == 0 && (m.from > 0 || bytes.IndexByte(rec.Raw, m.Quote) < 0)
	if len(fields) > 0 {
		r.quoted = m.Quote != 0 && fields[0].Start > 0 && rec.Raw[fields[0].Start-1] == m.Quote
		r.indent = indentOf(rec.Raw[fields[0].Start:fields[0].End])
		f := fields[len(fields)-1]
		last := kind.Trim(rec.Raw[f.Start:f.End])
		r.numbered = r.filled > 1 && r.filled <= paddedGaps+1 && r.kinds[len(fields)-1] != kind.Number && words.IsPageLine(last)
		r.lastText = len(last) > 0 || int(f.End) < len(rec.Raw)
	}
	return r
}

// isSplit reports whether a sentence of seven words or more was split by its commas: each further cell goes on with a blank, a small letter
// and more than a word.
func isSplit(raw []byte, fields []csv.Field) bool {
	if len(fields) < narrow || !words.HasWords(raw, words.SentenceWords) {
		return false
	}
	for _, f := range fields[1:] {
		cell, blank := bytes.CutPrefix(raw[f.Start:f.End], []byte(" "))
		first, _ := utf8.DecodeRune(cell)
		if !blank || !unicode.IsLower(first) || !words.HasWords(cell, narrow) {
			return false
		}
	}
	return true
}

// appendedKinds returns the kinds of the cells of a record that holds no delimiter, split by another usual one, whichever it holds most
// often; none if it holds none twice. Somebody may have appended the record with it.
func (m *reading) appendedKinds(raw []byte) []kind.Kind {
	var delimiter byte
	most := narrow - 1
	for _, other := range dialect.UsualDelimiters {
		if n := bytes.Count(raw, []byte(other)); n > most && other != m.Delimiter {
			delimiter, most = other[0], n
		}
	}
	if delimiter == 0 {
		return nil
	}
	var kinds []kind.Kind
	start, quoted := 0, false
	for i, c := range raw {
		switch {
		case m.Quote != 0 && c == m.Quote:
			quoted = !quoted
		case c == delimiter && !quoted:
			kinds, start = append(kinds, m.kindOfCell(raw[start:i])), i+1
		}
	}
	return append(kinds, m.kindOfCell(raw[start:]))
}

// kindOfCell returns the kind of a cell that may be quoted.
func (m *reading) kindOfCell(cell []byte) kind.Kind {
	cell = kind.Trim(cell)
	if n := len(cell); n > 1 && m.Quote != 0 && cell[0] == m.Quote && cell[n-1] == m.Quote {
		cell = cell[1 : n-1]
	}
	return kind.Of(cell)
}

// isAppended reports whether the record, which is split by another delimiter, has all cells of the table, with values where it has them.
func (c columns) isAppended(r row) bool {
	if r.appended == nil || len(*r.appended) != c.width || c.width <= narrow {
		return false
	}
	same, other := c.compare(row{width: c.width, filled: c.width, kinds: *r.appended})
	return same > 0 && other == 0
}
