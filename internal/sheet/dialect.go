package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
)

// Dialect is how a sheet's records are written; the sheets of a workbook have only HeaderRows.
type Dialect struct {
	Delimiter    string `json:"delimiter,omitempty" doc:"The separator between cells." example:";"`
	Quote        string `json:"quote,omitempty" doc:"The character that encloses cells; missing if nothing is quoted."`
	Escape       string `json:"escape,omitempty" doc:"The character before a quote inside a quoted cell: another quote, or a backslash."`
	SkipSpace    bool   `json:"skip_space,omitempty" doc:"Spaces after delimiters are ignored."`
	Newline      string `json:"newline,omitempty" doc:"The first line end in the file."`
	HeaderRows   int    `json:"header_rows" doc:"The number of header rows: the option header." example:"1"`
	PreambleRows int    `json:"preamble_rows" doc:"Records before the header, including blank ones, or 0 if all of them are blank: the option skip."`
}

// Candidate is a dialect that was tried, with its score: Consistency, how regular the records' widths are, times Types,
// how many cells look like values, times a weight for how common the delimiter is; all from 0 to 1.
type Candidate struct {
	Delimiter   string  `json:"delimiter"`
	Quote       string  `json:"quote"`
	Escape      string  `json:"escape"`
	SkipSpace   bool    `json:"skip_space,omitempty"`
	Consistency float64 `json:"consistency"`
	Types       float64 `json:"types"`
	Score       float64 `json:"score"`
}

// layout is where in a text the table is.
type layout struct {
	preamble      int64          // records
	header        int            // records
	columns       int            // cells in most records; 0 if there are too few records
	uniform       bool           // an empty cell more in the header is none
	quotedBlanks  bool           // records of empty quotes alone are blank
	nameIsNoValue bool           // the name of the only column is none of its values
	marked        bool           // the header's first cell is the mark of a comment
	unlabelled    bool           // a cell less in the header means that the last column has no name
	rowNames      bool           // the header lacks the first column's cell
	trailing      int            // superfluous empty cells that records end with
	beside        int            // cells behind the last column that stand beside the table
	leading       int            // and that they begin with
	footer        int64          // offset in the file after which nothing belongs to the table
	other         int64          // offset in the file at which another table begins
	above         int64          // lines before that, from the first record on
	among         *dialect.Among // what tells records among the rows that are none; nil if there are none
	pad           bool           // records that are too short lack cells that others leave empty
	named         bool           // its header has names alone
	alone         bool           // it is a table above a larger one, too
}

// decideDialect uses the options and, for the rest, the samples, of whose records so many cells at the beginning are left out. A further
// table is not the first one.
func decideDialect(samples []sample, enc charset.Encoding, opt Options, from int, further bool) (dialect.Result, error) {
	texts := make([]dialect.Sample, len(samples))
	for i, s := range samples {
		text, err := s.text(enc)
		if err != nil {
			return dialect.Result{}, err
		}
		texts[i] = dialect.Sample{Text: text, Head: s.Head, Tail: s.Tail}
	}
	hints := opt.hints()
	hints.From, hints.Further = from, further
	found := dialect.Decide(texts, hints)
	if inner, ok := dialect.Unquote(texts, hints); ok {
		return inner, nil
	}
	return found, nil
}

// text returns the sample as UTF-8, with U+FFFD for invalid bytes.
func (s sample) text(enc charset.Encoding) ([]byte, error) {
	b, err := io.ReadAll(enc.Reader(bytes.NewReader(s.Bytes)))
	if err != nil {
		return nil, fmt.Errorf("read a sample: %w", err)
	}
	if enc.Direct(b) {
		return b, nil
	}
	text := make([]byte, 0, len(b)+len(b)/2)
	for len(b) > 0 {
		// AppendText takes a whole cell, but stops at the first invalid byte; the rest follows.
		var bad int
		if text, bad = enc.AppendText(text, b); bad < 0 {
			break
		}
		text = append(text, "\uFFFD"...)
		b = b[bad+1:]
	}
	return text, nil
}

