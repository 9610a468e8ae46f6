package sheet

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/readahead"
	"sheetdrop/internal/sheet/table"
)

// csvFile is a text file as a workbook with one sheet.
type csvFile struct {
	ctx        context.Context
	src        Source
	start      int64 // of the text in src
	enc        *textEncoding
	dialect    Dialect
	candidates []Candidate
	config     csv.Config
	layout     layout
	blanks     string // the characters that blank records consist of: white space, a feed between printed pages, and the delimiter
	repairs    bool   // a record may have another delimiter, because nobody said which, or because the options say so
	in         *readahead.Reader
	scanner    *csv.Scanner
	split      *csv.Scanner // what splits records: the scanner, or that of lines that are quoted as a whole
	inner      *csv.Scanner // of such lines; nil if they are not
	line       []byte       // memory for such a line
	source     csv.Record   // such a line as it stands in the file
	rec        *csv.Record
	no         int64
	text       []byte // memory for cells that are not a substring of the record
	rawText    []byte // memory for raw
	given      bool
	warned     warnings // about cells
	from       int      // cells at the beginning of each record that belong to another table
	lines      int64    // before the text's first one that is read
	apart      bool     // another table below is none of this one's sheet
	asideApart bool     // likewise, one beside it
	next       nextSegment
	prose      bool // it is a text of sentences in one column
	blockSize  int
}

func openCSV(ctx context.Context, src Source, samples []sample, opt Options, lim Limits, blockSize int, cut bool) (*csvFile, error) {
	enc, err := decideEncoding(ctx, src, samples, opt)
	if err != nil {
		return nil, err
	}
	if enc.Encoding != charset.UTF16LE && enc.Encoding != charset.UTF16BE {
		if err := refuseBinary(samples[0].Bytes); err != nil {
			return nil, err
		}
	}
	f := &csvFile{ctx: ctx, src: src, enc: enc, repairs: opt.Delimiter == "" || opt.MixedDelimiters}
	f.start = skipBOM(&samples[0], enc.Encoding)
	found, err := decideDialect(samples, enc.Encoding, opt, 0, table.First)
	if err != nil {
		return nil, err
	}
	if err := f.useDialect(found, samples, lim); err != nil {
		return nil, err
	}
	f.config.Cut = cut
	f.begin(blockSize)
	return f, nil
}

// begin prepares reading the records.
func (f *csvFile) begin(blockSize int) {
	f.blockSize = blockSize
	f.beginAt(f.start)
}

func (f *csvFile) beginAt(off int64) {
	f.in = readahead.New(f.ctx, f.src, f.src.Size(), off, f.blockSize)
	f.config.Offset = off
	f.scanner = csv.NewScanner(f.enc.reader(f.ctx, f.src, off, f.in), f.config)
	if f.split = f.scanner; f.inner != nil {
		f.split = f.inner
	}
}

// skipBOM removes the byte order mark from the head and returns its length.
func skipBOM(head *sample, enc charset.Encoding) int64 {
	bom := enc.BOM()
	if len(bom) == 0 || !bytes.HasPrefix(head.Bytes, bom) {
		return 0
	}
	head.Bytes = head.Bytes[len(bom):]
	head.off = int64(len(bom))
	return int64(len(bom))
}

func (f *csvFile) nextSheet() (*sheetInfo, records, error) {
	if f.given {
		return nil, nil, io.EOF
	}
	f.given = true
	return &sheetInfo{
		number:        1,
		visible:       true,
		dialect:       f.dialect,
		candidates:    f.candidates,
		columns:       f.layout.columns,
		uniform:       f.layout.uniform,
		nameIsNoValue: f.layout.nameIsNoValue,
		marked:        f.layout.marked,
		unlabelled:    f.layout.unlabelled,
		rowNames:      f.layout.rowNames,
		pad:           f.layout.pad,
		part:          f.config.Cut,
		prose:         f.prose,
	}, f, nil
}

func (f *csvFile) format() string { return formatCSV }

func (f *csvFile) encoding() (name string, confidence float64) {
	return f.enc.Encoding.Name(), f.enc.Confidence
}

func (f *csvFile) textSize() int64 { return f.src.Size() }

func (f *csvFile) settle() error { return f.enc.settle(f.ctx, f.src, f.start) }

func (f *csvFile) close() error {
	f.in.Close()
	return nil
}

