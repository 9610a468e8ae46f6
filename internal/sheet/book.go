package sheet

import (
	"context"
	"errors"
	"io"
)

// Book is a file that is being read, sheet by sheet. It is for one goroutine.
type Book struct {
	ctx            context.Context // holds until Close
	workbook       workbook
	sheet          *Sheet // the one at hand
	explicitHeader bool   // the options say how many rows the header has
	limits         Limits
	tally          *tally
	declared       declared
}

// workbook is what a format must do to be read as a Book.
type workbook interface {
	// nextSheet returns the next sheet and its records, io.EOF after the last one.
	nextSheet() (*sheetInfo, records, error)
	format() string
	encoding() (name string, confidence float64)
	settle() error   // makes the encoding certain
	textSize() int64 // bytes; 0 where there is no text
	close() error
}

// records are a sheet's records, as they stand in the file.
type records interface {
	// nextRecord fills in rec's place and cells, and errors where the record itself cannot be read; io.EOF at the end.
	nextRecord(rec *Record) (shape, error)
	// raw gives the bytes of rec, the last record.
	raw(rec *Record) []byte
	warnings() []Warning
}

// shape is a record's outer form.
type shape struct {
	skip   bool // it is blank, or no part of the table
	broken bool // its cells cannot be told apart
	size   int  // bytes that it takes and, of a text, those that its cells took to be converted: no less than their text has
	width  int  // how many cells it has, of which rec.Cells holds the first Limits.Columns
	values int  // how many of them the file has
}

type sheetInfo struct {
	number     int
	name       string
	visible    bool
	leftOut    bool // its records are not read
	dialect    Dialect
	candidates []Candidate
	columns    int  // how many there are where no header tells; 0 where the first record does
	rowNames   bool // the header lacks the first column's cell
	grid       bool // cells have their places: one that is missing is empty, and the sheet may be empty too
}

// Open decides what the file is and makes it ready to be read. It returns a *Refusal where the file is at fault, else the error of src or
// ctx, which holds until Close.
func Open(ctx context.Context, src Source, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, nil, opt, lim, blockBytes)
}

// Decrypt returns the package within an encrypted workbook, and false where its password does not open it. Package decrypt has one.
type Decrypt func(file []byte) (plain []byte, ok bool)

// OpenEncrypted is Open for a workbook that may be encrypted. The password is no option, for these are stored.
func OpenEncrypted(ctx context.Context, src Source, decrypt Decrypt, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, decrypt, opt, lim, blockBytes)
}

// open reads in blocks of a size of the caller's choice.
func open(ctx context.Context, src Source, decrypt Decrypt, opt Options, lim Limits, blockSize int) (*Book, error) {
	if src.Size() == 0 {
		return nil, noBytes.refuse()
	}
	src, head, err := takeHead(ctx, src)
	if err != nil {
		return nil, err
	}
	rules, err := opt.compile()
	if err != nil {
		return nil, err
	}
	b := &Book{ctx: ctx, explicitHeader: opt.Header != nil, limits: lim, tally: newTally(rules.policy, lim, src.Size()), declared: rules.declared}
	o := opening{opt, decrypt, lim, blockSize}
	if b.workbook, err = o.workbook(ctx, src, head); err != nil {
		return nil, fileFault(err)
	}
	return b, nil
}

// opening is how a file is to be opened.
type opening struct {
	options   Options
	decrypt   Decrypt
	limits    Limits
	blockSize int
}

// workbook goes by the file's first bytes. What is an archive and no workbook may hold a text.
func (o opening) workbook(ctx context.Context, src Source, head sample) (workbook, error) {
	if isPackage(head.Bytes) {
		file, err := o.xlsx(ctx, src)
		if err == nil || !isArchive(err) {
			return file, err
		}
		text, err := unpackZip(ctx, src, o.limits)
		if err != nil {
			return nil, err
		}
		return o.packed(ctx, text, "a zip archive")
	}
	if isGzip(head.Bytes) {
		text, err := unpackGzip(ctx, src, o.limits)
		if err != nil {
			return nil, err
		}
		return o.packed(ctx, text, "a gzip archive")
	}
	if name := recognise(head.Bytes); name != "" {
		return nil, unsupported(name)
	}
	return o.text(ctx, src, head)
}

// text opens what may be a table as text.
func (o opening) text(ctx context.Context, src Source, head sample) (*csvFile, error) {
	if o.options.Sheet != "" && o.options.Sheet != "1" {
		return nil, noWorkbook.refuse(o.options.Sheet)
	}
	samples, err := takeSamples(ctx, src, head)
	if err != nil {
		return nil, err
	}
	return openCSV(ctx, src, samples, o.options, o.limits, o.blockSize)
}

// Format is "csv" or "xlsx"; an archive has that of the text in it.
func (b *Book) Format() string { return b.workbook.format() }

// Encoding is the text encoding's name, "" for a workbook. It is certain once all is read: a large file whose samples are ASCII counts
// as utf-8 until its first other character is met; SettleEncoding is for who cannot wait.
func (b *Book) Encoding() string {
	name, _ := b.workbook.encoding()
	return name
}

// EncodingConfidence tells from 0.5, for a guess, to 1 how sure Encoding is; 0 for a workbook.
func (b *Book) EncodingConfidence() float64 {
	_, confidence := b.workbook.encoding()
	return confidence
}

// TextSize is the size in bytes of the text in which Record.Offset counts: the file, or what was in the archive; 0 for a workbook.
func (b *Book) TextSize() int64 { return b.workbook.textSize() }

// SettleEncoding makes Encoding certain before anything is read, which costs looking through the file up to its first character beyond
// ASCII: for who says the encoding first and has the file at hand. The error is the Source's or the context's.
func (b *Book) SettleEncoding() error { return b.workbook.settle() }

// Next returns the next sheet in the workbook's order, those that are left out included, and io.EOF after the last one. The sheet before is
// done with. A *Refusal says that the file turned out to have more rejects than it may.
func (b *Book) Next() (*Sheet, error) {
	if b.sheet != nil {
		if refusal, ok := errors.AsType[*Refusal](b.sheet.err); ok {
			return nil, refusal
		}
		b.sheet.err = io.EOF
	}
	info, records, err := b.workbook.nextSheet()
	if errors.Is(err, io.EOF) {
		if refusal := b.tally.end(); refusal != nil {
			return nil, refusal
		}
	}
	if err != nil {
		return nil, err
	}
	b.sheet = &Sheet{sheetInfo: *info, ctx: b.ctx, records: records, explicitHeader: b.explicitHeader, limits: b.limits, tally: b.tally, declared: b.declared}
	if info.leftOut {
		b.sheet.err = io.EOF
	}
	return b.sheet, nil
}

// Close ends the reading and removes what it left on disk.
func (b *Book) Close() error { return b.workbook.close() }
