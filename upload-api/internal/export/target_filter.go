package export

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/postgres/targetrows"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// maxFilterValues is how many values a filter may list.
const maxFilterValues = 1000

// query returns what the request asks of the table, or the problem of what it cannot.
func (in *TargetRowsInput) query(d target.Definition) (query targetrows.Query, err error) {
	if query.Columns, err = in.chosenColumns(d); err != nil {
		return query, err
	}
	for _, text := range in.Filter {
		filter, wrong := parseFilter(d, text)
		if wrong != "" {
			return query, problem.Parameter("query.filter", wrong)
		}
		query.Filters = append(query.Filters, filter)
	}
	return query, nil
}

func (in *TargetRowsInput) chosenColumns(d target.Definition) (names []string, err error) {
	if in.Columns == "" {
		for _, c := range d.Columns {
			names = append(names, c.Name)
		}
		return names, nil
	}
	if names, err = csvLine(in.Columns); err != nil {
		return nil, problem.Parameter("query.columns", "The names are not a line of CSV.")
	}
	for i, name := range names {
		switch _, ok := d.Column(name); {
		case !ok:
			return nil, problem.Parameter("query.columns", fmt.Sprintf("The target has no column %q.", name))
		case slices.Contains(names[:i], name):
			return nil, problem.Parameter("query.columns", fmt.Sprintf("The column %q is named twice.", name))
		}
	}
	return names, nil
}

// csvLine reads one record of CSV.
func csvLine(text string) ([]string, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, csv.ErrQuote
	}
	return csv.NewReader(strings.NewReader(text)).Read()
}

// parseFilter reads COLUMN.OPERATOR.VALUE, or says what is wrong with it. A column's name may have points: the longest one behind which an
// operator stands is meant.
func parseFilter(d target.Definition, text string) (found targetrows.Filter, wrong string) {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return found, "The filter is no text."
	}
	named, value := false, ""
	for _, c := range d.Columns {
		rest, ok := strings.CutPrefix(text, c.Name+".")
		if !ok {
			continue
		}
		named = true
		operator, after, hasValue := strings.Cut(rest, ".")
		if known := targetrows.Operator(operator); len(c.Name) > len(found.Column.Name) && known.IsKnown() && hasValue == known.TakesValue() {
			found.Column, found.Operator, value = c, known, after
		}
	}
	switch {
	case found.Operator == "" && !named:
		return found, fmt.Sprintf("%q does not begin with a column of the target and a point.", text)
	case found.Operator == "":
		return found, fmt.Sprintf("%q has no operator with a value behind the column: eq, ne, lt, le, gt, ge, in, prefix; or is_null, not_null without one.", text)
	case found.Operator == targetrows.Prefix && found.Column.Type != target.Text:
		return found, fmt.Sprintf("%q: prefix is for columns of the type text, not %s.", text, found.Column.Type)
	}
	return withValues(found, value)
}

// withValues adds the values of a filter.
func withValues(f targetrows.Filter, text string) (_ targetrows.Filter, wrong string) {
	switch {
	case f.Operator == targetrows.In:
		values, err := csvLine(text)
		if err != nil || len(values) > maxFilterValues {
			return f, fmt.Sprintf("The values of in have to be one line of CSV, with %d values at most.", maxFilterValues)
		}
		f.Values = values
	case f.Operator.TakesValue():
		f.Values = []string{text}
	}
	for _, v := range f.Values {
		if !f.Column.IsValue(v) {
			return f, fmt.Sprintf("%q is no value of the column %q: its type is %s, whose own form is such as %s.", v, f.Column.Name, f.Column.Type, f.Column.Type.Example())
		}
	}
	return f, ""
}
