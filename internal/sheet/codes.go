package sheet

import (
	"sheetdrop/internal/sheet/types"
)

// Code is a stable word that says what is wrong with a file or a record. The list is closed: a code never changes its
// meaning.
type Code string

// The codes of rejects: the record cannot be read, the rest of the file can.
const (
	MissingCell      Code = "missing_cell"      // the record has fewer cells than the header
	OtherTable       Code = "other_table"       // the record belongs to another table, below the first one
	ExtraCell        Code = "extra_cell"        // the record has more cells than the header
	UnbalancedQuote  Code = "unbalanced_quote"  // a quoted cell does not end; reading continued on the line after the opening quote
	InvalidEncoding  Code = "invalid_encoding"  // bytes that are not valid in the file's encoding
	InvalidCharacter Code = "invalid_character" // U+0000, which PostgreSQL cannot store in text
	InvalidJSON      Code = "invalid_json"      // the record is no JSON object
	RecordTooLong    Code = "record_too_long"   // longer than Limits.RecordBytes
	CellTooLong      Code = "cell_too_long"     // longer than Limits.CellBytes

	// A cell breaks the rule of a declared column.
	RequiredMissing = Code(types.RequiredMissing) // the cell is missing, empty or white space
	TypeMismatch    = Code(types.TypeMismatch)    // it does not have the declared type and format
	PatternMismatch = Code(types.PatternMismatch) // it does not match the pattern
	OutOfRange      = Code(types.OutOfRange)      // it is below the minimum or above the maximum
	NotAllowed      = Code(types.NotAllowed)      // it is not one of the allowed values
	NotUnique       = Code(types.NotUnique)       // its value occurs in an earlier row
)

// KeyUnknown is the code of a reject in a file of corrections: its key is not that of a reject of the corrected sheet.
const KeyUnknown Code = "key_unknown"

// The codes of rejects that only workbooks have.
const (
	BadReference        Code = "bad_reference"         // the reference of a row or a cell is invalid, or a cell's names another row
	DuplicateRow        Code = "duplicate_row"         // an earlier row has the same number
	DuplicateCell       Code = "duplicate_cell"        // an earlier cell with a value has the same reference
	MissingSharedString Code = "missing_shared_string" // the cell refers to a shared string that does not exist
	BadValue            Code = "bad_value"             // a boolean that is neither true nor false
)

// The codes of warnings: the cell was read, but may not mean what its writer intended.
const (
	NoCachedValue Code = "no_cached_value" // a formula without a stored result: the cell is empty
	NoDate        Code = "no_date"         // a number that is formatted as a date and is not one: it stays a number
	LabelCut      Code = "label_cut"       // a header label is longer than 1,024 bytes and was truncated

	ErrorValue        Code = "error_value"        // a formula that ends in an error such as #DIV/0!: the cell has no value
	TextFormula       Code = "text_formula"       // a text's cell such as ="00123", which keeps a spreadsheet from reading a number: it was read as 00123
	TextApostrophe    Code = "text_apostrophe"    // a text's cell such as '00123, as spreadsheets mark text: it was read as 00123
	ShortRecord       Code = "short_record"       // a text's record lacks cells at its end that others often leave empty: they are null
	MendedRecord      Code = "mended_record"      // a text's record that could be split only in another way than the others, or has quotes that stay as text
	QuotedLine        Code = "quoted_line"        // a text's record that was quoted as a whole
	BesideTable       Code = "beside_table"       // a cell beside the table, behind an empty column: it was not read
	NoTable           Code = "no_table"           // a file of an archive that is no table: it was not read
	UncertainEncoding Code = "uncertain_encoding" // text beyond ASCII whose encoding is a guess: its confidence is below 0.8
)

// The codes of refusals: the file cannot be read. If the header cannot be read, the file is refused with the reject's
// code.
const (
	EmptyFile         Code = "empty_file"              // no bytes, only blank lines, or nothing after the skipped records
	UnsupportedFormat Code = "unsupported_format"      // recognised as another format, which the message names
	DamagedFile       Code = "damaged_file"            // a workbook that is truncated or violates its format
	Encrypted         Code = "encrypted"               // a workbook that needs a password, or a Parquet file that is encrypted
	WrongPassword     Code = "wrong_password"          // the password does not open the workbook
	NoSuchSheet       Code = "no_such_sheet"           // the requested sheet does not exist
	TooManyColumns    Code = "too_many_columns"        // the header is wider than Limits.Columns
	ManyFileColumns   Code = "too_many_columns_in_all" // the sheets together have more than Limits.FileColumns
	HeadersTooLong    Code = "headers_too_long"        // the headers of all sheets together have more text than Limits.HeaderBytes
	OutputTooLarge    Code = "output_too_large"        // the rows need more space than Limits.OutputBytes allows
	TooManyRows       Code = "too_many_rows"           // a sheet has more records than Limits.Rows
	TooManyCells      Code = "too_many_cells"          // more than Limits.Cells
	TooManyRejects    Code = "too_many_rejects"        // more rejects than Limits.Rejects or the policy allow
	RowRejected       Code = "row_rejected"            // a reject, and the policy is fail
	NothingToCorrect  Code = "nothing_to_correct"      // the sheet that the file corrects does not exist, or not any more
	MissingColumn     Code = "missing_column"          // a declared column is not in the header
	TooManyUnique          = Code(types.TooManyUnique) // more values in unique columns than can be compared
	TooComplex             = Code(types.TooComplex)    // the patterns of declared columns need more work than Limits.PatternWork
	PackageTooLarge   Code = "package_too_large"       // a workbook larger than Limits.PackageBytes
	UnzippedTooLarge  Code = "unzipped_too_large"      // a workbook that unpacks to more than Limits.UnzippedBytes
	UnzipRatio        Code = "unzip_ratio"             // a workbook that unpacks to more than Limits.UnzipRatio times its size
	TooManyParts      Code = "too_many_parts"          // a workbook of more than Limits.Parts parts
)
