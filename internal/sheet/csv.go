package sheet

import (
	"bytes"
	"context"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
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
	repairs    bool   // nobody said the delimiter, so a record may have another one
	in         *readAhead
	scanner    *csv.Scanner
	rec        *csv.Record
	no         int64
	text       []byte // memory for cells that are not a substring of the record
	source     []byte // memory for raw
	given      bool
}

func openCSV(ctx context.Context, src Source, samples []sample, opt Options, lim Limits, blockSize int) (*csvFile, error) {
	enc, err := decideEncoding(ctx, src, samples, opt)
	if err != nil {
		return nil, err
	}
	if enc.Encoding != charset.UTF16LE && enc.Encoding != charset.UTF16BE {
		if err := refuseBinary(samples[0].Bytes); err != nil {
			return nil, err
		}
	}
	f := &csvFile{ctx: ctx, src: src, enc: enc, repairs: opt.Delimiter == ""}
	start := skipBOM(&samples[0], enc.Encoding)
	found, err := decideDialect(samples, enc.Encoding, opt)
	if err != nil {
		return nil, err
	}
	if err := f.useDialect(found, samples, lim); err != nil {
		return nil, err
	}
	f.in = newReadAhead(ctx, src, start, blockSize)
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
	return &sheetInfo{number: 1, visible: true, dialect: f.dialect, candidates: f.candidates, columns: f.layout.columns, rowNames: f.layout.rowNames}, f, nil
}

func (f *csvFile) format() string { return formatCSV }

func (f *csvFile) encoding() (name string, confidence float64) {
	return f.enc.Encoding.Name(), f.enc.Confidence
}

func (f *csvFile) textSize() int64 { return f.src.Size() }

func (f *csvFile) settle() error { return f.enc.settle(f.ctx, f.src, f.start) }

func (f *csvFile) close() error {
	f.in.close()
	return nil
}
