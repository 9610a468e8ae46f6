// Package report prints what is in a sheet: its first rows, its rejects, and hints about its values. It is the same for a file that was
// read here and for one that a server has loaded.
package report

import "sheetdrop/cmd/sheetdrop/internal/words"

// How much of each sheet is shown.
const (
	FirstRows    = 5
	FirstRejects = 5
)

// Column is what is shown of a column.
type Column struct {
	Name      string
	Type      string   // empty where it is not known
	Nearly    *Nearly  // nil where no narrower type comes close
	Ambiguous []string // formats by which the values could be read as well
}

// Nearly is a type that all but some values of a column have.
type Nearly struct {
	Type    string
	Format  string   // how the values are written that have it
	Count   int64    // of the values that do not have it
	Misfits []Misfit // the first of them
}

// Misfit is a value that does not have a type, and the number of its row.
type Misfit struct {
	Row   int64
	Value string
}

// Warning is about cells that were read, and may mean something else.
type Warning struct {
	Code  string
	Count int64    // of the cells
	Refs  []string // of the first ones

	Encodings []string // the one that was taken, and one that fits nearly as well
}

// Reject is a record that could not be read, with the first reason.
type Reject struct {
	Where     string // see Line, Cell and Row
	Column    string // empty where the whole record is meant
	Code      string
	Message   string
	MessageJA string // may be empty
	More      int    // further reasons
}

// Line is the place of a record in a text.
func Line(line int64) string { return words.Sprintf("line %d", line) }

// Cell is the place of a record in a workbook: its first cell, such as A5.
func Cell(ref string) string { return words.Sprintf("cell %s", ref) }

// Row is the place of a record of which nothing but its number is known.
func Row(number int64) string { return words.Sprintf("row %d", number) }

// Skipped is what follows the counts of loaded and rejected records, where others were skipped: notes, totals, blank lines.
func Skipped(records int64) string {
	if records == 0 {
		return ""
	}
	return words.Sprintf(", %d skipped", records)
}
