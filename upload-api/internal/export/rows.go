package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// RowsInput identifies a sheet and selects which of its rows to return, and in which form.
type RowsInput struct {
	SheetInput
	PageInput
	Shape  string `query:"shape" enum:"arrays,objects,numbered" doc:"Each row as an array of cells (the default), as an object keyed by column name, or as a NumberedRow."`
	After  int64  `query:"after" minimum:"0" doc:"Begin after this row number, so that any part of a large sheet is read at once. A cursor takes precedence."`
	Values string `query:"values" enum:"typed,raw" doc:"Cells as values of their columns' types (the default) or as the text in the file."`
}

// RowColumn names a column of Rows.
type RowColumn struct {
	Name   string `json:"name" doc:"Unique within the sheet."`
	Label  string `json:"label" doc:"The header's text as in the file."`
	Type   string `json:"type" doc:"integer, decimal, boolean, date, time, timestamp, duration or text."`
	Format string `json:"format,omitempty" doc:"How the file writes the values, such as YYYY/MM/DD or #,##0; empty for text."`
}

// Rows is one page of a sheet's rows.
type Rows struct {
	Columns []RowColumn `json:"columns"`
	Rows    []any       `json:"rows" doc:"Arrays of cells in column order, or objects. Integers and decimals are numbers, or strings in a column with a value of more than 15 digits; booleans are booleans; dates, times, timestamps and durations are ISO 8601; empty cells are null. Text is as in the file, or null if the row has no such cell; with values=raw every cell is."`
	Next    *string     `json:"next" doc:"The cursor of the next page; null at the end."`

	LastRowNo *int64 `json:"last_row_no,omitempty" doc:"Only with shape=numbered: the number of the sheet's last row or reject."`
}

// NumberedRow is a row with its place in the file.
type NumberedRow struct {
	RowNo int64  `json:"row_no" doc:"The record's number in the sheet, from 1, as that of a reject; row numbers have gaps where no row was loaded."`
	Line  *int64 `json:"line" doc:"The line in the file, from 1; null in workbooks."`
	Cells any    `json:"cells" doc:"As with shape=arrays."`
}

// Rows returns a sheet's rows, which exist exactly when the task is COMPLETED and was not a dry run.
func (e *Exporter) Rows(ctx context.Context, owner string, in *RowsInput) (*huma.StreamResponse, error) {
	if in.isTable() && in.Shape != "" && in.Shape != "arrays" {
		return nil, problem.Parameter("query.shape", "Rows of a table can only be arrays.")
	}
	ended, found, err := e.LoadedSheet(ctx, owner, in.SheetInput)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOf(found)
	if err != nil {
		return nil, err
	}
	converters, err := sheet.NewConverters(columns)
	if err != nil {
		return nil, fmt.Errorf("sheet %d: %w", found.ID, err)
	}
	form := in.form(columns, converters)
	last := ""
	if in.Shape == "numbered" {
		number, err := e.DB.LastRowNo(ctx, found.ID)
		if err != nil {
			return nil, err
		}
		last = fmt.Sprintf(`,"last_row_no":%d`, number)
	}
	rows := e.DB.RowReader(found.ID)
	list := listing[postgres.SheetRow, int64]{
		name:  fmt.Sprintf("rows/%d", found.ID),
		head:  `{"columns":` + rowColumns(columns) + last + `,"rows":[`,
		read:  rows.Page,
		place: func(r postgres.SheetRow) int64 { return r.RowNo },
		json: func(dst []byte, r postgres.SheetRow) []byte {
			if in.Shape == "numbered" {
				return form.appendNumbered(dst, r.RowNo, r.Line, r.Cells)
			}
			return form.append(dst, r.Cells)
		},
		table: in.table(ended, found, columns, converters),
	}
	return answerList(ctx, e, owner, list, in.PageInput, in.After)
}

// LoadedSheet returns a sheet whose rows are there, with its task.
func (e *Exporter) LoadedSheet(ctx context.Context, owner string, in SheetInput) (task.Task, postgres.Sheet, error) {
	ended, err := e.endedTask(ctx, owner, in.ID, task.Completed)
	if err != nil {
		return task.Task{}, postgres.Sheet{}, err
	}
	if isDryRun(ended) {
		return task.Task{}, postgres.Sheet{}, problem.New(problem.DryRun, "The task was a dry run and has loaded no rows.")
	}
	if ended.TargetID != nil {
		return task.Task{}, postgres.Sheet{}, problem.New(problem.RowsInTarget, "The task has loaded its rows into a target's table.")
	}
	found, err := e.DB.Sheet(ctx, owner, in.ID, in.Number)
	return ended, found, err
}

func isDryRun(t task.Task) bool {
	var options struct {
		DryRun bool `json:"dry_run"`
	}
	return json.Unmarshal(t.Options, &options) == nil && options.DryRun
}

// form returns how rows of these columns are written as JSON.
func (in *RowsInput) form(columns []sheet.Column, converters []types.Converter) *rowForm {
	form := &rowForm{value: appendRaw}
	if in.Shape == "objects" {
		form.keys = objectKeys(columns)
	}
	if in.Values != "raw" {
		form.value = func(dst []byte, column int, cell []byte) []byte { return appendTyped(dst, converters[column], cell) }
	}
	return form
}

// table returns how rows of these columns are written as a table.
func (in *RowsInput) table(t task.Task, s postgres.Sheet, columns []sheet.Column, converters []types.Converter) table[postgres.SheetRow] {
	raw := in.Values == "raw"
	form := &csvForm{columns: columns, converters: converters, raw: raw, text: in.csvText()}
	values := make([]value, len(columns))
	described := table[postgres.SheetRow]{
		fileID: t.SourceFileID, ending: fmt.Sprintf(".sheet%d", in.Number), title: cmp.Or(s.Name, "Sheet1"),
		rowNo: func(r postgres.SheetRow) int64 { return r.RowNo },
		csv:   func(r postgres.SheetRow) [][]byte { return form.show(r.Cells) },
		values: func(r postgres.SheetRow) []value {
			for i, cell := range r.Cells {
				if raw {
					values[i] = rawText(cell)
				} else {
					values[i] = typedValue(columns[i].Type, converters[i], cell)
				}
			}
			return values[:len(r.Cells)]
		},
	}
	for _, c := range columns {
		if raw {
			c.Report = types.Report{Type: types.Text}
		}
		described.columns = append(described.columns, tableColumn{c.Name, c.Report})
	}
	return described
}

func rowColumns(columns []sheet.Column) string {
	shown := make([]RowColumn, len(columns))
	for i, c := range columns {
		shown[i] = RowColumn{c.Name, c.Label, string(c.Type), c.Format}
	}
	return mustJSON(shown)
}
