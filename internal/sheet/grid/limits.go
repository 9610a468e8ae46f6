package grid

// Limits bound the resources that a hostile or broken workbook can make its reader use. Sizes are those measured while
// unpacking, whatever the package's directory says.
type Limits struct {
	PackageBytes  int64 // the file
	UnzippedBytes int64 // the parts together, unpacked
	UnzipRatio    int64 // unpacked size over packed size, for workbooks that unpack to more than 16 MiB
	Parts         int
	Rows          int64 // of a sheet, with a value
	Columns       int   // the last column's number
	Cells         int64 // of all sheets read, with a value; and shared strings
	CellBytes     int   // a cell's text
	RowBytes      int   // the text of a row's cells together
}

// DefaultLimits returns the limits for untrusted files: the capacity of Excel's own sheets, and of a process with 256
// MiB.
func DefaultLimits() Limits {
	return Limits{
		PackageBytes:  128 << 20,
		UnzippedBytes: 512 << 20,
		UnzipRatio:    200,
		Parts:         10_000,
		Rows:          LastRow,
		Columns:       LastColumn,
		Cells:         20_000_000,
		CellBytes:     1 << 20,
		RowBytes:      6 << 20,
	}
}

// The capacity of a worksheet.
const (
	LastRow    = 1_048_576
	LastColumn = 16_384
)

// MaxMerged is the maximum number of merged ranges of a sheet.
const MaxMerged = 1 << 18
