package sheet

import (
	"bytes"
	"context"
	"errors"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/jsonrows"
	"sheetdrop/internal/sheet/readahead"
)

// jsonFile is a text of JSON objects as a workbook with one sheet.
type jsonFile struct {
	src    beginning
	in     *readahead.Reader
	reader *jsonrows.Reader
	names  []string
	rec    *jsonrows.Record
	no     int64
	given  bool
}

// json opens a text of JSON objects, which is UTF-8 (RFC 8259).
func (o opening) json(ctx context.Context, src beginning, head sample) (*jsonFile, error) {
	if err := o.checkOneSheet(); err != nil {
		return nil, err
	}
	for _, enc := range []charset.Encoding{charset.UTF16LE, charset.UTF16BE} {
		if bytes.HasPrefix(head.Bytes, enc.BOM()) {
			return nil, fileFault(grid.Unsupported("JSON in UTF-16", "UTF-16のJSON", grid.Step{
				English: "Save it as UTF-8.", Japanese: "UTF-8で保存してください。",
			}))
		}
	}
	start := int64(0)
	if bytes.HasPrefix(head.Bytes, charset.UTF8.BOM()) {
		start = int64(len(charset.UTF8.BOM()))
	}
	f := &jsonFile{src: src, in: readahead.New(ctx, src, src.Size(), start, o.blockSize)}
	f.reader = jsonrows.NewReader(f.in, jsonrows.Config{
		Offset: start, RecordBytes: o.limits.RecordBytes, Columns: o.limits.Columns, Cut: src.cut,
	})
	names, err := f.reader.Columns()
	if err == nil && len(names) == 0 && !src.cut {
		err = noObjects.refuse()
	}
	if err == nil && len(names) > o.limits.Columns {
		err = wideHeader.refuse(len(names), o.limits.Columns)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	for _, name := range names {
		f.names = append(f.names, storable(name))
	}
	return f, nil
}

func (f *jsonFile) nextSheet() (*sheetInfo, records, error) {
	if f.given {
		return nil, nil, io.EOF
	}
	f.given = true
	return &sheetInfo{number: 1, visible: true, names: f.names, part: f.src.cut}, f, nil
}

func (f *jsonFile) format() string { return formatJSON }

func (f *jsonFile) encoding() (name string, confidence float64) { return charset.UTF8.Name(), 1 }

// found has nothing to add: JSON says by itself how it is read.
func (f *jsonFile) found(sheetInfo, *Options) {}

func (f *jsonFile) cut() bool { return f.src.cut }

func (f *jsonFile) settle() error { return nil }

func (f *jsonFile) textSize() int64 { return f.src.Size() }

func (f *jsonFile) close() error {
	f.in.Close()
	return nil
}

func (f *jsonFile) warnings() []Warning { return nil }

func (f *jsonFile) raw(*Record) []byte { return f.rec.Raw }

func (f *jsonFile) nextRecord(rec *Record) (shape, error) {
	r, err := f.reader.Next()
	if err != nil {
		return shape{}, err
	}
	f.rec = r
	f.no++
	rec.No, rec.Line, rec.Offset = f.no, r.Line, r.Offset
	rec.Cells = append(rec.Cells, r.Cells...)
	if r.Fault == jsonrows.Blank {
		return shape{skip: SkipBlank}, nil
	}
	f.fail(rec, r)
	refuseNUL(rec)
	size := len(r.Raw)
	for _, cell := range r.Cells {
		size = max(size, len(cell))
	}
	return shape{broken: r.Fault != jsonrows.NoFault, size: size, width: len(r.Cells), values: len(r.Cells)}, nil
}

// fail adds the reason why the record cannot be read.
func (f *jsonFile) fail(rec *Record, r *jsonrows.Record) {
	switch r.Fault {
	case jsonrows.NoFault, jsonrows.Blank:
	case jsonrows.NoObject:
		rec.fail(noObject, 0)
	case jsonrows.Unknown:
		rec.fail(unknownMember, 0, shortName(r.Name))
	case jsonrows.Twice:
		rec.fail(twoMembers, 0, shortName(r.Name))
	case jsonrows.Encoding:
		rec.fail(noText, 0, charset.UTF8.Name(), r.Offset+int64(r.At))
	case jsonrows.TooLong:
		rec.fail(longRecord, 0, f.reader.Limit())
	case jsonrows.Open:
		rec.fail(openValue, 0)
	case jsonrows.NoEnd:
		rec.fail(openArray, 0)
	case jsonrows.Behind:
		rec.fail(behindArray, 0)
	default:
		rec.fail(noJSON, 0)
	}
}

// checkOneSheet refuses a text of which another sheet than the first is asked for.
func (o opening) checkOneSheet() error {
	if o.options.Sheet != "" && o.options.Sheet != "1" {
		return noWorkbook.refuse(o.options.Sheet)
	}
	return nil
}

// setNames names the columns of a sheet whose records say themselves what their cells are.
func (s *Sheet) setNames() error {
	labels := make([]string, len(s.names))
	for i, name := range s.names {
		labels[i] = cutLabel(name)
	}
	if refusal := s.tally.addHeader(labels); refusal != nil {
		return refusal
	}
	if err := s.checkColumns(len(labels)); err != nil {
		return err
	}
	return s.setColumns(labels)
}
