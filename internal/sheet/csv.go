package sheet

import (
	"bytes"
	"context"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
)

// csvFile is a text file as a workbook of one sheet.
type csvFile struct {
	src       Source
	enc       charset.Encoding
	tentative bool // enc is a guess, for all samples were ASCII
	dialect   Dialect
	in        *readAhead
	scanner   *csv.Scanner
	rec       *csv.Record
	no        int64
	text      []byte // the memory of cells that are not a piece of the record as it stands
	source    []byte // the memory of raw
	given     bool
}

func openCSV(ctx context.Context, src Source, samples []sample, opt Options, lim Limits, blockSize int) (*csvFile, error) {
	f := &csvFile{src: src}
	f.enc, f.tentative = decideEncoding(samples, opt)
	if f.enc == charset.UTF8 || f.enc == charset.CP932 {
		if err := refuseBinary(samples[0].Bytes); err != nil {
			return nil, err
		}
	}
	start := skipBOM(&samples[0], f.enc)
	f.dialect = decideDialect(samples, f.enc, opt, lim)
	f.in = newReadAhead(ctx, src, start, blockSize)
	f.scanner = csv.NewScanner(f.enc.Reader(f.in), csv.Config{
		Delimiter: f.dialect.Delimiter[0], RecordBytes: lim.RecordBytes, Fields: lim.Columns, Offset: start, Measure: f.enc.Width,
	})
	return f, nil
}

// decideEncoding goes by the option, then by a byte order mark, then by the samples.
func decideEncoding(samples []sample, opt Options) (enc charset.Encoding, tentative bool) {
	if enc, ok := charset.Lookup(opt.Encoding); ok {
		return enc, false
	}
	for _, enc := range []charset.Encoding{charset.UTF8, charset.UTF16LE, charset.UTF16BE} {
		if bytes.HasPrefix(samples[0].Bytes, enc.BOM()) {
			return enc, false
		}
	}
	pieces := make([]charset.Sample, len(samples))
	for i, s := range samples {
		pieces[i] = s.Sample
	}
	enc, found := charset.Detect(pieces...)
	return enc, !found
}

// skipBOM takes the byte order mark from the head and gives its length.
func skipBOM(head *sample, enc charset.Encoding) int64 {
	bom := enc.BOM()
	if len(bom) == 0 || !bytes.HasPrefix(head.Bytes, bom) {
		return 0
	}
	head.Bytes = head.Bytes[len(bom):]
	return int64(len(bom))
}

func (f *csvFile) nextSheet() (*sheetInfo, records, error) {
	if f.given {
		return nil, nil, io.EOF
	}
	f.given = true
	return &sheetInfo{number: 1, visible: true, dialect: f.dialect}, f, nil
}

func (f *csvFile) encoding() string { return f.enc.Name() }

func (f *csvFile) close() error {
	f.in.close()
	return nil
}
