// Package xlsx reads the cells of Excel workbooks (xlsx and xlsm: Office Open XML, ECMA-376 and ISO/IEC 29500,
// transitional and strict) as a stream of rows. The position of a cell is that of its reference, whatever the order in
// the file; a value that has no certain position, or cannot be read, is returned with a fault and never moved. Memory
// is bounded by Limits and does not grow with the sheet.
//
// For example, the row <row r="5"><c r="B5"><v>1.5</v></c><c r="A5" t="s"><v>9</v></c></row> is returned as row 5 with
// the cells A5, the tenth shared string, and B5, the number 1.5. If there are only nine shared strings, A5 has the
// fault MissingSharedString.
//
// The package is opened by archive/zip, and encrypted workbooks by a function of the caller (see package decrypt).
// Everything else is read by this package, because a reader of untrusted files must not build a document in memory.
package xlsx

import (
	"fmt"
	"io"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// Options configure how a workbook is read.
type Options struct {
	// Decrypt returns the package inside an encrypted workbook, or false if its password does not open it; nil if there
	// is no password.
	Decrypt   func(file []byte) (plain []byte, ok bool)
	FillDown  bool // repeat a merged range's value in each row of its first column; reads the sheet twice
	Limits    grid.Limits
	TempFiles string // the folder for shared strings that exceed memory; "" is the system's default
}

// Book is an open workbook. It and its Rows are not safe for concurrent use.
type Book struct {
	options  Options
	parts    *container.Archive
	sheets   []sheet
	date1904 bool
	styles   grid.Styles
	strings  string // the part with the shared strings, "" if there is none
	table    *grid.StringTable
	cells    int64 // read so far
}

// Open reads the structure of a workbook; src must stay open until Close and is also read from one other goroutine. A
// file that cannot be read is an *Error. Any other error is that of src, wrapped, or of the temporary file.
func Open(src io.ReaderAt, size int64, o Options) (*Book, error) {
	archive, err := container.Open(src, size, o.Decrypt, o.Limits)
	if err != nil {
		return nil, err
	}
	return OpenParts(archive, o)
}

// OpenParts is like Open for a package that is open. The Book closes it, or OpenParts if it fails.
func OpenParts(archive *container.Archive, o Options) (*Book, error) {
	b := &Book{options: o, parts: archive}
	if err := b.readWorkbook(); err != nil {
		archive.Close()
		return nil, err
	}
	return b, nil
}

// Sheets lists all sheets in the workbook's order.
func (b *Book) Sheets() []grid.Sheet {
	list := make([]grid.Sheet, len(b.sheets))
	for i, s := range b.sheets {
		list[i] = s.Sheet
	}
	return list
}

// Rows starts reading the worksheet with that number. Errors are as for Open.
func (b *Book) Rows(number int) (grid.Rows, error) {
	if number < 1 || number > len(b.sheets) || b.sheets[number-1].Kind != grid.Worksheet {
		return nil, fmt.Errorf("the workbook has no worksheet %d", number)
	}
	if err := b.loadStrings(); err != nil {
		return nil, err
	}
	return b.openRows(number)
}

// Close stops reading src and removes the temporary file.
func (b *Book) Close() error {
	b.parts.Close()
	if b.table == nil {
		return nil
	}
	return b.table.Close()
}
