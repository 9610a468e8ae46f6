package export

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// RejectsInput identifies a sheet and selects which of its rejects to return, and in which form.
type RejectsInput struct {
	SheetInput
	PageInput
	Layout   string `query:"layout" enum:"reasons,records" doc:"Of CSV and workbooks: a line for each reason, or the records themselves, to be corrected and sent back. A workbook has the records by default, CSV the reasons. Of JSON and NDJSON: records adds the key and the cells by which they are sent back. Parquet has no layout."`
	Language string `header:"Accept-Language" hidden:"true"`
}

// asRecords reports whether the rejects are to be shown as records.
func (in *RejectsInput) asRecords() bool {
	return in.Layout == layoutRecords || in.Layout == "" && in.format() == formatXLSX
}

const layoutRecords = "records"

// Reject is a record that was not loaded. Its own code and message are those of the first of its errors.
type Reject struct {
	RowNo      int64   `json:"row_no" doc:"The record's number in the sheet, from 1, including headers; in workbooks Excel's row number."`
	ErrorNo    int     `json:"error_no" doc:"Distinguishes rejects with the same row number; usually 1."`
	Line       *int64  `json:"line" doc:"The line in the file, from 1; null in workbooks."`
	ByteOffset *int64  `json:"byte_offset" doc:"The offset of the record's first byte in the file; null in workbooks."`
	CellRef    *string `json:"cell_ref" doc:"The record's first cell in a workbook, such as A5."`
	RejectError
	Errors []RejectError `json:"errors" doc:"Everything that is wrong with the record, at most 100 reasons. In tasks older than this list each reason is a reject of its own."`
	Raw    []byte        `json:"raw" nullable:"true" doc:"The record's bytes as in the file, in base64."`
	Key    string        `json:"key,omitempty" doc:"With layout=records: what a file of corrections has in the column of keys."`
	Cells  []*string     `json:"cells,omitempty" doc:"With layout=records: the cells as texts, under the sheet's columns; null where the record has none. Missing if they could not be told apart."`
}

// RejectError is one reason why a record was not loaded.
type RejectError struct {
	ColumnNo     *int    `json:"column_no" doc:"The column's number, from 1; null if the reason concerns the whole record."`
	LastColumnNo *int    `json:"last_column_no" doc:"The last column if the reason concerns several adjacent ones; otherwise column_no."`
	ColumnName   *string `json:"column_name" doc:"The name of column_no; null if the header has no such column."`
	Code         string  `json:"code" doc:"A stable code."`
	Message      string  `json:"message" doc:"Human-readable, in English."`
	MessageJA    *string `json:"message_ja" doc:"The same in Japanese; null in rejects older than the translations."`
}

func showReject(r postgres.RowReject) Reject {
	shown := Reject{RowNo: r.RowNo, ErrorNo: r.ErrorNo, Line: r.Line, ByteOffset: r.ByteOffset, CellRef: r.CellRef, Raw: r.Raw}
	for _, e := range r.Errors {
		shown.Errors = append(shown.Errors, RejectError{
			orNull(e.ColumnNo), orNull(e.LastColumnNo), orNull(e.ColumnName), e.Code, e.Message, orNull(e.MessageJA),
		})
	}
	shown.RejectError = shown.Errors[0]
	return shown
}

// showRecord shows a reject with what it needs to be sent back.
func showRecord(r postgres.RowReject, sheetID int64) Reject {
	shown := showReject(r)
	if !isRecord(r) {
		return shown
	}
	shown.Key = sheet.RejectKey{SheetID: sheetID, RowNo: r.RowNo, ErrorNo: r.ErrorNo}.String()
	for _, cell := range r.Cells {
		if cell == nil {
			shown.Cells = append(shown.Cells, nil)
		} else {
			shown.Cells = append(shown.Cells, new(string(cell)))
		}
	}
	return shown
}

