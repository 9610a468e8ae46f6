// Package sheet reads what people call a spreadsheet: CSV in any usual encoding and dialect, and Excel workbooks. It decides format,
// encoding, dialect and header from the content, and yields numbered records: rows, and rejects with the reason. It knows neither SQL
// nor Azure and streams in bounded memory.
//
// Open makes a Book, its Next gives sheets and their Read gives records; see the example.
//
// A file that cannot be read gives a *Refusal, a record that cannot be read is a Reject, and any other error is the Source's.
package sheet

import "io"

// Source is the file as random-access bytes. Errors of ReadAt come back from Open, Next and Read wrapped, never as a Refusal, so that
// a caller can tell a broken disk or network from a broken file. ReadAt must allow calls from several goroutines and has to end on its
// own when the caller's context does.
type Source interface {
	io.ReaderAt
	Size() int64
}

// Kind says what a record is.
type Kind uint8

// The kinds of records. Header records are not counted as read; each other record counts as read and as exactly one of loaded,
// rejected and skipped.
const (
	Header Kind = iota + 1
	Row
	Reject
	Skip
)

// Record is one record of a sheet. It and all that it points to are valid until the next call of Read.
type Record struct {
	Kind   Kind
	No     int64    // from 1 within the sheet, headers and skipped records counted; xlsx: Excel's row number, and of a reject the best guess
	Line   int64    // first physical line, from 1; 0 in xlsx
	Offset int64    // first byte in the text, which is the file or was in an archive; -1 in xlsx
	Ref    string   // xlsx: the record's first cell, "A5"; empty in CSV
	Cells  [][]byte // UTF-8 text; nil where the file has no cell; a Row has exactly one per column
	Errors []Error  // why it was rejected: on a Reject from one to a hundred
	Raw    []byte   // a Reject's bytes as they stood in the file, without its line end (xlsx: its cells as tab-separated text, and those without a place in lines behind it)
}

// Error is one reason for a reject.
type Error struct {
	Code       Code
	ColumnNo   int    // from 1; 0 where the whole record is meant
	LastColumn int    // where the reason concerns all columns from ColumnNo to this one; else ColumnNo
	ColumnName string // ColumnNo's; "" where there is none
	Message    string // one sentence for people, in English
	MessageJA  string // and in Japanese
}

// Refusal is the error for a file that cannot be read at all: the file's own fault, which no second try mends.
type Refusal struct {
	Code      Code
	Message   string // for people, in English
	MessageJA string // and in Japanese
}

func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Message }
