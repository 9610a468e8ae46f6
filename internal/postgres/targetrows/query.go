// Package targetrows reads the rows of a target's table, filtered, page by page.
package targetrows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/target"
)

// Table is a target's table.
type Table struct {
	Schema, Name string
	Columns      []target.Column
	Key          []string // none: its rows are known, and ordered, by their load and number
	Role         string   // as which it is read; "" is the session's own
}

// Query is which rows are read, and what of them.
type Query struct {
	Filters    []Filter // all of them hold
	Columns    []string // none: all
	Descending bool     // by the key
}

// Filter is a condition on a column.
type Filter struct {
	Column   string
	Operator Operator
	Not      bool
	Values   []string // in the text form of the column's type; one, but for In and IsNull
}

// Operator compares a column with a value.
type Operator string

// The operators, by PostgREST's names: https://docs.postgrest.org/en/stable/references/api/tables_views.html#operators.
const (
	Equal          Operator = "eq"
	NotEqual       Operator = "neq"
	Greater        Operator = "gt"
	GreaterOrEqual Operator = "gte"
	Less           Operator = "lt"
	LessOrEqual    Operator = "lte"
	In             Operator = "in"
	IsNull         Operator = "is"
)

var comparisons = map[Operator]string{Equal: "=", NotEqual: "<>", Greater: ">", GreaterOrEqual: ">=", Less: "<", LessOrEqual: "<="}

// Position is the key of a row, as text, behind which a page begins.
type Position []string

// Row is one row.
type Row struct {
	Cells    [][]byte // as text, in the order of the query's columns; nil is NULL
	Position Position
}

// statement is a query in SQL with its arguments.
type statement struct {
	strings.Builder
	args []any
}

func (t Table) statement(q Query, after Position) (*statement, error) {
	s := &statement{}
	key := t.order()
	s.WriteString(`select array[` + texts(q.columns(t)) + `]::text[], array[` + texts(key) + `]::text[] from ` + pgx.Identifier{t.Schema, t.Name}.Sanitize())
	conjunction := ` where `
	for _, f := range q.Filters {
		s.WriteString(conjunction)
		if err := s.filter(t, f); err != nil {
			return nil, err
		}
		conjunction = ` and `
	}
	comparison, direction := ` > `, ``
	if q.Descending {
		comparison, direction = ` < `, ` desc`
	}
	if after != nil {
		if len(after) != len(key) {
			return nil, fmt.Errorf("a position of %d values in a table whose key has %d", len(after), len(key))
		}
		s.WriteString(conjunction + `row(` + names(key, "") + `)` + comparison + `row(`)
		for i, k := range key {
			if i > 0 {
				s.WriteString(`, `)
			}
			s.value(t, k, after[i])
		}
		s.WriteString(`)`)
	}
	s.WriteString(` order by ` + names(key, direction))
	return s, nil
}

// order are the columns that order the rows and tell them apart.
func (t Table) order() []string {
	if len(t.Key) == 0 {
		return []string{"_load", "_row"}
	}
	return t.Key
}

func (q Query) columns(t Table) []string {
	if len(q.Columns) > 0 {
		return q.Columns
	}
	all := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		all[i] = c.Name
	}
	return all
}

func (s *statement) filter(t Table, f Filter) error {
	if !slices.ContainsFunc(t.Columns, func(c target.Column) bool { return c.Name == f.Column }) {
		return fmt.Errorf("the table has no column %q", f.Column)
	}
	if f.Not {
		s.WriteString(`not `)
	}
	s.WriteString(`(` + names([]string{f.Column}, ""))
	switch comparison, known := comparisons[f.Operator]; {
	case f.Operator == IsNull:
		s.WriteString(` is null)`)
	case f.Operator == In:
		s.args = append(s.args, f.Values)
		fmt.Fprintf(s, ` = any ($%d::text[]::%s[]))`, len(s.args), t.typeOf(f.Column))
	case known && len(f.Values) == 1:
		s.WriteString(` ` + comparison + ` `)
		s.value(t, f.Column, f.Values[0])
		s.WriteString(`)`)
	default:
		return fmt.Errorf("no operator %q for %d values", f.Operator, len(f.Values))
	}
	return nil
}

// value adds a value as a parameter, which arrives as text and is cast to its column's type.
func (s *statement) value(t Table, column, text string) {
	s.args = append(s.args, text)
	fmt.Fprintf(s, `$%d::text::%s`, len(s.args), t.typeOf(column))
}

// typeOf returns the type of a column for a cast, without its limits: 1.005 is not rounded before it is compared.
func (t Table) typeOf(column string) string {
	for _, c := range t.Columns {
		if c.Name == column {
			return typeNames[c.Type]
		}
	}
	return "bigint" // _load, _row
}

var typeNames = map[target.Type]string{
	target.Text: "text", target.Integer: "bigint", target.Decimal: "numeric", target.Boolean: "boolean", target.Date: "date",
	target.Time: "time", target.Timestamp: "timestamp", target.Instant: "timestamptz", target.Duration: "interval",
}

func names(columns []string, suffix string) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = pgx.Identifier{c}.Sanitize() + suffix
	}
	return strings.Join(list, ", ")
}

func texts(columns []string) string { return names(columns, "::text") }
