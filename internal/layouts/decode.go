package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
)

// The decoders take a page as a program has to: row numbers, lines and each cell by itself. They return how many rows came and the
// length of their cells.

func decodeRows(rows pgx.Rows) (n, bytes int, err error) {
	var (
		row, line int64
		cells     [][]byte
	)
	_, err = pgx.ForEachRow(rows, []any{&row, &line, &cells}, func() error {
		n++
		bytes += length(cells)
		return nil
	})
	return n, bytes, err
}

// decodeRowsByHand is decodeRows without the driver's way with arrays, which takes longer than the server does.
func decodeRowsByHand(rows pgx.Rows) (n, bytes int, err error) {
	defer rows.Close()
	var cells [][]byte
	for rows.Next() {
		cells = appendCells(cells[:0], rows.RawValues()[2])
		n++
		bytes += length(cells)
	}
	return n, bytes, rows.Err()
}

func decodeJoinedRows(rows pgx.Rows) (n, size int, err error) {
	defer rows.Close()
	for rows.Next() {
		n++
		for cell := range bytes.SplitSeq(rows.RawValues()[2], []byte{'\x1f'}) {
			size += len(cell)
		}
	}
	return n, size, rows.Err()
}

// appendCells appends the elements of a text[] of one dimension in PostgreSQL's binary format, as encode.go's array writes it.
func appendCells(cells [][]byte, array []byte) [][]byte {
	const head = 5 * 4
	for rest := array[head:]; len(rest) > 0; {
		size := int(int32(binary.BigEndian.Uint32(rest)))
		if rest = rest[4:]; size < 0 {
			cells = append(cells, nil)
			continue
		}
		cells = append(cells, rest[:size])
		rest = rest[size:]
	}
	return cells
}

func decodeColumns(rows pgx.Rows) (n, bytes int, err error) {
	var row, line int64
	cells := make([]string, columns)
	into := []any{&row, &line}
	for i := range cells {
		into = append(into, &cells[i])
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		n++
		for _, cell := range cells {
			bytes += len(cell)
		}
		return nil
	})
	return n, bytes, err
}

func decodeBlocks(rows pgx.Rows) (n, bytes int, err error) {
	var (
		numbers, lines []int64
		cells          [][]byte
	)
	_, err = pgx.ForEachRow(rows, []any{&numbers, &lines, &cells}, func() error {
		n += len(numbers)
		bytes += length(cells)
		return nil
	})
	return n, bytes, err
}

func decodeJSON(rows pgx.Rows) (n, bytes int, err error) {
	var (
		numbers, lines []int64
		text           []byte
	)
	_, err = pgx.ForEachRow(rows, []any{&numbers, &lines, &text}, func() error {
		var cells [][]string
		if err := json.Unmarshal(text, &cells); err != nil {
			return err
		}
		n += len(numbers)
		for _, row := range cells {
			for _, cell := range row {
				bytes += len(cell)
			}
		}
		return nil
	})
	return n, bytes, err
}

var decompressor, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))

func decodeCompressed(rows pgx.Rows) (n, bytes int, err error) {
	var (
		numbers, lines []int64
		packed, plain  []byte
	)
	_, err = pgx.ForEachRow(rows, []any{&numbers, &lines, &packed}, func() error {
		if plain, err = decompressor.DecodeAll(packed, plain[:0]); err != nil {
			return err
		}
		n += len(numbers)
		for text := plain; len(text) > 0; {
			size := binary.BigEndian.Uint32(text)
			bytes += int(size)
			text = text[4+size:]
		}
		return nil
	})
	return n, bytes, err
}

func length(cells [][]byte) (n int) {
	for _, cell := range cells {
		n += len(cell)
	}
	return n
}
