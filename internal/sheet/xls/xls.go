// Package xls reads the cells of Excel 97–2003 workbooks (BIFF8 in a compound file, [MS-XLS]), and of those of Excel 5 and 95
// (BIFF5), as a stream of rows. Memory is bounded by the limits and does not grow with the sheet.
//
// For example, the record LABELSST with row 4, column 1 and string 9 is returned as row 5 with the tenth shared string in
// column B.
package xls

import (
	"fmt"
	"io"

	"sheetdrop/internal/sheet/compound"
	"sheetdrop/internal/sheet/grid"
)

// Options configure how a workbook is read.
type Options struct {
	FillDown  bool // repeat a merged range's value in each row of its first column; reads the sheet twice
	Limits    grid.Limits
	TempFiles string // the folder for shared strings that exceed memory; "" is the system's default
}

// Book is an open workbook. It and its Rows are not safe for concurrent use.
type Book struct {
	options  Options
	stream   *compound.Stream
	src      *watched
	old      bool // BIFF5
	decode   func([]byte) []byte
	date1904 bool
	sheets   []sheet
	styles   grid.Styles
	table    *grid.StringTable
	cells    int64 // read so far
}

// sheet is a sheet and its place in the stream.
type sheet struct {
	grid.Sheet
	offset int64
}

// watched remembers the first error of a source, so that a broken network can be told from a broken file.
type watched struct {
	io.ReaderAt
	err error
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF && w.err == nil {
		w.err = err
	}
	return n, err
}

// blame returns the source's error if it has one, otherwise the file's fault.
func (w *watched) blame(fault error) error {
	if w.err != nil {
		return w.err
	}
	return fault
}

// errTruncated is the file's fault where its records end too early.
func errTruncated() error { return grid.Damaged("it is truncated, or its records are damaged") }

// Open reads the structure of a workbook. A file that cannot be read is a *grid.Error: UnsupportedFormat with no message if
// it is no workbook. Any other error is that of src, or of the temporary file.
func Open(src io.ReaderAt, size int64, o Options) (*Book, error) {
	if size > o.Limits.PackageBytes {
		return nil, grid.Refuse(grid.PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; the limit is %d.", size, o.Limits.PackageBytes))
	}
	b := &Book{options: o, src: &watched{ReaderAt: src}, decode: decoder(0)}
	file, ok := compound.Open(b.src, size)
	if !ok {
		return nil, b.src.blame(grid.Damaged("its compound file is truncated or damaged"))
	}
	name := "Workbook"
	if !file.Has(name) {
		name = "Book"
	}
	if b.stream, ok = file.Stream(name); !ok {
		return nil, b.src.blame(grid.Damaged("its compound file is truncated or damaged"))
	}
	err := b.readGlobals()
	if err == nil && len(b.sheets) == 0 {
		err = grid.Damaged("it has no sheets")
	}
	if err != nil {
		return nil, b.src.blame(joinClose(err, b))
	}
	return b, nil
}

// joinClose closes the Book that could not be opened.
func joinClose(err error, b *Book) error {
	if closeErr := b.Close(); closeErr != nil {
		return closeErr
	}
	return err
}

// IsWorkbook reports whether a compound file has a workbook of Excel that is not encrypted as a whole.
func IsWorkbook(file *compound.File) bool {
	return (file.Has("Workbook") || file.Has("Book")) && !file.Has("EncryptedPackage")
}

// Sheets lists all sheets in the workbook's order.
func (b *Book) Sheets() []grid.Sheet {
	list := make([]grid.Sheet, len(b.sheets))
	for i, s := range b.sheets {
		list[i] = s.Sheet
	}
	return list
}

// Close removes the temporary file.
func (b *Book) Close() error {
	if b.table == nil {
		return nil
	}
	return b.table.Close()
}
