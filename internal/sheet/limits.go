package sheet

// Limits bound what a hostile or broken file can make the engine hold. Each has its own Code.
type Limits struct {
	RecordBytes   int   // a CSV record as it is scanned (UTF-8; the file's own bytes in other encodings)
	CellBytes     int   // a cell's text
	Columns       int   // the header's cells
	FileColumns   int   // the columns of all sheets of a file
	HeaderBytes   int   // the text of all headers of a file, of which a label has at most maxLabelBytes
	Rows          int64 // a sheet's records
	Cells         int64 // a file's cells
	Rejects       int64 // a file's rejects
	RejectBytes   int64 // what a file's rejects take in a table, beyond rejectFactor times the file's size
	OutputBytes   int64 // what a file's rows take in a table, beyond outputFactor times the file's size
	PatternWork   int64 // instructions of patterns times bytes of cells, beyond patternFactor times the file's size
	PackageBytes  int64 // a workbook as it is sent
	UnzippedBytes int64 // a workbook's parts together, unpacked
	UnzipRatio    int64 // unpacked size over packed size, for workbooks that unpack to more than 16 MiB
	Parts         int   // a workbook's parts
}

// DefaultLimits are the limits for files from strangers. A record's text stays below 6 MiB: at most three bytes of UTF-8 come of one
// scanned byte.
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

// What rows and rejects take in PostgreSQL, besides their text: a row its header, ids and place in the index, a value its length, a reject
// its position as well, and each further reason the names of its members.
const (
	rowOverhead    = 96
	valueOverhead  = 4
	rejectOverhead = 144
	reasonOverhead = 112
)

// outputFactor is how many times its size the rows of a file may take, whatever the limit. A text that was not packed stays below it, unless it
// has millions of records of less than five bytes.
const outputFactor = 20

// rejectFactor is the same for rejects, each of which has its reason in two languages.
const rejectFactor = 10

// patternFactor is how long the patterns may be on the average, as programs, that each byte of a file is held against, whatever the limit.
const patternFactor = 128

// maxLabelBytes is how much of a label is kept.
const maxLabelBytes = 1 << 10
