// Package sheet reads what people call a spreadsheet: CSV in any common encoding and dialect, workbooks of several
// formats, JSON and Parquet. It detects format, encoding, dialect and header from the content, and returns numbered records: rows, and
// rejects with their reasons. It accesses neither SQL nor Azure, and streams in bounded memory.
//
// Open returns a Book, its Next returns sheets, and their Read returns records; see the example. For instance, from the
// file
//
//	id;day;amount
//	1;2024-05-01;"1,50"
//	2;2024-05-02
//
// the delimiter ";" and a header of one row are detected. The first record has the cells 1, 2024-05-01 and 1,50. The
// second one is a reject with the code missing_cell, because it has two cells and the header three. At the end, the
// columns have the types integer, date and decimal.
//
// Errors are of three kinds: a file that cannot be read is a *Refusal, a record that cannot be read is a Reject with
// its reasons, and any other error is that of the Source or the context.
//
// # Worksheets
//
// gridFile (gridbook.go) goes through the worksheets of a workbook and their tables, gridRows (gridrows.go) through the rows of one table:
//   - readHead reads the first rows, and next those that follow, before they are returned (gridahead.go).
//   - decideLayout (gridhead.go) asks package table where the table is. It tells it what the workbook says: which cells are bold
//     (gridstrong.go), or merged (gridmerged.go, gridnames.go, and gridfold.go for forms, in which each column is merged of several).
//   - lookForSums (gridpartsums.go) finds out whether sums stand among the rows.
//   - nextRecord returns the rows. What its cells are displayed as tells the types of the columns (gridshown.go).
//   - findEnd decides which of the last rows stand below the table, before these are returned: totals and notes (gridnotes.go), sums that
//     only their numbers tell, and what an invoice adds (gridsums.go).
//
// Texts with drawn tables (drawn.go) ask package table for totals alone, as if they were worksheets (drawnsums.go).
package sheet

import (
	"io"
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// Source is the file as random-access bytes. Open, Next and Read return errors of ReadAt wrapped, never as a Refusal,
// so that a caller can tell a broken disk or network from a broken file. ReadAt must be safe for concurrent use, and
// must return when the caller's context ends.
type Source interface {
	io.ReaderAt
	Size() int64
}

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. Header records do not count as read; every other record counts as read and as exactly one of
// loaded, rejected and skipped.
const (
	Header Kind = iota + 1
	Row
	Reject
	Skip
)

// SkipReason is why a record is not part of the table.
type SkipReason string

// The reasons to skip a record.
const (
	SkipBlank    SkipReason = "blank"
	SkipAbove    SkipReason = "above_table" // the header
	SkipBelow    SkipReason = "below_table" // a note or a total
	SkipRule     SkipReason = "header_rule" // a line of dashes below the header
	SkipRepeated SkipReason = "repeated_header"
	SkipAmong    SkipReason = "among_rows" // a total of a part, a line between pages, a note or a drawn line among the rows
)

// Record is one record of a sheet. It and all that it points to are valid until the next call of Read.
type Record struct {
	Kind Kind
	// from 1 within the sheet, including headers and skipped records; xlsx: Excel's row number, for a reject possibly a
	// guess
	No     int64
	Line   int64      // first physical line, from 1; 0 in workbooks and Parquet files
	Offset int64      // of the first byte in the text, which is the file or was in an archive; -1 where Line is 0
	Ref    string     // workbooks: the reference of the record's first cell, such as "A5"; empty in texts
	Cells  [][]byte   // UTF-8 text; nil for cells that the file does not have; a Row has exactly one per column
	Errors []Error    // why it was rejected: 1 to 100 for a Reject
	Reason SkipReason // why it was skipped: of a Skip
	// a Reject's bytes as in the file, without the line end (xlsx: its cells as tab-separated text, followed by lines
	// with the cells that have no position)
	Raw []byte
}

// Error is one reason why a record was rejected.
type Error struct {
	Code       Code
	ColumnNo   int    // from 1; 0 if the whole record is meant
	LastColumn int    // the last column if the reason concerns all columns from ColumnNo to this one; otherwise ColumnNo
	ColumnName string // of ColumnNo; "" if it has none
	Message    string // one English sentence
	MessageJA  string // the same in Japanese
}

// Refusal is the error for a file that cannot be read at all. It is an input error: reading the file again cannot help.
type Refusal struct {
	Code      Code
	Message   string // one or more English sentences
	MessageJA string // the same in Japanese
}

func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Message }

// Warning is about cells that were read, but may not mean what their writer intended.
type Warning struct {
	Code  Code     `json:"code"`
	Count int64    `json:"count"` // number of cells
	Refs  []string `json:"refs"`  // references of the first ones

	Encodings []string `json:"encodings,omitempty"` // of UncertainEncoding: the one that they were read in, and the next best
}

// maxRefs is the maximum number of cells that a Warning names.
const maxRefs = 5

// warnings collects a sheet's warnings, in the order of the first of each kind.
type warnings []cellWarning

type cellWarning struct {
	code  Code
	count int64
	first []position
}

type position struct {
	row    int64
	column int
}

func (w *warnings) add(code Code, row int64, column int) {
	known := w.of(code)
	if known.count++; known.count <= maxRefs {
		known.first = append(known.first, position{row, column})
	}
}

func (w *warnings) of(code Code) *cellWarning {
	i := slices.IndexFunc(*w, func(known cellWarning) bool { return known.code == code })
	if i < 0 {
		i = len(*w)
		*w = append(*w, cellWarning{code: code})
	}
	return &(*w)[i]
}

// join adds the warnings about records that follow, whose numbers are too low by this many.
func (w *warnings) join(other warnings, rowsBefore int64) {
	for _, o := range other {
		known := w.of(o.code)
		known.count += o.count
		for _, at := range o.first[:min(len(o.first), maxRefs-len(known.first))] {
			known.first = append(known.first, position{at.row + rowsBefore, at.column})
		}
	}
}

func (w warnings) list() []Warning {
	list := make([]Warning, len(w))
	for i, known := range w {
		list[i] = Warning{Code: known.code, Count: known.count}
		for _, at := range known.first {
			list[i].Refs = append(list[i].Refs, grid.Reference(at.column, at.row))
		}
	}
	return list
}

// Warnings returns the warnings about the records read so far, or why a file of an archive was not read.
func (s *Sheet) Warnings() []Warning {
	switch {
	case s.noTable:
		return []Warning{{Code: NoTable, Count: 1}}
	case s.records == nil:
		return nil
	}
	return slices.Concat(s.labels.list(), s.short.list(), s.records.warnings())
}

// warnings returns nil: the cells of a text mean what they say.
