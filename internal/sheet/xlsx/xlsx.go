// Package xlsx reads the cells of Excel workbooks (xlsx and xlsm: Office Open XML, ECMA-376 and ISO/IEC 29500, transitional and strict)
// as a stream of rows. A cell stands where its reference says, whatever the order in the file; a value that has no sure place, or cannot
// be read, is given with a fault and never moved. Memory is bounded by Limits and does not grow with the sheet.
//
// The package is opened by archive/zip, encrypted workbooks by what the caller gives (package decrypt). All else, from the relations to the worksheets, is read
// here, for a reader of strangers' files must not build a document in memory.
package xlsx

import (
	"fmt"
	"io"
)

// Options say how to read a workbook.
type Options struct {
	// Decrypt returns the package within an encrypted workbook, and false where its password does not open it; nil is without a password.
	Decrypt   func(file []byte) (plain []byte, ok bool)
	FillDown  bool // give a merged range's value in each row of its first column; costs a second reading of the sheet
	Limits    Limits
	TempFiles string // the folder for shared strings that are too many for memory; "" is the system's own
}

// Book is an open workbook. It and its Rows are for one goroutine.
type Book struct {
	options  Options
	parts    *archive
	sheets   []sheet
	date1904 bool
	formats  []format // by the number of a cell's style
	strings  string   // the shared strings' part, "" if there is none
	table    *stringTable
	cells    int64 // read so far
}

// Kind says what a sheet is. Only worksheets have cells.
type Kind uint8

// The kinds of sheets.
const (
	Worksheet Kind = iota + 1
	Chartsheet
	Dialogsheet
	Macrosheet
	OtherSheet
)

// Visibility says whether Excel shows a sheet.
type Visibility uint8

// The visibilities. A very hidden sheet is one that Excel's own menu cannot bring back.
const (
	Visible Visibility = iota + 1
	Hidden
	VeryHidden
)

// Sheet is a sheet of a workbook.
type Sheet struct {
	Number     int // its place in the workbook, from 1
	Name       string
	Kind       Kind
	Visibility Visibility
}

// Open reads what a workbook consists of; src must hold until Close and is read from one other goroutine. A file that cannot be read gives an *Error. Any other error is
// src's, wrapped, or the temporary file's.
func Open(src io.ReaderAt, size int64, o Options) (*Book, error) {
	file := &source{r: src, size: size}
	parts, err := openArchive(file, o)
	if err != nil {
		file.wait()
		return nil, err
	}
	b := &Book{options: o, parts: parts}
	if err := b.readWorkbook(); err != nil {
		parts.src.wait()
		return nil, err
	}
	return b, nil
}

// Sheets lists all sheets in the workbook's order.
func (b *Book) Sheets() []Sheet {
	list := make([]Sheet, len(b.sheets))
	for i, s := range b.sheets {
		list[i] = s.Sheet
	}
	return list
}

// Rows begins to read the worksheet of that number. Errors are as in Open.
func (b *Book) Rows(number int) (*Rows, error) {
	if number < 1 || number > len(b.sheets) || b.sheets[number-1].Kind != Worksheet {
		return nil, fmt.Errorf("the workbook has no worksheet %d", number)
	}
	if err := b.loadStrings(); err != nil {
		return nil, err
	}
	return b.openRows(b.sheets[number-1].part)
}

// Close ends the reading of src and removes the temporary file.
func (b *Book) Close() error {
	b.parts.src.wait()
	if b.table == nil {
		return nil
	}
	return b.table.close()
}
