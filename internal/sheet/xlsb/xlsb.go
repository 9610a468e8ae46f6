// Package xlsb reads the cells of binary Excel workbooks (xlsb: BIFF12 in a package, [MS-XLSB]) as a stream of rows. Memory is bounded
// by the limits and does not grow with the sheet.
//
// For example, the records BrtRowHdr of row 4 and BrtCellIsst with column 1 and string 9 are returned as row 5 with the tenth shared
// string in column B.
package xlsb

import (
	"fmt"
	"io"

	"sheetdrop/internal/sheet/container"
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
	parts    *container.Archive
	sheets   []sheet
	date1904 bool
	styles   grid.Styles
	strings  string // the part with the shared strings, "" if there is none
	table    *grid.StringTable
	cells    int64 // read so far
}

// workbookPart is where a workbook usually has its list of sheets.
const workbookPart = "xl/workbook.bin"

// IsWorkbook reports whether a package is a binary workbook: whether its document begins with the record that such a one begins with.
func IsWorkbook(a *container.Archive) bool {
	part, err := a.Main(workbookPart)
	if err != nil || !a.Has(part) {
		return false
	}
	r, err := a.Part(part)
	if err != nil {
		return false
	}
	var mark [3]byte
	_, err = io.ReadFull(r, mark[:])
	return err == nil && mark == [3]byte{idBeginBook&0x7F | 0x80, idBeginBook >> 7, 0}
}

// Open reads the structure of a workbook. The Book closes the archive, or Open if it fails. A file that cannot be read is a *grid.Error;
// any other error is that of the source or of a temporary file.
func Open(a *container.Archive, o Options) (*Book, error) {
	b := &Book{options: o, parts: a}
	if err := b.readWorkbook(); err != nil {
		a.Close()
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
	return b.openRows(&b.sheets[number-1])
}

// Close stops reading the source and removes the temporary file.
func (b *Book) Close() error {
	b.parts.Close()
	if b.table == nil {
		return nil
	}
	return b.table.Close()
}
