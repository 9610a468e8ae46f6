package grid

import "fmt"

// Code is a stable word that says what is wrong with a workbook, a row or a cell.
type Code string

// The codes of an Error: the workbook cannot be read.
const (
	UnsupportedFormat Code = "unsupported_format" // none that is read
	PlainArchive      Code = "plain_archive"      // a zip archive of other files
	DamagedFile       Code = "damaged_file"       // truncated, or violates the format
	Encrypted         Code = "encrypted"          // it needs a password
	WrongPassword     Code = "wrong_password"     // or an encryption that is not known
	PackageTooLarge   Code = "package_too_large"  // over Limits.PackageBytes
	UnzippedTooLarge  Code = "unzipped_too_large" // over Limits.UnzippedBytes
	UnzipRatio        Code = "unzip_ratio"        // over Limits.UnzipRatio
	TooManyParts      Code = "too_many_parts"     // over Limits.Parts
	TooManyRows       Code = "too_many_rows"      // over Limits.Rows
	TooManyCells      Code = "too_many_cells"     // over Limits.Cells
)

// The codes of faults: a row or a cell cannot be read, or has no certain position; the rest can.
const (
	BadReference        Code = "bad_reference"         // the reference of a row or cell is invalid, or a cell's names another row
	DuplicateRow        Code = "duplicate_row"         // an earlier row has the same number
	DuplicateCell       Code = "duplicate_cell"        // an earlier cell with a value has the same reference
	MissingSharedString Code = "missing_shared_string" // the cell refers to a shared string that does not exist
	BadValue            Code = "bad_value"             // a boolean that is neither 0 nor 1
	InvalidCharacter    Code = "invalid_character"     // U+0000, which PostgreSQL cannot store in text
	InvalidEncoding     Code = "invalid_encoding"      // invalid UTF-8, or half of a UTF-16 pair
	CellTooLong         Code = "cell_too_long"         // over Limits.CellBytes
	RecordTooLong       Code = "record_too_long"       // over Limits.RowBytes
	TooManyColumns      Code = "too_many_columns"      // over Limits.Columns
)

// The codes of warnings: the cell has no value, or a different one than Excel displays.
const (
	NoCachedValue Code = "no_cached_value" // a formula whose result was not stored; the cell is empty
	NoDate        Code = "no_date"         // a number that is formatted as a date and is not one; it stays a number
)

// Error says why a workbook cannot be read. It is an input error: reading the file again cannot help.
type Error struct {
	Code      Code
	Message   string // one English sentence, or two
	MessageJA string // the same in Japanese; "" if the code says it all
}

// Refuse returns the Error with this code; message is one English sentence.
func Refuse(code Code, message string) *Error { return &Error{Code: code, Message: message} }

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Damaged returns the Error of a workbook that is truncated or violates its format; what says where, for fmt.
func Damaged(what string, args ...any) *Error {
	return Refuse(DamagedFile, "The workbook cannot be read: "+fmt.Sprintf(what, args...)+".")
}
