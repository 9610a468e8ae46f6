package sheet

import (
	"bytes"
	"context"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/readahead"
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
	blanks     string // the characters that blank records consist of
	repairs    bool   // a record may have another delimiter, because nobody said which, or because the options say so
	in         *readahead.Reader
	scanner    *csv.Scanner
	rec        *csv.Record
	no         int64
	text       []byte // memory for cells that are not a substring of the record
	source     []byte // memory for raw
	given      bool
	warned     warnings // about cells
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
	start := skipBOM(&samples[0], enc.Encoding)
	found, err := decideDialect(samples, enc.Encoding, opt)
	if err != nil {
		return nil, err
	}
	if err := f.useDialect(found, samples, lim); err != nil {
		return nil, err
	}
	f.config.Cut = cut
	f.in = readahead.New(ctx, src, src.Size(), start, blockSize)
	f.start, f.config.Offset = start, start
	f.scanner = csv.NewScanner(enc.reader(ctx, src, start, f.in), f.config)
	return f, nil
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
		number:     1,
		visible:    true,
		dialect:    f.dialect,
		candidates: f.candidates,
		columns:    f.layout.columns,
		uniform:    f.layout.uniform,
		unlabelled: f.layout.unlabelled,
		rowNames:   f.layout.rowNames,
		part:       f.config.Cut,
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
	if f.repairs {
		f.scanner.Repair(f.layout.columns)
	}
	f.rec = r
	f.no++
	rec.No, rec.Line, rec.Offset = f.no, r.Line, r.Offset
	if r.Fault != csv.NoFault {
		f.fail(rec)
	}
	f.dropTrailing()
	f.readCells(rec)
	skip := f.skip()
	other := skip == "" && r.Offset >= f.layout.other
	if other {
		rec.fail(otherTable, 0)
	}
	return shape{skip: skip, broken: other || r.Fault != csv.NoFault, size: len(r.Raw) + len(f.text), width: r.Width, values: r.Width}, nil
}

// dropTrailing removes the empty cells that belong to no column.
func (f *csvFile) dropTrailing() {
	r, n := f.rec, f.layout.trailing
	if n == 0 || r.Width != f.layout.columns+n || len(r.Fields) != r.Width || r.Fault != csv.NoFault {
		return
	}
	for _, field := range r.Fields[f.layout.columns:] {
		if field.Start != field.End {
			return
		}
	}
	if last := r.Fields[r.Width-1]; n == 1 && int(last.End) < len(r.Raw) { // quoted
		return
	}
	r.Width -= n
	r.Fields = r.Fields[:r.Width]
}

// readCells decodes the record's cells, with an error for each that is not valid in the encoding. Such a cell is nil.
func (f *csvFile) readCells(rec *Record) {
	r := f.rec
	direct := f.enc.Encoding.Direct(r.Raw)
	cells := rec.Cells
	f.text = f.text[:0]
	for i, field := range r.Fields {
		cell := r.Raw[field.Start:field.End:field.End]
		if !direct && !charset.IsASCII(cell) {
			f.doubt(i + 1)
			cell = f.decode(rec, i, cell)
		}
		if field.Escaped && cell != nil {
			start := len(f.text)
			f.text = f.scanner.AppendText(f.text, cell)
			cell = f.text[start:len(f.text):len(f.text)]
		}
		cells = append(cells, f.unwrap(i+1, cell))
	}
	rec.Cells = cells
	if r.NUL {
		refuseNUL(rec)
	}
}

// unwrap returns the text of a formula that is nothing but one: spreadsheets are made to show 00123 as it is by ="00123".
func (f *csvFile) unwrap(column int, cell []byte) []byte {
	n := len(cell)
	if n < len(`=""`) || cell[0] != '=' || cell[1] != '"' || cell[n-1] != '"' || bytes.IndexByte(cell[2:n-1], '"') >= 0 {
		return cell
	}
	f.warned.add(TextFormula, f.no, column)
	return cell[2 : n-1 : n-1]
}

// decode returns the text of cell i.
func (f *csvFile) decode(rec *Record, i int, cell []byte) []byte {
	start := len(f.text)
	text, bad := f.enc.Encoding.AppendText(f.text, cell)
	f.text = text
	if bad < 0 {
		return text[start:len(text):len(text)]
	}
	at := f.rec.Offset + f.enc.Encoding.Width(f.rec.Raw[:int(f.rec.Fields[i].Start)+bad])
	rec.fail(noText, i+1, f.enc.Encoding.Name(), at)
	return nil
}

func refuseNUL(rec *Record) {
	for i, cell := range rec.Cells {
		if bytes.IndexByte(cell, 0) >= 0 {
			rec.fail(hasNUL, i+1)
		}
	}
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
	f.source = f.enc.Encoding.AppendSource(f.source[:0], f.rec.Raw)
	return f.source
}

// skip returns why the record is not part of the table, "" if it is.
func (f *csvFile) skip() SkipReason {
	switch {
	case f.isBlank():
		return SkipBlank
	case f.no <= f.layout.preamble:
		return SkipAbove
	case f.rec.Offset >= f.layout.footer:
		return SkipBelow
	}
	return ""
}

// isBlank reports whether the record is an empty line, or consists of spaces and delimiters. A quoted empty cell is not
// blank.
func (f *csvFile) isBlank() bool {
	return f.rec.Fault == csv.NoFault && len(bytes.Trim(f.rec.Raw, f.blanks)) == 0
}
