package sheet

// Limits bound the resources that a hostile or broken file can make the engine use. Each has its own Code.
type Limits struct {
	RecordBytes   int   // a CSV record as scanned (UTF-8; in other encodings the file's own bytes)
	CellBytes     int   // the text of a cell
	Columns       int   // the cells of the header
	FileColumns   int   // the columns of all sheets of a file
	HeaderBytes   int   // the text of all headers of a file; a label counts with at most maxLabelBytes
	Rows          int64 // the records of a sheet
	Cells         int64 // the cells of a file
	Rejects       int64 // the rejects of a file
	RejectBytes   int64 // the space that a file's rejects need in a table, beyond rejectFactor times the file's size
	OutputBytes   int64 // the space that a file's rows need in a table, beyond outputFactor times the file's size
	PatternWork   int64 // instructions of patterns times bytes of cells, beyond patternFactor times the file's size
	PackageBytes  int64 // a workbook as sent
	UnzippedBytes int64 // the unpacked parts of a workbook together
	UnzipRatio    int64 // unpacked size divided by packed size, for workbooks that unpack to more than 16 MiB
	Parts         int   // the number of a workbook's parts
}

// DefaultLimits returns the limits for untrusted files. A record's text stays below 6 MiB: one scanned byte becomes at
// most three bytes of UTF-8.
func DefaultLimits() Limits {
	return Limits{
		RecordBytes:   2 << 20,
		CellBytes:     1 << 20,
		Columns:       16_384,
		FileColumns:   131_072,
		HeaderBytes:   2 << 20,
		Rows:          100_000_000,
		Cells:         1_000_000_000,
		Rejects:       1_000_000,
		RejectBytes:   32 << 20,
		OutputBytes:   256 << 20,
		PatternWork:   1 << 29,
		PackageBytes:  128 << 20,
		UnzippedBytes: 512 << 20,
		UnzipRatio:    200,
		Parts:         10_000,
	}
}

// The space that rows and rejects need in PostgreSQL besides their text: for a row its header, ids and index entry; for
// a value its length; for a reject also its position, and for each further reason the member names.
const (
	rowOverhead    = 96
	valueOverhead  = 4
	rejectOverhead = 144
	reasonOverhead = 112
)

// outputFactor is how many times its size the rows of a file may need, whatever the limit. Text that was not compressed
// stays below it, unless it has millions of records of less than five bytes.
const outputFactor = 20

// rejectFactor is the same for rejects, each of which has its reason in two languages.
const rejectFactor = 10

// patternFactor is the average number of pattern instructions per byte of a file that is allowed whatever the limit.
const patternFactor = 128

// maxLabelBytes is the length in bytes to which a label is truncated.
const maxLabelBytes = 1 << 10
