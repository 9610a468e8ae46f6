package export

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres/targetrows"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// TargetRowsInput selects which rows of a target to return, and in which form.
type TargetRowsInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	PageInput
	Filter     []string `query:"filter,explode" maxItems:"20" doc:"COLUMN.OPERATOR.VALUE; all of them hold. The operators are eq, ne, lt, le, gt, ge, in (values as a line of CSV), prefix (of text), is_null and not_null (without a value). A value is in its type's own form, as in a definition."`
	Columns    string   `query:"columns" doc:"Names of columns as a line of CSV, in the order in which they are wanted; all by default."`
	Provenance bool     `query:"provenance" doc:"Add where each row comes from: _load and _row (its number in the load's file), _file, and _edited, whether somebody other than a load has changed it. _load is 0 and _file null where the row was added by other means."`
	Shape      string   `query:"shape" enum:"arrays,objects" doc:"Each row as an array of cells (the default), or as an object keyed by column name."`
}

// TargetRowColumn names a column of TargetRows.
type TargetRowColumn struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Type  string `json:"type" doc:"As in the definition."`
}

// TargetRows is one page of a target's rows, in the order of its key.
type TargetRows struct {
	Columns []TargetRowColumn `json:"columns"`
	Rows    []any             `json:"rows" doc:"Arrays of cells in column order, or objects. Integers and decimals are numbers, or strings where they have more than 15 significant digits; booleans are booleans; dates, times, timestamps and durations are ISO 8601, instants in UTC; empty cells are null. A value that ISO 8601 or JSON does not have, such as infinity, is a string as PostgreSQL writes it."`
	Next    *string           `json:"next" doc:"The cursor of the next page; null at the end."`
}

// TargetTable is a target whose rows may be read.
type TargetTable struct {
	ID         uuid.UUID
	Name       string
	Schema     string
	Table      string
	Definition target.Definition
}

// TargetRows returns the rows of a target's table.
func (e *Exporter) TargetRows(ctx context.Context, owner string, t TargetTable, in *TargetRowsInput) (*huma.StreamResponse, error) {
	if in.isTable() && in.Shape == "objects" {
		return nil, problem.Parameter("query.shape", "Rows of a table can only be arrays.")
	}
	query, err := in.query(t.Definition)
	if err != nil {
		return nil, err
	}
	reader := &targetReader{
		Reader: targetrows.Reader{DB: e.DB, Timeout: e.RowsTimeout}, target: t, query: query, provenance: in.Provenance, cursor: in.Cursor != "",
	}
	columns := reader.columns()
	form := &rowForm{value: func(dst []byte, i int, cell []byte) []byte { return targetValue(columns[i].Type, cell).appendJSON(dst) }}
	if in.Shape == "objects" {
		for _, c := range columns {
			form.keys = append(form.keys, mustJSON(c.Name)+":")
		}
	}
	list := listing[targetrows.Row, targetrows.Position]{
		name:  "target-rows/" + t.ID.String(),
		head:  `{"columns":` + mustJSON(shownColumns(columns)) + `,"rows":[`,
		read:  reader.read,
		place: func(r targetrows.Row) targetrows.Position { return r.Position },
		json:  func(dst []byte, r targetrows.Row) []byte { return form.append(dst, r.Cells) },
		table: in.table(t.Name, columns),
	}
	return answerList(ctx, e, owner, list, in.PageInput, nil)
}

// targetReader reads the rows of one answer.
type targetReader struct {
	targetrows.Reader
	target     TargetTable
	query      targetrows.Query
	provenance bool
	cursor     bool // the request has one
}

// provenanceColumns are those that a target's table has besides; no definition may have a column with such a name.
var provenanceColumns = []target.Column{
	{Name: "_load", Type: target.Integer}, {Name: "_row", Type: target.Integer}, {Name: "_file", Type: target.Text},
	{Name: "_edited", Type: target.Boolean},
}

// columns are those of the answer.
func (r *targetReader) columns() []target.Column {
	var columns []target.Column
	for _, name := range r.query.Columns {
		c, _ := r.target.Definition.Column(name)
		columns = append(columns, c)
	}
	if r.provenance {
		columns = append(columns, provenanceColumns...)
	}
	return columns
}

func (r *targetReader) read(ctx context.Context, after targetrows.Position, limit int) ([]targetrows.Row, bool, error) {
	table := targetrows.Table{Schema: r.target.Schema, Name: r.target.Table, Definition: r.target.Definition}
	page, more, err := r.Page(ctx, table, r.query, after, limit)
	if err == nil && r.provenance {
		err = r.addProvenance(ctx, page)
	}
	return page, more, r.explain(err)
}

// addProvenance puts the cells of the provenance columns behind those of each row.
func (r *targetReader) addProvenance(ctx context.Context, page []targetrows.Row) error {
	var loads []int64
	for _, row := range page {
		if len(loads) == 0 || loads[len(loads)-1] != row.Load {
			loads = append(loads, row.Load)
		}
	}
	slices.Sort(loads)
	files, err := r.Files(ctx, r.target.ID, slices.Compact(loads))
	if err != nil {
		return err
	}
	for i, row := range page {
		var file []byte
		if name, ok := files[row.Load]; ok {
			file = []byte(name)
		}
		page[i].Cells = slices.Concat(row.Cells, [][]byte{
			strconv.AppendInt(nil, row.Load, 10), strconv.AppendInt(nil, row.Number, 10), file, strconv.AppendBool(nil, row.Edited),
		})
	}
	return nil
}

// explain returns the problem for an error of reading. Filters have been checked, so a wrong value is the cursor's, if there is one.
func (r *targetReader) explain(err error) error {
	switch {
	case errors.Is(err, targetrows.ErrBadPosition), errors.Is(err, targetrows.ErrBadValue) && r.cursor:
		return problem.New(problem.InvalidCursor, "The cursor was not issued by this list.")
	case errors.Is(err, targetrows.ErrBadValue):
		return problem.Parameter("query.filter", "A value does not fit the type of its column.")
	case errors.Is(err, targetrows.ErrTooSlow):
		return problem.New(problem.QueryTimeout,
			"The rows were not found within %s. Filter by columns with which an index begins, such as the key, or use SQL.", r.Timeout).Because(err)
	case errors.Is(err, targetrows.ErrNoTable):
		return problem.New(problem.NotFound, "The target's table is gone, may not be read any more, or lacks a column of the definition.").Because(err)
	}
	return err
}

func shownColumns(columns []target.Column) []TargetRowColumn {
	shown := make([]TargetRowColumn, len(columns))
	for i, c := range columns {
		shown[i] = TargetRowColumn{c.Name, c.Label, string(c.Type)}
	}
	return shown
}

// table returns how rows of these columns are written as a table.
func (in *TargetRowsInput) table(name string, columns []target.Column) table[targetrows.Row] {
	text, values, cells := in.csvText(), make([]value, len(columns)), make([][]byte, len(columns))
	described := table[targetrows.Row]{
		name: name, title: "Sheet1",
		rowNo: func(r targetrows.Row) int64 { return r.Number },
		csv: func(r targetrows.Row) [][]byte {
			for i, cell := range r.Cells {
				cells[i] = targetValue(columns[i].Type, cell).csv(text)
			}
			return cells
		},
		values: func(r targetrows.Row) []value {
			for i, cell := range r.Cells {
				values[i] = targetValue(columns[i].Type, cell)
			}
			return values
		},
	}
	for _, c := range columns {
		described.columns = append(described.columns, tableColumn{c.Name, types.Report{Type: engineType(c.Type), Format: formatOf(c.Type)}})
	}
	return described
}
