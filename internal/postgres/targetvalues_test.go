package postgres_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// A cell is the same value in a target as in a view of its sheet, however it is written: whoever loads a file into a target after having looked
// at its view finds there what the view has shown, or the cell is a reject. These are the cells of all files that were ever read.
func TestTargetsHoldWhatViewsShow(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	for name, content := range everyFile(t) {
		t.Run(name, func(t *testing.T) {
			for _, c := range columnsOf(t, content) {
				reader.checkTarget(t, c)
			}
		})
	}
}

// The same in all formats that a column can have, for all ways in which a cell can be written.
func TestTargetsHoldWhatViewsShowInEveryFormat(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	cells := slices.Concat(everyCell()...)
	done := map[string]bool{}
	for _, c := range everyFormat() {
		c.digits = 1000
		c.cells = accept(t, c, sample(cells, 4000))
		same := reader.expression(t, c) + string(bytes.Join(c.cells, []byte("\n")))
		if done[same] {
			continue
		}
		done[same] = true
		reader.checkTarget(t, c)
	}
	if len(done) < 30 {
		t.Errorf("only %d ways to read a column", len(done))
	}
}

// targetType returns the type of a target's column that has the values of a view's.
func targetType(kind types.Type, expression string) target.Type {
	if kind == types.Timestamp && strings.Contains(expression, "instant") {
		return target.Instant
	}
	return target.Type(kind)
}

// finer is what PostgreSQL keeps no more of: a view cuts it off.
var finer = regexp.MustCompile(`[.,．，]\p{Nd}{7,}`)

// checkTarget compares what a target's column has of cells with what a view shows of them, where everything else in the column is of its type.
// A target refuses those that it could not keep as they are; it has NULL for a text of white space.
func (r cellReader) checkTarget(t *testing.T, c typedColumn) {
	t.Helper()
	expression := r.expression(t, c)
	column := target.Column{Name: "v", Type: targetType(c.kind, expression)}
	if column.Type == target.Instant {
		column.Zone = "UTC"
	}
	w, err := typedcopy.New([]typedcopy.Source{{Column: column, ColumnNo: 1, Format: c.format, NullWords: true}})
	if err != nil {
		t.Fatalf("%s %q: %v", c.kind, c.format, err)
	}
	var (
		kept          []*string
		copied, tried binarycopy.Buffer
	)
	for _, cell := range c.cells {
		if faults := w.Append(&tried, [][]byte{cell}); len(faults) > 0 {
			if faults[0].Code != types.OutOfRange || digitsIn(cell) < 19 && !finer.Match(cell) {
				t.Errorf("%s %q: a target refuses %q: %s", c.kind, c.format, cell, faults[0].Message)
			}
			continue
		}
		if c.kind == types.Text && types.IsBlank(cell) {
			continue
		}
		copied.Row(2)
		copied.Int64(int64(len(kept) + 1))
		w.Append(&copied, [][]byte{cell})
		kept = append(kept, textOf(cell))
	}
	if len(kept) > 0 {
		r.compareTarget(t, c, column, expression, kept, copied.Complete())
	}
}

func textOf(cell []byte) *string {
	if cell == nil {
		return nil
	}
	return new(string(cell))
}

func (r cellReader) compareTarget(t *testing.T, c typedColumn, column target.Column, expression string, cells []*string, copied []byte) {
	t.Helper()
	kind := string(column.Type)
	switch column.Type {
	case target.Integer:
		kind = "bigint"
	case target.Instant:
		kind = "timestamptz"
	case target.Duration:
		kind = "interval"
	}
	if _, err := r.conn.Exec(t.Context(), `set client_min_messages = warning; drop table if exists one; create temp table one (n bigint, v `+kind+`)`); err != nil {
		t.Fatal(err)
	}
	if _, err := r.conn.PgConn().CopyFrom(t.Context(), bytes.NewReader(copied), `copy one from stdin (format binary)`); err != nil {
		t.Fatalf("%s %q: %v", c.kind, c.format, err)
	}
	rows, err := r.conn.Query(t.Context(), `select x.cell, x.v::text, x.got::text from (
  select r.cell, r.v, `+expression+` as got from (
    select u.cell, o.v, array['another', null, u.cell] as cells from unnest($1::text[]) with ordinality as u (cell, n) join one o using (n)
  ) r
) x where x.v is distinct from x.got limit 5`, cells)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	var cell, value, got *string
	_, err = pgx.ForEachRow(rows, []any{&cell, &value, &got}, func() error {
		t.Errorf("%s %q: %s is %s in a target, and a view shows %s", c.kind, c.format, shown(cell), shown(value), shown(got))
		return nil
	})
	if err != nil {
		t.Errorf("%s %q, %s: %v", c.kind, c.format, expression, err)
	}
}
