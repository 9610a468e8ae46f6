package sheet

import (
	"context"
	"errors"
	"io"
)

// Book is a file that is read sheet by sheet. It is not safe for concurrent use.
type Book struct {
	ctx      context.Context // must live until Close
	workbook workbook
	sheet    *Sheet // the current one
	options  Options
	limits   Limits
	tally    *tally
	declared declared
	nulls    map[string]bool // words for no value, from the options
	check    RowCheck        // nil: none
	segments segmentation
}

// workbook is what a file format implements to be read as a Book.
type workbook interface {
	// nextSheet returns the next sheet and its records, io.EOF after the last one.
	nextSheet() (*sheetInfo, records, error)
	format() string
	encoding() (name string, confidence float64)
	found(info sheetInfo, o *Options)
	cut() bool       // it is the beginning of a text
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
	skip   SkipReason // "" if it is part of the table
	broken bool       // its cells cannot be separated
	size   int        // the record's bytes and, for text, those of its cells before decoding: at least as many as their decoded text
	width  int        // number of cells, of which rec.Cells holds the first Limits.Columns
	values int        // number of cells that exist in the file
}

type sheetInfo struct {
	number        int
	name          string
	visible       bool
	leftOut       bool // its records are not read
	noTable       bool // because it is a file of an archive that is no table
	prose         bool // it is a text of sentences in one column
	dialect       Dialect
	candidates    []Candidate
	columns       int      // number of columns if there is no header, or as the next two say; 0 if the first record decides
	uniform       bool     // an empty cell more in the header is none
	nameIsNoValue bool     // the name of the only column is none of its values
	marked        bool     // the header begins with the mark of a comment
	unlabelled    bool     // cells less in the header mean that the last columns have no names
	rowNames      bool     // the header lacks the first column's cell
	pad           bool     // short records lack cells at their end that others often leave empty
	part          bool     // the beginning of a text
	among         bool     // one of several files, which may be empty
	names         []string // of the columns, where no record is the header
	grid          bool     // cells have positions: a missing cell is empty, and the sheet may be empty
}

// blockBytes is how much of a file is read at once.
const blockBytes = 1 << 20

// Open determines what the file is and prepares reading it. It returns a *Refusal if the file is at fault, otherwise
// the error of src or ctx. ctx must live until Close.
func Open(ctx context.Context, src Source, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, opening{options: opt, limits: lim, blockSize: blockBytes})
}

// Decrypt returns the package inside an encrypted workbook, or false if its password does not open it. Package decrypt
// provides one.
type Decrypt func(file []byte) (plain []byte, ok bool)

// OpenEncrypted is like Open for a workbook that may be encrypted. The password is not one of the Options, because
// those are stored.
func OpenEncrypted(ctx context.Context, src Source, decrypt Decrypt, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, opening{options: opt, limits: lim, blockSize: blockBytes, decrypt: decrypt})
}

func open(ctx context.Context, src Source, o opening) (*Book, error) {
	if src.Size() == 0 {
		return nil, noBytes.refuse()
	}
	rules, err := o.options.compile()
	if err != nil {
		return nil, err
	}
	text, head, err := o.begin(ctx, src)
	if err != nil {
		return nil, err
	}
	if text.cut {
		rules.policy = policy{} // how many records are rejected is known of the whole alone
	}
	b := &Book{
		ctx:      ctx,
		options:  o.options,
		limits:   o.limits,
		tally:    newTally(rules.policy, o.limits, src.Size()),
		declared: rules.declared,
		nulls:    map[string]bool{},
		segments: o.segments,
	}
	for _, word := range o.options.Null {
		b.nulls[word] = true
	}
	if b.workbook, err = o.workbook(ctx, src, text, head); err != nil {
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
	part      Part
	inArchive bool   // the file came out of an archive
	among     bool   // it is one of several
	asked     string // the sheet of an archive of several files
	segments  segmentation
}

// workbook chooses the format by the file's first bytes. An archive that is not a workbook may hold files.
func (o opening) workbook(ctx context.Context, src Source, text beginning, head sample) (workbook, error) {
	if isZip(head.Bytes) || isOLE(head.Bytes) {
		if o.part.Cut {
			return nil, ErrPart
		}
		return o.archive(ctx, src, isOLE(head.Bytes))
	}
	if isGzip(head.Bytes) {
		unpacked, err := unpackGzip(ctx, src, o.limits, o.part)
		if err != nil {
			return nil, err
		}
		return o.packed(ctx, unpacked, "a gzip archive")
	}
	columnar, err := isParquet(src, head.Bytes)
	if err != nil {
		return nil, err
	}
	format, refused := recognise(head.Bytes)
	switch {
	case columnar && o.part.Cut:
		return nil, ErrPart
	case columnar:
		return o.parquet(ctx, src)
	case refused != nil:
		return nil, refused
	case format == formatJSON:
		return o.json(ctx, text, head)
	case format != "" && o.part.Cut:
		return nil, ErrPart
	case format != "":
		return o.document(ctx, format, src, text, head)
	}
	return o.text(ctx, text, head)
}

// text opens a file that may be a table as text.
func (o opening) text(ctx context.Context, src beginning, head sample) (workbook, error) {
	apart := o.options.Tables == allTables
	if !apart {
		if err := o.checkOneSheet(); err != nil {
			return nil, err
		}
	}
	head, err := withoutLongCells(ctx, src, head)
	if err != nil {
		return nil, err
	}
	samples, err := takeSamples(ctx, src, head)
	if err != nil {
		return nil, err
	}
	for i := range samples {
		samples[i].Tail = samples[i].Tail && !src.cut
	}
	opt := o.options
	if apart && opt.Sheet != "" && !o.asksFor(1) {
		opt = opt.ofOthers()
	}
	f, err := openCSV(ctx, src, samples, opt, o.limits, o.blockSize, src.cut)
	if err != nil {
		return nil, err
	}
	drawn, err := o.drawn(ctx, src, samples, f)
	if err != nil || drawn != workbook(f) {
		return drawn, err
	}
	if o.among && f.layout.columns <= 1 {
		text, err := samples[0].text(f.enc.Encoding)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.prose = isProse(text)
	}
	if !apart {
		return f, nil
	}
	return o.tables(src, f)
}

// Format returns csv, json, parquet, xlsx, xlsb, ods, xls, xml (Excel's of 2003) or html; for an archive, the format of the file in it, and
// zip for one of several.
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
		sheetInfo:    *info,
		ctx:          b.ctx,
		records:      records,
		noHeaderRule: b.options.Header != nil && !b.options.HeaderRule,
		limits:       b.limits,
		tally:        b.tally,
		declared:     b.declared,
		check:        b.check,
		nulls:        b.nulls,
		segments:     b.segments,
		padded:       b.options.Pad != nil && *b.options.Pad,
	}
	if info.leftOut {
		b.sheet.err = io.EOF
	}
	return b.sheet, nil
}

// Close ends reading and removes temporary files.
func (b *Book) Close() error { return b.workbook.close() }
