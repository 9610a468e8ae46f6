// Package binarycopy writes rows in PostgreSQL's binary COPY format and sends them while the next ones are being made. The driver's own
// encoder costs a dozen allocations a row.
//
// The format is a signature, then for each row the number of fields and each field as its length and bytes, -1 for NULL, and a trailer.
// Source: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"
package binarycopy

import (
	"encoding/binary"
	"slices"
)

var signature = append([]byte("PGCOPY\n\xff\r\n\x00"), 0, 0, 0, 0, 0, 0, 0, 0) // flags, length of the header's extension

const (
	trailer    = 0xffff     // as the number of fields: -1
	nullLength = 0xffffffff // as the length of a field: -1
	textOID    = 25         // the type of the elements of a text[]
)

// Buffer collects rows of one table. Its zero value is empty and ready to use.
type Buffer struct{ data []byte }

// Len is the number of bytes of the rows so far.
func (b *Buffer) Len() int { return len(b.data) }

// Complete returns the rows as a whole COPY, and leaves the buffer as it is: nil where it is empty.
func (b *Buffer) Complete() []byte {
	if len(b.data) == 0 {
		return nil
	}
	return binary.BigEndian.AppendUint16(slices.Clip(b.data), trailer)
}

// Cut takes back what was added since the buffer was n bytes long.
func (b *Buffer) Cut(n int) { b.data = b.data[:n] }

// Row begins a row; its fields follow, in the order of the COPY's columns.
func (b *Buffer) Row(fields uint16) {
	if len(b.data) == 0 {
		b.data = append(b.data, signature...)
	}
	b.data = binary.BigEndian.AppendUint16(b.data, fields)
}

// Int64 adds a bigint.
func (b *Buffer) Int64(v int64) {
	b.data = binary.BigEndian.AppendUint32(b.data, 8)
	b.data = binary.BigEndian.AppendUint64(b.data, uint64(v))
}

// Int32 adds an int.
func (b *Buffer) Int32(v int32) {
	b.data = binary.BigEndian.AppendUint32(b.data, 4)
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(v))
}

// Bool adds a boolean.
func (b *Buffer) Bool(v bool) {
	b.data = binary.BigEndian.AppendUint32(b.data, 1)
	value := byte(0)
	if v {
		value = 1
	}
	b.data = append(b.data, value)
}

// Interval adds an interval of microseconds, without days or months.
func (b *Buffer) Interval(microseconds int64) {
	b.data = binary.BigEndian.AppendUint32(b.data, 16)
	b.data = binary.BigEndian.AppendUint64(b.data, uint64(microseconds))
	b.data = binary.BigEndian.AppendUint64(b.data, 0)
}

// Null adds NULL.
func (b *Buffer) Null() { b.data = binary.BigEndian.AppendUint32(b.data, nullLength) }

// Bytes adds a bytea, or what else goes as it is.
func (b *Buffer) Bytes(v []byte) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(len(v)))
	b.data = append(b.data, v...)
}

// Text adds a text.
func (b *Buffer) Text(v string) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(len(v)))
	b.data = append(b.data, v...)
}

// TextArray adds a text[] of one dimension with lower bound 1; a nil element is NULL.
func (b *Buffer) TextArray(cells [][]byte) {
	start := len(b.data)
	b.data = append(b.data, 0, 0, 0, 0) // the length, known at the end
	dimensions, hasNull := uint32(1), uint32(0)
	if len(cells) == 0 {
		dimensions = 0
	}
	for _, cell := range cells {
		if cell == nil {
			hasNull = 1
			break
		}
	}
	b.data = binary.BigEndian.AppendUint32(b.data, dimensions)
	b.data = binary.BigEndian.AppendUint32(b.data, hasNull)
	b.data = binary.BigEndian.AppendUint32(b.data, textOID)
	if dimensions == 1 {
		b.data = binary.BigEndian.AppendUint32(b.data, uint32(len(cells)))
		b.data = binary.BigEndian.AppendUint32(b.data, 1)
		for _, cell := range cells {
			if cell == nil {
				b.Null()
			} else {
				b.Bytes(cell)
			}
		}
	}
	binary.BigEndian.PutUint32(b.data[start:], uint32(len(b.data)-start-4))
}

// end closes the stream of rows.
func (b *Buffer) end() { b.data = binary.BigEndian.AppendUint16(b.data, trailer) }

func (b *Buffer) reset() { b.data = b.data[:0] }

// OptionalInt64 adds a bigint, or NULL.
func (b *Buffer) OptionalInt64(v int64, there bool) {
	if there {
		b.Int64(v)
	} else {
		b.Null()
	}
}

// OptionalInt32 adds an int, or NULL.
func (b *Buffer) OptionalInt32(v int, there bool) {
	if there {
		b.Int32(int32(v))
	} else {
		b.Null()
	}
}

// JSONB adds a jsonb, behind the version of its form.
func (b *Buffer) JSONB(text []byte) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(1+len(text)))
	b.data = append(append(b.data, 1), text...)
}

// OptionalText adds a text, or NULL for "".
func (b *Buffer) OptionalText(v string) {
	if v == "" {
		b.Null()
	} else {
		b.Text(v)
	}
}
