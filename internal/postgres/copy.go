package postgres

import (
	"encoding/binary"
)

// Rows are written in PostgreSQL's binary COPY format by hand (its manual, page COPY, "Binary Format"): a signature, then for each row the
// number of fields and each field as its length and bytes, -1 for NULL. The driver's own encoder costs a dozen allocations a row.

var copySignature = append([]byte("PGCOPY\n\xff\r\n\x00"), 0, 0, 0, 0, 0, 0, 0, 0) // flags, length of the header's extension

const (
	copyTrailer = 0xffff // a field count of -1
	null        = 0xffffffff
	textOID     = 25
)

// copyBuffer collects rows of one table until they are sent.
type copyBuffer struct{ data []byte }

func (b *copyBuffer) row(fields uint16) {
	if len(b.data) == 0 {
		b.data = append(b.data, copySignature...)
	}
	b.data = binary.BigEndian.AppendUint16(b.data, fields)
}

func (b *copyBuffer) int64(v int64) {
	b.data = binary.BigEndian.AppendUint32(b.data, 8)
	b.data = binary.BigEndian.AppendUint64(b.data, uint64(v))
}

func (b *copyBuffer) int32(v int32) {
	b.data = binary.BigEndian.AppendUint32(b.data, 4)
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(v))
}

func (b *copyBuffer) null() { b.data = binary.BigEndian.AppendUint32(b.data, null) }

func (b *copyBuffer) bytes(v []byte) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(len(v)))
	b.data = append(b.data, v...)
}

func (b *copyBuffer) text(v string) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(len(v)))
	b.data = append(b.data, v...)
}

// texts writes a text[] of one dimension with lower bound 1; a nil element is NULL.
func (b *copyBuffer) texts(cells [][]byte) {
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
				b.null()
			} else {
				b.bytes(cell)
			}
		}
	}
	binary.BigEndian.PutUint32(b.data[start:], uint32(len(b.data)-start-4))
}

// end closes the stream of rows.
func (b *copyBuffer) end() { b.data = binary.BigEndian.AppendUint16(b.data, copyTrailer) }

func (b *copyBuffer) reset() { b.data = b.data[:0] }

func (b *copyBuffer) optional(v int64, there bool) {
	if there {
		b.int64(v)
	} else {
		b.null()
	}
}

func (b *copyBuffer) optionalInt32(v int, there bool) {
	if there {
		b.int32(int32(v))
	} else {
		b.null()
	}
}

// jsonb writes JSON, behind the version of the form.
func (b *copyBuffer) jsonb(text []byte) {
	b.data = binary.BigEndian.AppendUint32(b.data, uint32(1+len(text)))
	b.data = append(append(b.data, 1), text...)
}

func (b *copyBuffer) optionalText(v string) {
	if v == "" {
		b.null()
	} else {
		b.text(v)
	}
}
