// Package parquet reads Parquet files as rows of text. Thrift's structures and the codecs of pages are those of libraries; pages are taken
// apart here, one at a time, so that the memory for it is bounded whatever a file says.
//
// For example, a file with the columns
//
//	id: INT64; price: DECIMAL(9,2); day: DATE; tags: LIST of STRING
//
// has the rows 1, 0.50, 2024-01-31 and ["a","b"]. A value is written so that it is read as the same type again: integers and decimals
// exactly, decimals with all their digits behind the point; floating-point numbers as the shortest text with the same value; dates, times
// and timestamps as ISO 8601, the latter with a Z if they are in UTC; booleans as true and false; bytes in hexadecimal digits behind \x,
// or as the text that they are if the file does not say what they are; lists, maps and structures as JSON; null as nil.
package parquet

import (
	"bufio"
	"fmt"
	"io"

	"sheetdrop/internal/sheet/grid"
)

// The bytes that a file begins and ends with. An encrypted one has others.
const (
	Signature          = "PAR1"
	EncryptedSignature = "PARE"
)

// Config bounds what a file can make its reader use.
type Config struct {
	Columns       int   // values of a row, those in lists, maps and structures included
	RowBytes      int   // the text of a row
	TextBytes     int64 // of all values together, with what each and its row take besides
	UnzippedBytes int64 // all pages together, unpacked; likewise the texts of a row group
	UnzipRatio    int64 // unpacked size divided by the file's, for files that unpack to more than 16 MiB
}

// What a row takes besides its values, a value besides its text, and a part of a JSON text.
const (
	rowBytes   = 96
	valueBytes = 4
	partBytes  = 8
)

// File is an open file. It is not safe for concurrent use. Its errors are those of the source or of a temporary file, or *grid.Error if
// the file is at fault.
type File struct {
	config Config
	src    io.ReaderAt
	size   int64
	footer *footer
	schema *schema

	in         *bufio.Reader // of a chunk
	unpacker   unpacker
	page, dict []byte // memory
	text, json []byte // likewise
	cellEnds   []int
	stored     int64 // bytes of pages so far
	unpacked   int64
	left       int64 // of Config.TextBytes

	spool   *spool
	cursors []*cursor // a leaf each
	group   *rowGroup
	groups  int   // row groups that were begun
	from    int64 // the first row of the group that the spool has
	to      int64 // and the one behind the last
	at      int64 // the next row
	row     Row
}

// Row is a row. It and what it points to are valid until the next call of Next.
type Row struct {
	No    int64    // from 1
	Cells [][]byte // one for each column, nil for null
	Cut   bool     // its text is longer than Config.RowBytes, and ends there
}

const sourceBuffer = maxHeader + 64<<10

// Open opens a file of so many bytes. It reads the footer.
func Open(src io.ReaderAt, size int64, c Config) (*File, error) {
	f := &File{config: c, src: src, size: size, left: c.TextBytes, text: []byte{}, in: bufio.NewReaderSize(nil, sourceBuffer)}
	var err error
	if f.footer, err = readFooter(src, size, c.Columns); err != nil {
		return nil, err
	}
	if f.schema, err = newSchema(f.footer.schema, c.Columns); err != nil {
		return nil, err
	}
	if f.spool, err = newSpool(); err != nil {
		return nil, err
	}
	each := max(minBuffer, min(maxBuffer, buffers/max(1, len(f.schema.leaves))))
	for _, l := range f.schema.leaves {
		f.cursors = append(f.cursors, &cursor{in: bufio.NewReaderSize(nil, each), nested: l.nested})
	}
	return f, nil
}

// The memory for reading all columns of a row group at once, and for each of them.
const (
	buffers   = 8 << 20
	maxBuffer = 64 << 10
	minBuffer = 512
)

// Columns returns the names of the columns, which may be the same.
func (f *File) Columns() []string { return f.schema.names() }

// Close removes the temporary file.
func (f *File) Close() error {
	f.unpacker.close()
	return f.spool.close()
}

// firstRows is how many rows of the first row group are read before the others of it, for who wants no more.
const firstRows = 1000

// Next returns the next row, and io.EOF after the last one.
func (f *File) Next() (*Row, error) {
	for f.at == f.to {
		if err := f.advance(); err != nil {
			return nil, err
		}
	}
	f.at++
	return &f.row, f.assemble()
}

