package types_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// column reads a column whose cells stand with a bar between.
func column(cells string) types.Report {
	return observe(strings.Split(cells, "|"))
}

func observe(cells []string) types.Report { return observeAll(cells)[0] }

// observeAll reads columns side by side; where one is shorter than others, the file has no cells.
func observeAll(columns ...[]string) []types.Report {
	t := types.NewTable(len(columns))
	row := make([][]byte, len(columns))
	rows := 0
	for _, cells := range columns {
		rows = max(rows, len(cells))
	}
	for i := range rows {
		for j, cells := range columns {
			row[j] = nil
			if i < len(cells) {
				row[j] = append([]byte{}, cells[i]...)
			}
		}
		t.Add(int64(i+1), row)
	}
	return t.Reports()
}

// converter returns the Converter of a report.
func converter(t testing.TB, r types.Report) types.Converter {
	t.Helper()
	c, err := types.NewConverter(r.Type, r.Format, r.Digits)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// value returns a cell's value as JSON, "" if the cell is not of the type.
func value(t testing.TB, c types.Converter, cell string) string {
	t.Helper()
	v, ok := c.Value([]byte(cell))
	if !ok {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%q: %v", cell, err)
	}
	return string(b)
}

// columnTest is a column and how it must be read.
type columnTest struct {
	cells  string
	kind   types.Type
	format string
	values string // as JSON, with a bar between; "" where each value is its text
}

func testColumns(t *testing.T, tests []columnTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.cells, func(t *testing.T) {
			t.Parallel()
			r := column(tt.cells)
			if r.Type != tt.kind || r.Format != tt.format {
				t.Errorf("is %s %q, not %s %q", r.Type, r.Format, tt.kind, tt.format)
			}
			c := converter(t, r)
			var values []string
			for cell := range strings.SplitSeq(tt.cells, "|") {
				values = append(values, value(t, c, cell))
			}
			if got := strings.Join(values, "|"); tt.values != "" && got != tt.values {
				t.Errorf("gives %s\n   not %s", got, tt.values)
			}
		})
	}
}

// textColumns must stay text, cell by cell.
func textColumns(t *testing.T, columns ...string) {
	t.Helper()
	for _, cells := range columns {
		if r := column(cells); r.Type != types.Text || r.Format != "" {
			t.Errorf("%s is %s %q", cells, r.Type, r.Format)
		}
	}
}