// orNull returns nil for the zero value, which means that there is none.
func orNull[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// rejectPlace is a reject's position in its sheet.
type rejectPlace struct {
	Row   int64 `json:"r"`
	Error int32 `json:"e"`
}

// Rejects returns the records of a sheet that could not be read, also for a FAILED file.
func (e *Exporter) Rejects(ctx context.Context, owner string, in *RejectsInput) (*huma.StreamResponse, error) {
	ended, err := e.endedTask(ctx, owner, in.ID, task.Completed, task.Failed)
	if err != nil {
		return nil, err
	}
	found, err := e.DB.Sheet(ctx, owner, in.ID, in.Number)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOf(found)
	if err != nil {
		return nil, err
	}
	if in.Layout != "" && in.format() == formatParquet {
		return nil, problem.Parameter("query.layout", "Parquet has no layout.")
	}
	show := showReject
	if in.Layout == layoutRecords {
		show = func(r postgres.RowReject) Reject { return showRecord(r, found.ID) }
	}
	list := listing[postgres.RowReject, rejectPlace]{
		name: fmt.Sprintf("rejects/%d", found.ID),
		head: `{"items":[`,
		read: func(ctx context.Context, after rejectPlace, limit int) ([]postgres.RowReject, bool, error) {
			return e.DB.Rejects(ctx, found.ID, after.Row, int(after.Error), limit)
		},
		place: func(r postgres.RowReject) rejectPlace { return rejectPlace{r.RowNo, int32(r.ErrorNo)} },
		json:  asJSON(show),
		table: in.table(ended, found, columns),
	}
	return answerList(ctx, e, owner, list, in.PageInput, rejectPlace{})
}

// table returns how rejects are written as a table: a record for each reason.
func (in *RejectsInput) table(t task.Task, s postgres.Sheet, columns []sheet.Column) table[postgres.RowReject] {
	if in.asRecords() {
		return in.records(t, s, columns)
	}
	values := make([]value, len(rejectColumns))
	return table[postgres.RowReject]{
		fileID: t.SourceFileID, ending: fmt.Sprintf(".sheet%d.rejects", in.Number), title: cmp.Or(s.Name, "Sheet1"), columns: rejectColumns,
		split: byReason,
		rowNo: func(r postgres.RowReject) int64 { return r.RowNo },
		csv:   func(r postgres.RowReject) [][]byte { return rejectCells(r, in.csvText()) },
		values: func(r postgres.RowReject) []value {
			for i, cell := range rejectCells(r, func(text []byte) []byte { return text }) {
				values[i] = value{null: cell == nil, kind: rejectColumns[i].Type, text: string(cell)}
			}
			return values
		},
	}
}

// records returns how rejects are written for people to correct.
func (in *RejectsInput) records(t task.Task, s postgres.Sheet, columns []sheet.Column) table[postgres.RowReject] {
	form, text := &correctionForm{sheetID: s.ID, columns: columns, japanese: problem.Japanese(in.Language)}, in.csvText()
	return table[postgres.RowReject]{
		fileID: t.SourceFileID, ending: fmt.Sprintf(".sheet%d.rejects", in.Number), columns: form.names(), split: form.split,
		rowNo: func(r postgres.RowReject) int64 { return r.RowNo },
		csv: func(r postgres.RowReject) [][]byte {
			cells := form.show(r)
			for i, cell := range cells {
				cells[i] = text(cell)
			}
			return cells
		},
		book: func() itemWriter[postgres.RowReject] { return newCorrectionBook(form, cmp.Or(s.Name, "Sheet1")) },
	}
}

// rejectColumns are the columns of rejects as a table: the members of a Reject except the list.
var rejectColumns = []tableColumn{
	{"row_no", ofType(types.Integer)}, {"error_no", ofType(types.Integer)}, {"line", ofType(types.Integer)},
	{"byte_offset", ofType(types.Integer)}, {"cell_ref", ofType(types.Text)}, {"column_no", ofType(types.Integer)},
	{"column_name", ofType(types.Text)}, {"code", ofType(types.Text)}, {"message", ofType(types.Text)}, {"message_ja", ofType(types.Text)},
	{"raw", ofType(types.Text)}, {"last_column_no", ofType(types.Integer)},
}

func ofType(t types.Type) types.Report { return types.Report{Type: t} }

// byReason splits a reject into one per reason, because CSV has no lists. Only the first has the bytes.
func byReason(r postgres.RowReject) []postgres.RowReject {
	list := make([]postgres.RowReject, len(r.Errors))
	for i := range list {
		list[i] = r
		list[i].Errors = r.Errors[i : i+1]
		if i > 0 {
			list[i].Raw = nil
		}
	}
	return list
}

// rejectCells returns a reject's values, with its first reason, in the order of rejectColumns. Text from the file may
// hold a formula, which text makes harmless; base64 cannot, whatever it begins with.
func rejectCells(r postgres.RowReject, text func([]byte) []byte) [][]byte {
	e := showReject(r).RejectError
	return [][]byte{
		cellOf(&r.RowNo), cellOf(&r.ErrorNo), cellOf(r.Line), cellOf(r.ByteOffset), cellOf(r.CellRef), cellOf(e.ColumnNo),
		text(cellOf(e.ColumnName)),
		[]byte(e.Code), text([]byte(e.Message)), text(cellOf(e.MessageJA)), base64Of(r.Raw), cellOf(e.LastColumnNo),
	}
}

// cellOf returns a value as text, or nil for null.
func cellOf[T any](value *T) []byte {
	if value == nil {
		return nil
	}
	return fmt.Append(nil, *value)
}

func base64Of(raw []byte) []byte {
	if raw == nil {
		return nil
	}
	return base64.StdEncoding.AppendEncode([]byte{}, raw)
}
