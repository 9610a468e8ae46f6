package sheet

import (
	"sheetdrop/internal/sheet/types"
)

// Code says in one stable word what is wrong with a file or a record. The list is closed: a code never changes its meaning.
type Code string

// The codes of rejects: one record cannot be read, the rest of the file can.
const (
	MissingCell      Code = "missing_cell"      // the record has fewer cells than the header
	ExtraCell        Code = "extra_cell"        // the record has more cells than the header
	UnbalancedQuote  Code = "unbalanced_quote"  // a quoted cell does not end; reading went on at the line below the opening quote
	InvalidEncoding  Code = "invalid_encoding"  // bytes that are no text in the file's encoding
	InvalidCharacter Code = "invalid_character" // U+0000, which PostgreSQL's text cannot hold
	RecordTooLong    Code = "record_too_long"   // longer than Limits.RecordBytes
	CellTooLong      Code = "cell_too_long"     // longer than Limits.CellBytes

	// A cell does not follow the rule of a declared column.
	RequiredMissing = Code(types.RequiredMissing) // the cell is missing, empty or white space
	TypeMismatch    = Code(types.TypeMismatch)    // it is not of the declared type and format
	PatternMismatch = Code(types.PatternMismatch) // it does not match the pattern
	OutOfRange      = Code(types.OutOfRange)      // it is below the least or above the greatest value
	NotAllowed      = Code(types.NotAllowed)      // it is none of the allowed values
	NotUnique       = Code(types.NotUnique)       // its value stands in an earlier row
)

// The codes of rejects that a workbook alone has.
const (
	BadReference        Code = "bad_reference"         // a row's or a cell's reference is none, or a cell's names another row
	DuplicateRow        Code = "duplicate_row"         // a row of that number came before
	DuplicateCell       Code = "duplicate_cell"        // a cell with a value came before at that place
	MissingSharedString Code = "missing_shared_string" // the cell points to a shared string that is not there
	BadValue            Code = "bad_value"             // a boolean that is neither true nor false
)

// The codes of warnings: the cell was read, but perhaps not as its writer meant.
const (
	NoCachedValue Code = "no_cached_value" // a formula whose result is not stored: the cell is empty
	NoDate        Code = "no_date"         // a number that is shown as a date and is none: it stays a number
	LabelCut      Code = "label_cut"       // a label of the header is longer than 1,024 bytes, of which the first are kept
)

// The codes of refusals: the file cannot be read. A header that cannot be read refuses the file with the reject's code.
const (
	EmptyFile         Code = "empty_file"              // no byte, nothing but blank lines, or nothing behind the skipped records
	UnsupportedFormat Code = "unsupported_format"      // recognised as something else; the message says what
	DamagedFile       Code = "damaged_file"            // a workbook that is cut off or breaks its format's rules
	Encrypted         Code = "encrypted"               // a workbook that needs a password
	WrongPassword     Code = "wrong_password"          // it does not open the workbook
	NoSuchSheet       Code = "no_such_sheet"           // the one that is asked for is not there
	TooManyColumns    Code = "too_many_columns"        // the header is wider than Limits.Columns
	ManyFileColumns   Code = "too_many_columns_in_all" // the sheets together have more than Limits.FileColumns
	HeadersTooLong    Code = "headers_too_long"        // the headers of all sheets have more text than Limits.HeaderBytes
	OutputTooLarge    Code = "output_too_large"        // the rows take more room than Limits.OutputBytes allows
	TooManyRows       Code = "too_many_rows"           // a sheet has more records than Limits.Rows
	TooManyCells      Code = "too_many_cells"          // more than Limits.Cells
	TooManyRejects    Code = "too_many_rejects"        // more rejects than Limits.Rejects, or than the policy allows
	RowRejected       Code = "row_rejected"            // a reject, and the policy is fail
	MissingColumn     Code = "missing_column"          // a declared column is not in the header
	TooManyUnique          = Code(types.TooManyUnique) // more values in unique columns than can be compared
	TooComplex             = Code(types.TooComplex)    // the patterns of declared columns take more work than Limits.PatternWork
	PackageTooLarge   Code = "package_too_large"       // a workbook larger than Limits.PackageBytes
	UnzippedTooLarge  Code = "unzipped_too_large"      // a workbook that unpacks to more than Limits.UnzippedBytes
	UnzipRatio        Code = "unzip_ratio"             // a workbook that unpacks to more than Limits.UnzipRatio times its size
	TooManyParts      Code = "too_many_parts"          // a workbook of more than Limits.Parts parts
)
