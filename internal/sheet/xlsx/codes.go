package xlsx

import "fmt"

// Code says in one stable word what is wrong with a workbook, a row or a cell.
type Code string

// The codes of an Error: the workbook cannot be read.
const (
	UnsupportedFormat Code = "unsupported_format" // no xlsx or xlsm
	PlainArchive      Code = "plain_archive"      // a zip archive of other files
	DamagedFile       Code = "damaged_file"       // cut off, or against the format's rules
	Encrypted         Code = "encrypted"          // needs a password
	WrongPassword     Code = "wrong_password"     // or an encryption that is not known
	PackageTooLarge   Code = "package_too_large"  // over Limits.PackageBytes
	UnzippedTooLarge  Code = "unzipped_too_large" // over Limits.UnzippedBytes
	UnzipRatio        Code = "unzip_ratio"        // over Limits.UnzipRatio
	TooManyParts      Code = "too_many_parts"     // over Limits.Parts
	TooManyRows       Code = "too_many_rows"      // over Limits.Rows
	TooManyCells      Code = "too_many_cells"     // over Limits.Cells
)

// The codes of faults: a row or a cell cannot be read, or has no sure place; the rest can.
const (
	BadReference        Code = "bad_reference"         // a row's or cell's reference is none, or a cell's names another row
	DuplicateRow        Code = "duplicate_row"         // a row of that number came before
	DuplicateCell       Code = "duplicate_cell"        // a cell with a value came before at this place
	MissingSharedString Code = "missing_shared_string" // the cell points to a shared string that is not there
	BadValue            Code = "bad_value"             // a boolean that is neither 0 nor 1
	InvalidCharacter    Code = "invalid_character"     // U+0000, which a database's text cannot hold
	InvalidEncoding     Code = "invalid_encoding"      // bytes that are no UTF-8, or half of a UTF-16 pair
	CellTooLong         Code = "cell_too_long"         // over Limits.CellBytes
	RecordTooLong       Code = "record_too_long"       // over Limits.RowBytes
	TooManyColumns      Code = "too_many_columns"      // over Limits.Columns
)

// The codes of warnings: the cell has no value, or another one than Excel shows.
const (
	NoCachedValue Code = "no_cached_value" // a formula whose result was not stored; the cell is empty
	NoDate        Code = "no_date"         // a number that is formatted as a date and is none; it stays a number
)

// Error says why a workbook cannot be read: the file's own fault, which no second try mends.
type Error struct {
	Code    Code
	Message string // one English sentence for people
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

func damaged(what string, args ...any) *Error {
	return &Error{DamagedFile, "The workbook cannot be read: " + fmt.Sprintf(what, args...) + "."}
}
