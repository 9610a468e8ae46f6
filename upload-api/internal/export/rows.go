package export

import (
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

// RowsInput names a sheet, and says which of its rows are asked for, and how.
type RowsInput struct {
	SheetInput
	PageInput
	Shape  string `query:"shape" enum:"arrays,objects" doc:"A row as an array of cells (if not given), or as an object by column name."`
	Values string `query:"values" enum:"typed,raw" doc:"Cells in the types of their columns (if not given), or as the text that stands in the file."`
}

// RowColumn names a column of Rows.
type RowColumn struct {
	Name   string `json:"name" doc:"Unique within the sheet."`
	Label  string `json:"label" doc:"The header's text in the file."`
	Type   string `json:"type" doc:"integer, decimal, boolean, date, time, timestamp, duration or text."`
	Format string `json:"format,omitempty" doc:"How the file writes the values, such as YYYY/MM/DD or #,##0; none of text."`
}

// Rows is one answer's share of a sheet's rows.
type Rows struct {
	Columns []RowColumn `json:"columns"`
	Rows    []any       `json:"rows" doc:"Arrays of cells in the order of columns, or objects. Integers and decimals are numbers, but strings in a column that has one of more than 15 digits; booleans are booleans; dates, times, timestamps and durations are ISO 8601; what is empty is null. Text is as it stands in the file, and null where the file has no cell; with values=raw so is everything."`
	Next    *string     `json:"next" doc:"The cursor to go on with; null at the end."`
}

// Rows returns a sheet's rows, which are there exactly when the task is COMPLETED and was no dry run.
func (e *Exporter) Rows(ctx context.Context, owner string, in *RowsInput) (*huma.StreamResponse, error) {
	if in.format() == formatCSV && in.Shape == "objects" {
		return nil, problem.Parameter("query.shape", "A row of CSV has no other shape than an array.")
	}
	ended, err := e.endedTask(ctx, owner, in.ID, task.Completed)
	if err != nil {
		return nil, err
	}
	if isDryRun(ended) {
		return nil, problem.New(problem.DryRun, "The task was a dry run: it has loaded no row.")
	}
	found, err := e.DB.Sheet(ctx, owner, in.ID, in.Number)
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
	list := listing[postgres.SheetRow, int64]{
		name: fmt.Sprintf("rows/%d", found.ID),
		head: `{"columns":` + rowColumns(columns) + `,"rows":[`,
		read: func(ctx context.Context, after int64, limit int) ([]postgres.SheetRow, bool, error) {
			return e.DB.Rows(ctx, found.ID, after, limit)
		},
		place: func(r postgres.SheetRow) int64 { return r.RowNo },
		show:  func(r postgres.SheetRow) any { return form.show(r.Cells) },
		table: in.table(ended, columns, converters),
	}
	return answerList(ctx, e, owner, list, in.PageInput, 0)
}

func isDryRun(t task.Task) bool {
	var options struct {
		DryRun bool `json:"dry_run"`
	}
	return json.Unmarshal(t.Options, &options) == nil && options.DryRun
}

// form is how rows of these columns are asked for as JSON.
func (in *RowsInput) form(columns []sheet.Column, converters []types.Converter) *rowForm {
	form := &rowForm{value: rawValue, values: make([]any, 0, len(columns))}
	if in.Shape == "objects" {
		form.keys = objectKeys(columns)
	}
	if in.Values != "raw" {
		form.value = func(column int, cell []byte) any {
			value, _ := converters[column].Value(cell) // the file's text, if it is not of the type
			return value
		}
	}
	return form
}

// table is how they are asked for as CSV.
func (in *RowsInput) table(t task.Task, columns []sheet.Column, converters []types.Converter) csvTable[postgres.SheetRow] {
	form := &csvForm{columns: columns, converters: converters, raw: in.Values == "raw", text: in.csvText()}
	table := csvTable[postgres.SheetRow]{
		fileID: t.SourceFileID, ending: fmt.Sprintf(".sheet%d.csv", in.Number),
		cells: func(r postgres.SheetRow) [][]byte { return form.show(r.Cells) },
	}
	for _, c := range columns {
		table.columns = append(table.columns, c.Name)
	}
	return table
}

func rowColumns(columns []sheet.Column) string {
	shown := make([]RowColumn, len(columns))
	for i, c := range columns {
		shown[i] = RowColumn{c.Name, c.Label, string(c.Type), c.Format}
	}
	return mustJSON(shown)
}
