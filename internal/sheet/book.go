package sheet

import (
	"context"
	"errors"
	"io"
)

// Book is a file that is read sheet by sheet. It is not safe for concurrent use.
type Book struct {
	ctx            context.Context // must live until Close
	workbook       workbook
	sheet          *Sheet // the current one
	explicitHeader bool   // the options set the number of header rows
	limits         Limits
	tally          *tally
	declared       declared
	check          RowCheck // nil: none
}

// workbook is what a file format implements to be read as a Book.
type workbook interface {
	// nextSheet returns the next sheet and its records, io.EOF after the last one.
	nextSheet() (*sheetInfo, records, error)
	format() string
	encoding() (name string, confidence float64)
	settle() error   // determines the encoding
	textSize() int64 // bytes; 0 if there is no text
	close() error
}

// records iterates over a sheet's records as they are in the file.
type records interface {
	// nextRecord fills in rec's position and cells, and errors if the record itself cannot be read; it returns io.EOF
	// at the end.
	nextRecord(rec *Record) (shape, error)
	// raw returns the bytes of rec, which must be the last record.
	raw(rec *Record) []byte
	warnings() []Warning
}

// shape describes a record besides its cells.
type shape struct {
	skip   bool // it is blank, or not part of the table
	broken bool // its cells cannot be separated
	size   int  // the record's bytes and, for text, those of its cells before decoding: at least as many as their decoded text
	width  int  // number of cells, of which rec.Cells holds the first Limits.Columns
	values int  // number of cells that exist in the file
}

type sheetInfo struct {
	number     int
	name       string
	visible    bool
	leftOut    bool // its records are not read
	dialect    Dialect
	candidates []Candidate
	columns    int  // number of columns if there is no header; 0 if the first record decides
	rowNames   bool // the header lacks the first column's cell
	grid       bool // cells have positions: a missing cell is empty, and the sheet may be empty
}

// Open determines what the file is and prepares reading it. It returns a *Refusal if the file is at fault, otherwise
// the error of src or ctx. ctx must live until Close.
func Open(ctx context.Context, src Source, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, nil, opt, lim, blockBytes)
}

// Decrypt returns the package inside an encrypted workbook, or false if its password does not open it. Package decrypt
// provides one.
type Decrypt func(file []byte) (plain []byte, ok bool)

// OpenEncrypted is like Open for a workbook that may be encrypted. The password is not one of the Options, because
// those are stored.
func OpenEncrypted(ctx context.Context, src Source, decrypt Decrypt, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, decrypt, opt, lim, blockBytes)
}

// open lets the caller choose the block size.
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
	b := &Book{
		ctx:            ctx,
		explicitHeader: opt.Header != nil,
		limits:         lim,
		tally:          newTally(rules.policy, lim, src.Size()),
		declared:       rules.declared,
	}
	o := opening{opt, decrypt, lim, blockSize}
	if b.workbook, err = o.workbook(ctx, src, head); err != nil {
		return nil, fileFault(err)
	}
	return b, nil
}

// opening has what is needed to open a file.
type opening struct {
	options   Options
	decrypt   Decrypt
	limits    Limits
	blockSize int
}

// workbook chooses the format by the file's first bytes. An archive that is not a workbook may hold a text.
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

// text opens a file that may be a table as text.
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

// Format returns "csv" or "xlsx"; for an archive, the format of the text in it.
func (b *Book) Format() string { return b.workbook.format() }

// Encoding returns the text encoding's name, "" for a workbook. It is certain only once everything has been read: a
// large file whose samples are ASCII counts as utf-8 until its first other character is read. A caller that cannot wait
// calls SettleEncoding.
func (b *Book) Encoding() string {
	name, _ := b.workbook.encoding()
	return name
}

// EncodingConfidence returns how certain Encoding is, from 0.5, a guess, to 1; 0 for a workbook.
func (b *Book) EncodingConfidence() float64 {
	_, confidence := b.workbook.encoding()
	return confidence
}

// TextSize returns the size in bytes of the text in which Record.Offset counts: the file, or what was in the archive; 0
// for a workbook.
func (b *Book) TextSize() int64 { return b.workbook.textSize() }

// SettleEncoding makes Encoding certain before anything is read, by scanning the file up to its first character beyond
// ASCII. It is for callers that show the encoding first and have the file on disk. The error is that of the Source or
// the context.
func (b *Book) SettleEncoding() error { return b.workbook.settle() }

// Next returns the next sheet in workbook order, including those that are left out, and io.EOF after the last one. It
// ends the previous sheet. It returns a *Refusal if the file has more rejects than allowed.
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
	b.sheet = &Sheet{
		sheetInfo:      *info,
		ctx:            b.ctx,
		records:        records,
		explicitHeader: b.explicitHeader,
		limits:         b.limits,
		tally:          b.tally,
		declared:       b.declared,
		check:          b.check,
	}
	if info.leftOut {
		b.sheet.err = io.EOF
	}
	return b.sheet, nil
}

// Close ends reading and removes temporary files.
func (b *Book) Close() error { return b.workbook.close() }