func (f *csvFile) useDialect(r dialect.Result, samples []sample, lim Limits) error {
	f.dialect = Dialect{
		Delimiter: r.Delimiter, Quote: character(r.Quote), Escape: character(r.Escape), SkipSpace: r.SkipSpace, Newline: r.Newline,
		HeaderRows: r.Header, PreambleRows: r.Preamble,
	}
	for _, c := range r.Candidates {
		f.candidates = append(
			f.candidates,
			Candidate{c.Delimiter, character(c.Quote), character(c.Escape), c.SkipSpace, c.Consistency, c.Types, c.Score},
		)
	}
	f.config = csv.Config{
		Delimiter: r.Delimiter, Quote: r.Quote, Escape: r.Escape, SkipSpace: r.SkipSpace, Brackets: r.Brackets,
		RecordBytes: lim.RecordBytes, Fields: lim.Columns, Columns: r.Leading + r.Columns + r.Beside,
	}
	if !f.enc.settled || f.enc.Encoding != charset.UTF8 { // whose bytes are those of the file
		f.config.Measure = func(b []byte) int64 { return f.enc.Encoding.Width(b) }
	}
	if r.Quoted {
		f.inner = csv.NewTextScanner(csv.NewText(nil), f.config)
		f.config.Delimiter, f.config.Quote, f.config.Escape, f.config.SkipSpace, f.config.Columns = noDelimiter, '"', '"', false, 0
	}
	f.blanks = " \t\f" + r.Delimiter
	if len(f.enc.Encoding.BOM()) > 0 {
		f.config.Mark = "\ufeff"
	}
	f.layout = layout{
		preamble:      int64(r.Preamble),
		header:        r.Header,
		columns:       r.Columns,
		uniform:       r.Uniform,
		nameIsNoValue: r.NameIsNoValue,
		quotedBlanks:  r.QuotedBlanks,
		marked:        r.Marked,
		unlabelled:    r.Unlabelled,
		rowNames:      r.RowNames,
		trailing:      r.Trailing,
		beside:        r.Beside,
		leading:       r.Leading,
		footer:        f.src.Size(),
		among:         r.Among,
		pad:           r.Pad,
		named:         r.Named,
		alone:         r.Alone,
	}
	f.layout.other = f.src.Size()
	last := samples[len(samples)-1]
	var err error
	if r.FooterLine > 0 {
		f.layout.footer, err = f.offsetOf(r.FooterLine, last)
	}
	if r.OtherLine > 0 && err == nil {
		f.layout.above = r.OtherLine - 1
		f.layout.other, err = f.offsetOf(r.OtherLine, last)
	}
	return err
}

// noDelimiter separates nothing: whole lines are cells.
const noDelimiter = "\x1f"

// offsetOf returns the offset in the file of the record at a line of the sample.
func (f *csvFile) offsetOf(line int64, s sample) (int64, error) {
	c := f.config
	c.Offset = s.off
	sc := csv.NewScanner(f.enc.Encoding.Reader(bytes.NewReader(s.Bytes)), c)
	for {
		switch rec, err := sc.Next(); {
		case errors.Is(err, io.EOF):
			return f.src.Size(), nil
		case err != nil:
			return 0, fmt.Errorf("read a sample: %w", err)
		case rec.Line >= line:
			return rec.Offset, nil
		}
	}
}

func character(c byte) string {
	if c == 0 {
		return ""
	}
	return string(rune(c))
}

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
	beside, err := t.open(f, region{io.NewSectionReader(t.whole, 0, end), f.start, f.lines, f.from + f.layout.leading + f.layout.columns})
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
	found, err := decideDialect([]sample{s}, f.enc.Encoding, opt, r.from, true)
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
	if f.layout.preamble == 0 || t.whole.Size() > wholeBytes || opt.Skip != nil || opt.Header != nil || opt.Footer == none {
		return nil, nil
	}
	parts, err := f.partsAbove()
	for _, end := range parts {
		above, err := t.open(f, region{io.NewSectionReader(t.whole, 0, end.offset), f.start, f.lines, f.from})
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

// partsAbove returns the places, above the table's header, of records that stand below blank ones.
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
		if blank && !isBlank && no > 1 {
			parts = append(parts, place{rec.Offset, rec.Line})
		}
		blank = isBlank
	}
	return parts, nil
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
		if next, err = t.open(f, region{f.src, f.layout.other, f.lines + f.layout.above, f.from}); err != nil {
			return err
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
