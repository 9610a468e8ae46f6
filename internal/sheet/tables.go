package sheet

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/table"
)

// maxTables is how many tables of a file are sheets of their own, by the option tables. Others are rejected as without it.
const maxTables = 100

// textTables is a text with a sheet for each of its tables: first the ones below one another, then those beside them.
type textTables struct {
	*csvFile // of the current table
	opening  opening
	whole    Source
	aside    []*csvFile // tables beside others, not read yet
	number   int        // of the current table
	foundOne bool       // the requested table
}

// tables returns the text as one of several tables, if the options ask for that.
func (o opening) tables(src beginning, f *csvFile) (workbook, error) {
	t := &textTables{csvFile: f, opening: o, whole: src}
	if above, err := t.above(f); err != nil || above != nil {
		f.in.Close()
		if t.csvFile = above; err != nil {
			return nil, err
		}
		above.begin(o.blockSize)
	}
	return t, t.look()
}

// look looks for a table beside the current one, and counts the one below as one of its own.
func (t *textTables) look() error {
	f := t.csvFile
	if t.number+len(t.aside)+2 > maxTables {
		return nil
	}
	f.apart = f.layout.other < f.src.Size()
	if f.layout.beside == 0 {
		return nil
	}
	end := min(f.layout.other, f.src.Size())
	from := f.from + f.layout.leading + f.layout.columns
	beside, err := t.open(f, region{io.NewSectionReader(t.whole, 0, end), f.start, f.lines, from, table.AboveOrBeside})
	if err == nil && beside.layout.named {
		f.asideApart, t.aside = true, append(t.aside, beside)
	}
	return err
}

// region is where in a text a further table stands.
type region struct {
	Source       // the text up to its end
	start  int64 // offset of its first record
	lines  int64 // before it
	from   int   // cells at the beginning of each record that belong to another table
	place  table.Place
}

// open decides where in a region the table is. It is written as the other one.
func (t *textTables) open(other *csvFile, r region) (*csvFile, error) {
	f := &csvFile{ctx: other.ctx, src: r, enc: other.enc, repairs: other.repairs, start: r.start, lines: r.lines, from: r.from}
	opt := t.opening.options
	if !t.opening.asksFor(t.number + 1) {
		opt = opt.ofOthers()
	}
	d := other.dialect
	if opt.Delimiter, opt.Quote, opt.Escape, opt.SkipSpace = d.Delimiter, d.Quote, d.Escape, &d.SkipSpace; opt.Quote == "" {
		opt.Quote = none
	}
	s, err := takeSample(f.ctx, r, r.start, r.Size())
	if err != nil {
		return nil, err
	}
	s.Head = true
	found, err := decideDialect([]sample{s}, f.enc.Encoding, opt, r.from, r.place)
	if err != nil {
		return nil, err
	}
	return f, f.useDialect(found, []sample{s}, t.opening.limits)
}

// mostPartsAbove is how many pieces of what is above a table, each of them behind a blank record, are looked at for another one.
const mostPartsAbove = 8

// above returns the table above the one that was found: of several the largest is found first, and a smaller one before it looks like
// its preamble. nil means that there is none, or that the options say where the table is.
func (t *textTables) above(f *csvFile) (*csvFile, error) {
	opt := t.opening.options
	if f.dialect.PreambleRows == 0 || t.whole.Size() > wholeBytes || opt.Skip != nil || opt.Header != nil || opt.Footer == none {
		return nil, nil
	}
	parts, err := f.partsAbove()
	for _, end := range parts {
		above, err := t.open(f, region{io.NewSectionReader(t.whole, 0, end.offset), f.start, f.lines, f.from, table.AboveOrBeside})
		if err != nil {
			return nil, err
		}
		if !above.layout.alone {
			continue
		}
		if above.src = f.src; above.layout.other >= end.offset {
			above.layout.other, above.layout.above = end.offset, end.line-1
		}
		return above, nil
	}
	return nil, err
}

// place is where a record begins: in the text, and by its line from the first one that is read.
type place struct{ offset, line int64 }