func (f *csvFile) nextRecord(rec *Record) (shape, error) {
	r, err := f.scanner.Next()
	if err != nil {
		return shape{}, err
	}
	if f.next.start > 0 && r.Offset >= f.next.start && f.reaches(r) {
		return shape{}, errReached
	}
	if f.inner != nil {
		r = f.unquote(r)
	}
	mended := false
	if f.repairs {
		mended = f.split.Repair(f.from + f.layout.leading + f.layout.columns + f.layout.beside)
	}
	if f.layout.listed && f.no == f.layout.preamble {
		f.split.SplitNames(f.layout.columns)
		mended = false
	}
	if f.apart && r.Offset >= f.layout.other {
		return shape{}, io.EOF
	}
	f.rec = r
	f.no++
	rec.No, rec.Line, rec.Offset = f.no, f.lines+r.Line, r.Offset
	hollow := f.from > 0 && f.dropFirst()
	if r.Fault != csv.NoFault {
		f.fail(rec)
	}
	f.dropEnd()
	f.dropLeading()
	f.dropTrailing()
	hollow = f.layout.beside > 0 && f.dropBeside() || hollow
	f.readCells(rec)
	skip := f.skip()
	if skip == "" && hollow {
		skip = SkipBlank
	}
	if skip == "" && f.layout.filter != nil && f.isAmongRows(rec) {
		skip = SkipAmong
	}
	switch {
	case skip != "":
	case mended:
		f.warned.add(MendedRecord, f.no, 1)
	case r.LooseColumn > 0 && r.Fault == csv.NoFault:
		f.warned.add(MendedRecord, f.no, r.LooseColumn)
	}
	other := skip == "" && r.Offset >= f.layout.other
	if other {
		rec.fail(otherTable, 0)
	}
	return shape{skip: skip, broken: other || r.Fault != csv.NoFault, size: len(r.Raw) + len(f.text), width: r.Width, values: r.Width}, nil
}

// unquote splits a line that is quoted as a whole. What has more lines inside, or is broken, stays as it is.
func (f *csvFile) unquote(r *csv.Record) *csv.Record {
	f.source = *r
	if r.Fault != csv.NoFault || len(r.Fields) != 1 || r.Fields[0].Start == r.Fields[0].End {
		return r
	}
	f.line = f.scanner.AppendText(f.line[:0], r.Raw[r.Fields[0].Start:r.Fields[0].End])
	f.inner.Use(csv.NewText(f.line))
	split, err := f.inner.Next()
	if err != nil || len(split.Raw) != len(f.line) {
		return r
	}
	if r.Fields[0].Start > 0 {
		f.warned.add(QuotedLine, f.no+1, 1)
	}
	split.Offset, split.Line = r.Offset, r.Line
	return split
}

// dropEnd removes the empty cell behind the delimiter with which each record ends.
func (f *csvFile) dropEnd() {
	r := f.rec
	if !f.layout.ended || r.Width < 2 || len(r.Fields) != r.Width || r.Fault != csv.NoFault {
		return
	}
	if last := r.Fields[r.Width-1]; f.isHollow(last) && !f.isQuoted(last) {
		r.Width--
		r.Fields = r.Fields[:r.Width]
	}
}

// isHollow reports whether the cell has nothing but white space.
func (f *csvFile) isHollow(field csv.Field) bool {
	return len(bytes.TrimSpace(f.rec.Raw[field.Start:field.End])) == 0
}

// isQuoted reports whether a quote stands behind the cell.
func (f *csvFile) isQuoted(field csv.Field) bool {
	return int(field.End) < len(f.rec.Raw) && f.config.Quote != 0 && f.rec.Raw[field.End] == f.config.Quote
}

// dropTrailing removes the empty cells that belong to no column. Where the file's rows end with several, each may have as many as it likes.
func (f *csvFile) dropTrailing() {
	r, n, columns := f.rec, f.layout.trailing, f.layout.columns+f.layout.beside
	if n == 0 || r.Width <= columns || n == 1 && r.Width != columns+n || len(r.Fields) != r.Width || r.Fault != csv.NoFault {
		return
	}
	for _, field := range r.Fields[columns:] {
		if !f.isHollow(field) {
			return
		}
	}
	if n == 1 && f.isQuoted(r.Fields[r.Width-1]) {
		return
	}
	r.Width = columns
	r.Fields = r.Fields[:columns]
}

