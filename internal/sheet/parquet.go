package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/parquet"
)

// parquetFile is a Parquet file as a workbook with one sheet, which has no header: the file says how its columns are named.
type parquetFile struct {
	ctx    context.Context
	src    *watchedSource
	file   *parquet.File
	given  bool
	source []byte // memory for raw
}

// isParquet reports whether the file is Parquet, by its first bytes, and where they may be those of a text by its last ones.
func isParquet(src Source, head []byte) (bool, error) {
	if bytes.HasPrefix(head, []byte(parquet.Signature+"\x15")) {
		return true, nil
	}
	for _, signature := range []string{parquet.Signature, parquet.EncryptedSignature} {
		if n := int64(len(signature)); bytes.HasPrefix(head, []byte(signature)) && src.Size() >= 2*n {
			end := make([]byte, n)
			if _, err := src.ReadAt(end, src.Size()-n); err != nil && !errors.Is(err, io.EOF) {
				return false, fmt.Errorf("read the file: %w", err)
			}
			return string(end) == signature, nil
		}
	}
	return false, nil
}

// parquet opens a Parquet file.
func (o opening) parquet(ctx context.Context, src Source) (workbook, error) {
	if o.options.Sheet != "" && o.options.Sheet != "1" {
		return nil, oneTable.refuse(o.options.Sheet)
	}
	watched := &watchedSource{ctx: ctx, src: src}
	file, err := parquet.Open(watched, src.Size(), parquet.Config{
		Columns: o.limits.Columns, RowBytes: gridLimits(o.limits).RowBytes, TextBytes: o.limits.OutputBytes + outputFactor*src.Size(),
		UnzippedBytes: o.limits.UnzippedBytes, UnzipRatio: o.limits.UnzipRatio,
	})
	if err != nil {
		return nil, watched.orFault(err)
	}
	return &parquetFile{ctx: ctx, src: watched, file: file}, nil
}

func (f *parquetFile) nextSheet() (*sheetInfo, records, error) {
	if f.given {
		return nil, nil, io.EOF
	}
	f.given = true
	info := &sheetInfo{number: 1, visible: true}
	for _, name := range f.file.Columns() {
		info.names = append(info.names, storable(name))
	}
	if len(info.names) == 0 {
		return nil, nil, noColumns.refuse()
	}
	return info, f, nil
}

func (f *parquetFile) format() string { return formatParquet }

func (f *parquetFile) encoding() (name string, confidence float64) { return "", 0 }

// found has nothing to add: the file says by itself how it is read.
func (f *parquetFile) found(sheetInfo, *Options) {}

func (f *parquetFile) cut() bool { return false }

func (f *parquetFile) settle() error { return nil }

func (f *parquetFile) textSize() int64 { return 0 }

func (f *parquetFile) close() error { return f.file.Close() }

func (f *parquetFile) warnings() []Warning { return nil }

// raw returns the row's texts with tabs between the columns.
func (f *parquetFile) raw(rec *Record) []byte {
	f.source = append(f.source[:0], bytes.Join(rec.Cells, []byte("\t"))...)
	return f.source
}

func (f *parquetFile) nextRecord(rec *Record) (shape, error) {
	if err := f.ctx.Err(); err != nil {
		return shape{}, fmt.Errorf("read the file: %w", err)
	}
	row, err := f.file.Next()
	if err != nil {
		return shape{}, fileFault(f.src.orFault(err))
	}
	rec.No, rec.Offset = row.No, -1
	rec.Cells = append(rec.Cells, row.Cells...)
	size := 0
	for i, cell := range row.Cells {
		if size += len(cell); !utf8.Valid(cell) && !row.Cut {
			rec.fail(rowFaults[grid.InvalidEncoding], i+1)
		}
	}
	refuseNUL(rec)
	if row.Cut {
		rec.fail(rowFaults[grid.RecordTooLong], 0)
	}
	return shape{broken: row.Cut, size: size, width: len(row.Cells), values: len(row.Cells)}, nil
}
