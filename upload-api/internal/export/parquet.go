package export

import (
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"
)

// The size of what a Parquet file is made of. A row group is held in memory, compressed, until it is written.
const (
	groupBytes  = 16 << 20 // of values, before compression
	groupRows   = 1 << 17
	bufferBytes = 8 << 20 // of pages that are being made, of all columns
	leastPage   = 512     // bytes, where there are many columns
	// maxParquetColumns bounds the memory of a file that is written: the library holds some 36 KiB for each column
	maxParquetColumns = 2000
)

// parquetWriter writes a list as a Parquet file whose columns have the narrowest types that hold all of their values. So it surveys the
// whole list first.
type parquetWriter[T any] struct {
	table  table[T]
	fits   []columnFit
	file   *parquet.GenericWriter[any]
	row    parquet.Row
	rows   []parquet.Row
	queued int // rows of the current group
	size   int // bytes of them
}

func newParquetWriter[T any](t table[T]) *parquetWriter[T] {
	w := &parquetWriter[T]{table: t, fits: make([]columnFit, len(t.columns)), rows: make([]parquet.Row, 1)}
	for i, c := range t.columns {
		w.fits[i].kind = c.Type
	}
	return w
}

func (w *parquetWriter[T]) inspectsAll() bool { return true }

func (w *parquetWriter[T]) inspect(item T) {
	_ = w.table.records(item, func(part T) error {
		for i, v := range w.table.values(part) {
			w.fits[i].see(v)
		}
		return nil
	})
}

func (w *parquetWriter[T]) settle() error {
	for i, c := range w.table.columns {
		w.fits[i].choose(c)
	}
	return checkWidth(len(w.table.columns), maxParquetColumns)
}

func (w *parquetWriter[T]) to(out io.Writer) {
	fields := make([]parquet.Field, len(w.fits))
	for i, c := range w.table.columns {
		fields[i] = parquetField{parquet.Optional(parquet.Compressed(w.fits[i].node, &snappy.Codec{})), c.name}
	}
	pageBytes := max(leastPage, min(parquet.DefaultPageBufferSize, bufferBytes/max(1, len(fields))))
	w.file = parquet.NewGenericWriter[any](out, parquet.NewSchema("sheet", parquetColumns{fields: fields}), parquet.PageBufferSize(pageBytes),
		parquet.WriteBufferSize(writeBuffer), parquet.CreatedBy("sheetdrop", "", ""))
}

func (w *parquetWriter[T]) begin() {}

func (w *parquetWriter[T]) item(item T) error { return w.table.records(item, w.record) }

func (w *parquetWriter[T]) record(record T) error {
	w.row = w.row[:0]
	for i, v := range w.table.values(record) {
		cell, err := w.fits[i].value(v)
		if err != nil {
			return err // what the inspection did not see
		}
		level := 1
		if cell.IsNull() {
			level = 0
		}
		w.row = append(w.row, cell.Level(0, level, i))
		w.size += len(v.text) + 16
	}
	w.rows[0] = w.row
	if _, err := w.file.WriteRows(w.rows); err != nil {
		return err
	}
	w.queued++
	if w.size < groupBytes && w.queued < groupRows {
		return nil
	}
	w.queued, w.size = 0, 0
	return w.file.Flush()
}

func (w *parquetWriter[T]) end(string) {}

// Flush does nothing: a row group goes out when it is full, and not with each page.
func (w *parquetWriter[T]) Flush() error { return nil }

func (w *parquetWriter[T]) finish() error { return w.file.Close() }

// parquetColumns is a group whose fields stand in the sheet's order, and not in that of their names.
type parquetColumns struct {
	parquet.Group
	fields []parquet.Field
}

func (c parquetColumns) Fields() []parquet.Field { return c.fields }

// GoType is that of no struct: rows are written as values, and a struct could not have any name as a field's.
func (c parquetColumns) GoType() reflect.Type { return reflect.TypeFor[struct{}]() }

type parquetField struct {
	parquet.Node
	name string
}

func (f parquetField) Name() string { return f.name }

// Value is never called: it is for rows that are structs.
func (f parquetField) Value(base reflect.Value) reflect.Value { return base }