// advance fills the spool with the next rows: the first ones of the file, all others of the row group, or all of the next one.
func (f *File) advance() error {
	if f.group == nil || f.to == f.group.NumRows {
		if f.groups == len(f.footer.groups) {
			return io.EOF
		}
		var err error
		if f.group, err = f.footer.group(f.groups); err != nil {
			return err
		}
		f.groups++
		f.from, f.at, f.to = 0, 0, 0
		if f.group.NumRows < 0 || f.group.NumRows > 0 && len(f.group.Columns) != len(f.schema.leaves) {
			return damaged("row group %d has %d rows of %d columns", f.groups, f.group.NumRows, len(f.group.Columns))
		}
	}
	f.from, f.to = f.to, f.group.NumRows
	if f.groups == 1 && f.from == 0 {
		f.to = min(f.to, firstRows)
	}
	return f.fill()
}

// fill writes the values of the rows into the spool.
func (f *File) fill() error {
	if f.from == f.to {
		return nil
	}
	if err := f.spool.reset(); err != nil {
		return err
	}
	ends := make([]int64, len(f.schema.leaves))
	for i, l := range f.schema.leaves {
		if err := f.fillColumn(l, &f.group.Columns[i]); err != nil {
			return err
		}
		ends[i] = f.spool.size
	}
	if err := f.spool.flush(); err != nil {
		return err
	}
	start := int64(0)
	for i, c := range f.cursors {
		c.in.Reset(io.NewSectionReader(f.spool.file, start, ends[i]-start))
		start, c.ended = ends[i], false
		if c.nested {
			if err := c.next(f.config.RowBytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillColumn writes a column's values.
func (f *File) fillColumn(l *leaf, column *columnChunk) error {
	c, err := f.chunk(l, column, f.from)
	if err != nil {
		return err
	}
	for {
		at, v, err := c.next()
		if err == io.EOF && c.rows == f.to { //nolint:errorlint // as it is returned here
			return nil
		}
		if err == io.EOF || err == nil && c.rows == 0 { //nolint:errorlint // likewise
			return damaged("column %d has %d rows in row group %d, which has %d", l.index+1, c.rows, f.groups, f.group.NumRows)
		}
		if err != nil || c.rows > f.to {
			return err
		}
		if c.rows <= f.from {
			continue
		}
		if err := f.keep(l, at, v); err != nil {
			return err
		}
		if c.rows == f.to && l.node.rep == 0 {
			return nil
		}
	}
}

// keep writes a value into the spool.
func (f *File) keep(l *leaf, at level, v value) error {
	there := at.definition == l.node.def
	f.text = f.text[:0]
	if there {
		if most := max(f.config.RowBytes, maxDecimalBytes); len(v.bytes) > most { // of which a row is seen to be too long
			v.bytes = v.bytes[:most+1]
		}
		f.text = l.text(f.text, v)
	}
	if f.left -= int64(len(f.text)) + besides(l, at); f.left < 0 || f.spool.size > f.config.UnzippedBytes {
		return &grid.Error{
			Code:      grid.UnzippedTooLarge,
			Message:   fmt.Sprintf("The values of the Parquet file, or of one of its row groups, have more text than the limit of %d bytes. Export it in smaller row groups, or in several files.", min(f.config.TextBytes, f.config.UnzippedBytes)),
			MessageJA: "Parquetファイル（または1つの行グループ）の値のテキストが上限を超えています。行グループを小さくするか、複数のファイルに分けて書き出してください。",
		}
	}
	return f.spool.add(l.nested, at, f.text, there)
}

// besides returns what a value takes besides its text.
func besides(l *leaf, at level) int64 {
	switch {
	case l.index == 0 && at.repetition == 0:
		return rowBytes + valueBytes
	case l.nested:
		return partBytes
	}
	return valueBytes
}

// ratioFloor is the unpacked size up to which any ratio is accepted.
const ratioFloor = 16 << 20

// account counts a page against the limits. Pages that overlap would be a short file that stands for a long one.
func (f *File) account(stored, unpacked int64) error {
	f.stored += stored
	f.unpacked += unpacked
	switch {
	case f.stored > f.size:
		return damaged("its pages overlap")
	case f.unpacked > f.config.UnzippedBytes:
		return &grid.Error{
			Code: grid.UnzippedTooLarge, Message: fmt.Sprintf("The pages of the Parquet file unpack to more than the limit of %d bytes.", f.config.UnzippedBytes),
			MessageJA: "Parquetファイルの展開後のサイズが上限を超えています。",
		}
	case f.unpacked > ratioFloor && f.unpacked/f.config.UnzipRatio > f.size:
		return &grid.Error{
			Code: grid.UnzipRatio, Message: fmt.Sprintf("The pages of the Parquet file unpack to more than %d times its size.", f.config.UnzipRatio),
			MessageJA: "Parquetファイルの圧縮率が上限を超えています。",
		}
	}
	return nil
}
