package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

type getRowsInput struct {
	SheetInput
	PageInput
	Shape string `query:"shape" enum:"arrays,objects" doc:"A row as an array of cells (if not given), or as an object by column name."`
}

// RowColumn names a column of Rows.
type RowColumn struct {
	Name string `json:"name" doc:"Unique within the sheet."`
	Type string `json:"type"`
}

// Rows is one answer's share of a sheet's rows.
type Rows struct {
	Columns []RowColumn `json:"columns"`
	Rows    []any       `json:"rows" doc:"Arrays of cells in the order of columns, or objects. A cell that the file does not have is null."`
	Next    *string     `json:"next" doc:"The cursor to go on with; null at the end."`
}

// getRows gives a sheet's rows, which are there exactly when the task is COMPLETED.
func (h *Handler) getRows(ctx context.Context, in *getRowsInput) (*huma.StreamResponse, error) {
	found, err := h.findSheet(ctx, in.SheetInput, task.Completed)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOf(found)
	if err != nil {
		return nil, err
	}
	list := listing[postgres.SheetRow, int64]{
		name: fmt.Sprintf("rows/%d", found.ID),
		head: `{"columns":` + rowColumns(columns) + `,"rows":[`,
		read: func(ctx context.Context, after int64, limit int) ([]postgres.SheetRow, bool, error) {
			return h.db.Rows(ctx, found.ID, after, limit)
		},
		place: func(r postgres.SheetRow) int64 { return r.RowNo },
		show:  func(r postgres.SheetRow) any { return r.Cells },
	}
	if in.Shape == "objects" {
		keys := objectKeys(columns)
		list.show = func(r postgres.SheetRow) any { return rowObject{keys, r.Cells} }
	}
	return answerList(ctx, h, list, in.PageInput, 0)
}

func rowColumns(columns []sheet.Column) string {
	shown := make([]RowColumn, len(columns))
	for i, c := range columns {
		shown[i] = RowColumn{c.Name, string(c.Type)}
	}
	return mustJSON(shown)
}

// rowObject is a row as a JSON object whose members stand in the order of the columns.
type rowObject struct {
	keys  []string // JSON strings with their colon
	cells []*string
}

func objectKeys(columns []sheet.Column) []string {
	keys := make([]string, len(columns))
	for i, c := range columns {
		keys[i] = mustJSON(c.Name) + ":"
	}
	return keys
}

// MarshalJSON implements json.Marshaler.
func (r rowObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := newEncoder(&b)
	b.WriteByte('{')
	for i, key := range r.keys[:min(len(r.keys), len(r.cells))] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key)
		if err := encoder.Encode(r.cells[i]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and what is made of them always marshal
	}
	return string(b)
}
