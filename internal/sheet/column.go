package sheet

import (
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// Column is what is known of a column: its names, and what was found out about its values in the rows that were accepted.
type Column struct {
	Name  string `json:"name"`  // unique within the sheet: the label, trimmed, with _2, _3 … where it repeats; column_3 for an empty one
	Label string `json:"label"` // the header's cell as it stands in the file
	types.Report
}

// NewConverters makes what gives the values of the columns in their types, one for each. The error is of columns that no Sheet made.
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

// newColumns makes the columns of a header. A label that stands once keeps its name even where an earlier repeat could have taken it.
func newColumns(header []string) []Column {
	columns := make([]Column, len(header))
	taken := make(map[string]bool, len(header))
	for i, label := range header {
		name := strings.TrimSpace(label)
		if name == "" {
			name = "column_" + strconv.Itoa(i+1)
		}
		columns[i] = Column{Name: name, Label: label, Report: types.Report{Type: types.Text}}
		taken[name] = true
	}
	seen := make(map[string]int, len(header)) // how often, or the number that was tried last
	for i := range columns {
		name := columns[i].Name
		if seen[name]++; seen[name] == 1 {
			continue
		}
		columns[i].Name = freeName(name, taken, seen)
	}
	return columns
}

func freeName(name string, taken map[string]bool, tried map[string]int) string {
	for n := tried[name]; ; n++ {
		if free := name + "_" + strconv.Itoa(n); !taken[free] {
			tried[name] = n
			return free
		}
	}
}