// partsAbove returns the places, above the table's header, of records that stand below blank ones, or are a title below others.
func (f *csvFile) partsAbove() (parts []place, err error) {
	s, err := takeSample(f.ctx, f.src, f.start, f.src.Size())
	if err != nil {
		return nil, err
	}
	c := f.config
	c.Offset = f.start
	sc := csv.NewScanner(f.enc.Encoding.Reader(bytes.NewReader(s.Bytes)), c)
	blank := false
	for no := int64(0); no <= f.layout.preamble && len(parts) < mostPartsAbove; no++ {
		rec, err := sc.Next()
		if err != nil {
			return parts, nil //nolint:nilerr // what ends the text, or cannot be read, ends the parts, too
		}
		isBlank := len(bytes.Trim(rec.Raw, f.blanks)) == 0
		if (blank && !isBlank || isAlone(rec)) && no > 1 {
			parts = append(parts, place{rec.Offset, rec.Line})
		}
		blank = isBlank
	}
	return parts, nil
}

// isAlone reports whether a record has a text in its first cell and nothing else.
func isAlone(rec *csv.Record) bool {
	for i, field := range rec.Fields {
		if isEmpty := field.Start == field.End; isEmpty != (i > 0) {
			return false
		}
	}
	return len(rec.Fields) > 0
}

// asksFor reports whether the options ask for this table of a text alone.
func (o opening) asksFor(number int) bool {
	asked := o.options.Sheet
	return asked != "" && (asked == strconv.Itoa(number) || strings.EqualFold(asked, tableName("", number)))
}

// ofOthers returns the options for tables other than the one of which they say where it is.
func (o Options) ofOthers() Options {
	o.Header, o.Skip, o.RowNames = nil, nil, false
	return o
}

func (t *textTables) nextSheet() (*sheetInfo, records, error) {
	if t.number > 0 {
		if err := t.next(); err != nil {
			return nil, nil, err
		}
	}
	t.number++
	info, records, err := t.csvFile.nextSheet()
	if err != nil {
		return nil, nil, err
	}
	if info.number = t.number; t.number > 1 {
		info.name = tableName("", t.number)
	}
	if t.opening.options.Sheet == "" || t.opening.asksFor(t.number) {
		t.foundOne = true
		return info, records, nil
	}
	info.leftOut = true
	return info, nil, nil
}

// next goes to the next table, io.EOF if there is none.
func (t *textTables) next() error {
	f := t.csvFile
	var next *csvFile
	switch {
	case f.apart:
		var err error
		if next, err = t.open(f, region{f.src, f.layout.other, f.lines + f.layout.above, f.from, table.Below}); err != nil {
			return err
		}
		if above, err := t.above(next); err != nil {
			return err
		} else if above != nil {
			next = above
		}
	case len(t.aside) > 0:
		next, t.aside = t.aside[0], t.aside[1:]
	case !t.foundOne:
		return noSheet.refuse(t.opening.options.Sheet, t.list())
	default:
		return io.EOF
	}
	f.in.Close()
	t.csvFile = next
	next.begin(t.opening.blockSize)
	return t.look()
}

// list names the tables.
func (t *textTables) list() string {
	var names []string
	for i := range min(t.number, maxListed) {
		names = append(names, fmt.Sprintf("%d %s", i+1, tableName("", i+1)))
	}
	return strings.Join(names, ", ")
}

// tableName names a further table of a sheet, or of a text, which has no name.
func tableName(sheet string, number int) string {
	if sheet == "" {
		return fmt.Sprintf("table %d", number)
	}
	return fmt.Sprintf("%s (table %d)", sheet, number)
}

func (t *textTables) textSize() int64 { return t.whole.Size() }

func (t *textTables) settle() error { return t.enc.settle(t.ctx, t.whole, t.start) }

// found names the table if it is a further one.
func (t *textTables) found(info sheetInfo, o *Options) {
	if t.csvFile.found(info, o); info.number > 1 {
		o.Sheet = info.name
	}
}
