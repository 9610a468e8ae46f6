package main

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// record writes rows as one record of a table in PostgreSQL's binary COPY format, as internal/postgres does.
type record struct {
	data  []byte
	sheet int
}

const (
	textOID, bigintOID = 25, 20
	copyHeader         = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	copyTrailer        = "\xff\xff"
)

func (r *record) fields(n int)  { r.data = binary.BigEndian.AppendUint16(r.data, uint16(n)) }
func (r *record) length(n int)  { r.data = binary.BigEndian.AppendUint32(r.data, uint32(n)) }
func (r *record) int8(v int)    { r.length(8); r.data = binary.BigEndian.AppendUint64(r.data, uint64(v)) }
func (r *record) int4(v int)    { r.length(4); r.length(v) }
func (r *record) text(v []byte) { r.length(len(v)); r.data = append(r.data, v...) }

// array writes an array of one dimension, whose elements add writes.
func (r *record) array(element, n int, add func(i int)) {
	start := len(r.data)
	r.length(0)
	for _, v := range []int{1, 0, element, n, 1} { // dimensions, nulls, type, length, lower bound
		r.length(v)
	}
	for i := range n {
		add(i)
	}
	binary.BigEndian.PutUint32(r.data[start:], uint32(len(r.data)-start-4))
}

// piece is some rows after one another: the number of the first, and their cells, row by row.
type piece struct {
	first int
	cells [][]byte
}

func (p piece) rows() int { return len(p.cells) / columns }

// turned returns the cells column by column.
func (p piece) turned(i int) []byte { return p.cells[i%p.rows()*columns+i/p.rows()] }

func encodeRow(r *record, p piece) {
	r.fields(4)
	r.int8(r.sheet)
	r.int8(p.first)
	r.int8(p.first + 1)
	r.array(textOID, columns, func(i int) { r.text(p.cells[i]) })
}

func encodeNarrowRow(r *record, p piece) {
	r.fields(4)
	r.int4(r.sheet)
	r.int4(p.first)
	r.int4(p.first + 1)
	r.array(textOID, columns, func(i int) { r.text(p.cells[i]) })
}

// encodeJoinedRow puts all cells into one text, with a character between that cells would have to do without.
func encodeJoinedRow(r *record, p piece) {
	r.fields(4)
	r.int8(r.sheet)
	r.int8(p.first)
	r.int8(p.first + 1)
	r.text(bytes.Join(p.cells, []byte{'\x1f'}))
}

func encodeTableRow(r *record, p piece) {
	r.fields(2 + columns)
	r.int8(p.first)
	r.int8(p.first + 1)
	for _, cell := range p.cells {
		r.text(cell)
	}
}

// blockHead writes what all blocks begin with: sheet, first row, and the numbers and lines of the rows.
func blockHead(r *record, p piece) {
	r.fields(5)
	r.int8(r.sheet)
	r.int8(p.first)
	for plus := range 2 {
		r.array(bigintOID, p.rows(), func(i int) { r.int8(p.first + i + plus) })
	}
}

func encodeTextBlock(r *record, p piece) {
	blockHead(r, p)
	r.array(textOID, len(p.cells), func(i int) { r.text(p.turned(i)) })
}

func encodeJSONBlock(r *record, p piece) {
	blockHead(r, p)
	start := len(r.data)
	r.length(0)
	r.data = append(r.data, 1, '[') // the version of jsonb's form
	for row := range p.rows() {
		if row > 0 {
			r.data = append(r.data, ',')
		}
		for i, cell := range p.cells[row*columns : (row+1)*columns] {
			r.data = append(r.data, "[,"[min(i, 1)])
			r.data = fmt.Appendf(r.data, "%q", cell) // no cell has a letter that Go and JSON quote in other ways
		}
		r.data = append(r.data, ']')
	}
	r.data = append(r.data, ']')
	binary.BigEndian.PutUint32(r.data[start:], uint32(len(r.data)-start-4))
}

var compressor, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))

func encodeCompressedBlock(r *record, p piece) {
	blockHead(r, p)
	var plain record
	for _, cell := range p.cells {
		plain.text(cell)
	}
	r.text(compressor.EncodeAll(plain.data, nil))
}