// dropFirst removes the cells of another table, and reports whether nothing is left. A record that cannot be split is that one's.
func (f *csvFile) dropFirst() (hollow bool) {
	r := f.rec
	if r.Fault != csv.NoFault || len(r.Fields) <= f.from {
		r.Fault, r.Fields, r.Width = csv.NoFault, nil, 0
		return true
	}
	r.Fields, r.Width = r.Fields[f.from:], r.Width-f.from
	return !slices.ContainsFunc(r.Fields, func(field csv.Field) bool { return field.Start != field.End })
}

// dropLeading removes the empty cells before the first column.
func (f *csvFile) dropLeading() {
	r, n := f.rec, f.layout.leading
	if n == 0 || len(r.Fields) <= n || r.Fault != csv.NoFault {
		return
	}
	for _, field := range r.Fields[:n] {
		if field.Start != field.End {
			return
		}
	}
	r.Width -= n
	r.Fields = r.Fields[n:]
}

// dropBeside leaves out the cells that stand beside the table, and reports whether nothing is left.
func (f *csvFile) dropBeside() (hollow bool) {
	r, columns := f.rec, f.layout.columns
	if r.Width != columns+f.layout.beside || len(r.Fields) != r.Width || r.Fault != csv.NoFault {
		return false
	}
	for i, field := range r.Fields[columns:] {
		if field.Start != field.End && !f.asideApart {
			f.warned.add(BesideTable, f.no, f.from+columns+i+1)
		}
	}
	r.Width, r.Fields = columns, r.Fields[:columns]
	return !slices.ContainsFunc(r.Fields, func(field csv.Field) bool { return field.Start != field.End })
}

// fail adds the reason why the record could not be split.
func (f *csvFile) fail(rec *Record) {
	column, limit := f.rec.FaultColumn, f.scanner.RecordBytes
	switch f.rec.Fault {
	case csv.TooLong:
		rec.fail(longRecord, column, limit)
	case csv.OpenAtEnd:
		rec.fail(openAtEnd, column)
	case csv.OpenAtLimit:
		rec.fail(openAtLimit, column, limit)
	case csv.OpenAtQuote:
		rec.fail(openAtQuote, column)
	default:
		rec.fail(openInLine, column)
	}
}

// raw returns the record's bytes as in the file.
func (f *csvFile) raw(*Record) []byte {
	text := f.rec.Raw
	if f.inner != nil {
		text = f.source.Raw
	}
	f.rawText = f.enc.Encoding.AppendSource(f.rawText[:0], text)
	return f.rawText
}

// skip returns why the record is not part of the table, "" if it is.
func (f *csvFile) skip() SkipReason {
	switch {
	case f.isBlank():
		return SkipBlank
	case f.no <= f.layout.preamble:
		return SkipAbove
	case f.rec.Offset >= f.layout.footer && f.rec.Offset < f.layout.other:
		return SkipBelow
	}
	return ""
}

// isAmongRows reports whether the record stands among the table's rows and is none.
func (f *csvFile) isAmongRows(rec *Record) bool {
	first := f.layout.preamble + int64(f.layout.header) + 1
	inside := f.no >= first && f.rec.Offset < f.layout.other
	if f.no == first && table.IsCarried(rec.Cells) { // what an account held before
		return false
	}
	return inside && len(rec.Errors) == 0 && f.layout.filter.Drops(rec.Cells)
}

// isBlank reports whether the record is an empty line, or consists of spaces and delimiters, or is the mark with which DOS ended texts. A
// quoted empty cell is not blank, but for one alone in a table of more columns, and two or more where each record begins with a quote.
func (f *csvFile) isBlank() bool {
	raw := f.rec.Raw
	if len(raw) == 1 && raw[0] == '\x1a' {
		return true
	}
	quoted := f.layout.quotedBlanks && f.rec.Width > 1 || f.rec.Width == 1 && f.layout.columns > 1
	if quoted && len(raw) > 0 && raw[0] == f.config.Quote && f.rec.Fault == csv.NoFault {
		return !slices.ContainsFunc(f.rec.Fields, func(c csv.Field) bool { return !f.isHollow(c) })
	}
	if len(raw) > 0 && raw[0] < utf8.RuneSelf && strings.IndexByte(f.blanks, raw[0]) < 0 {
		return false
	}
	return f.rec.Fault == csv.NoFault && len(bytes.Trim(raw, f.blanks)) == 0
}
