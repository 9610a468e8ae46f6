// Package grid has what all readers of workbooks share: sheets of rows and cells as they return them, how values are
// written as text, the limits, and the faults. A reader is a package of its own, and returns a Book.
package grid

// Book is an open workbook. It and its Rows are not safe for concurrent use.
type Book interface {
	// Sheets lists all sheets in the workbook's order.
	Sheets() []Sheet
	// Rows starts reading the worksheet with that number, and ends reading the one before. A file that cannot be read is an
	// *Error; any other error is that of the source or of a temporary file.
	Rows(number int) (Rows, error)
	// Close stops reading the source and removes temporary files.
	Close() error
}

// Rows reads a worksheet's rows in file order, which is ascending in a well-formed workbook.
type Rows interface {
	// Next returns the next row, and io.EOF after the last one. Errors are as for Book.Rows.
	Next() (*Row, error)
}

// Kind is the kind of a sheet. Only worksheets have cells.
type Kind uint8

// The kinds of sheets.
const (
	Worksheet Kind = iota + 1
	Chartsheet
	Dialogsheet
	Macrosheet
	OtherSheet
)

// Visibility says whether a sheet is displayed.
type Visibility uint8

// The visibilities. Excel's menu cannot show a very hidden sheet.
const (
	Visible Visibility = iota + 1
	Hidden
	VeryHidden
)

// Sheet is a sheet of a workbook.
type Sheet struct {
	Number     int // position in the workbook, from 1
	Name       string
	Kind       Kind
	Visibility Visibility
}
