package sheet

import (
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// Column is what is known about a column: its names, and what the accepted rows show about its values.
type Column struct {
	Name  string `json:"name"`  // unique within the sheet: the label, trimmed, with _2, _3 … if it repeats; column_3 if it is empty
	Label string `json:"label"` // the header's cell as in the file
	types.Report
}

// NewConverters returns a converter for each column, which returns the values of its cells in the column's type. It
// fails only for columns that no Sheet has returned.
func NewConverters(columns []Column) ([]types.Converter, error) {
	list := make([]types.Converter, len(columns))
	for i, c := range columns {
		var err error
		if list[i], err = types.NewConverter(c.Type, c.Format, c.Digits); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// newColumns makes the columns of a header.
func newColumns(header []string) []Column {
	columns := make([]Column, len(header))
	for i, name := range ColumnNames(header) {
		columns[i] = Column{Name: name, Label: header[i], Report: types.Report{Type: types.Text}}
	}
	return columns
}

// ColumnNames returns the unique names of the columns with these labels (see Column). A label that occurs once keeps its
// name even if an earlier repetition could have taken it.
func ColumnNames(labels []string) []string {
	names := make([]string, len(labels))
	taken := make(map[string]bool, len(labels))
	for i, label := range labels {
		if names[i] = strings.TrimSpace(label); names[i] == "" {
			names[i] = "column_" + strconv.Itoa(i+1)
		}
		taken[names[i]] = true
	}
	seen := make(map[string]int, len(labels)) // how often, or the number tried last
	for i, name := range names {
		if seen[name]++; seen[name] > 1 {
			names[i] = freeName(name, taken, seen)
		}
	}
	return names
}

func freeName(name string, taken map[string]bool, tried map[string]int) string {
	for n := tried[name]; ; n++ {
		if free := name + "_" + strconv.Itoa(n); !taken[free] {
			tried[name] = n
			return free
		}
	}
}
