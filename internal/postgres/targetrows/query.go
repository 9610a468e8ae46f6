package targetrows

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/target"
)

// Table is a target's table.
type Table struct {
	Schema, Name string
	Definition   target.Definition
}

// Query is which rows are read, and what of them.
type Query struct {
	Columns []string // at least one
	Filters []Filter // all of them hold
}

// Filter is a condition on a column.
type Filter struct {
	Column   target.Column
	Operator Operator
	Values   []string // in the own form of the column's type: one, none for IsNull and NotNull, any number for In
}

// Operator compares a column with values.
type Operator string

// The operators. A row whose cell is empty is found by IsNull alone.
const (
	Equal          Operator = "eq"
	NotEqual       Operator = "ne"
	Less           Operator = "lt"
	LessOrEqual    Operator = "le"
	Greater        Operator = "gt"
	GreaterOrEqual Operator = "ge"
	In             Operator = "in"
	Prefix         Operator = "prefix" // of text
	IsNull         Operator = "is_null"
	NotNull        Operator = "not_null"
)

var comparisons = map[Operator]string{Equal: "=", NotEqual: "<>", Less: "<", LessOrEqual: "<=", Greater: ">", GreaterOrEqual: ">="}

// IsKnown reports whether there is such an operator.
func (o Operator) IsKnown() bool {
	_, compares := comparisons[o]
	return compares || o == In || o == Prefix || o == IsNull || o == NotNull
}

// TakesValue reports whether the operator compares with a value.
func (o Operator) TakesValue() bool { return o != IsNull && o != NotNull }

// takes reports whether the operator can have so many values.
func (o Operator) takes(values int) bool {
	switch {
	case !o.IsKnown():
		return false
	case !o.TakesValue():
		return values == 0
	}
	return values == 1 || o == In
}

// Position is the place of a row in the order of the rows, as text: its key or, in a table without one, its load, its number, and where it
// is stored, by which rows that were added by hand differ.
type Position []string

// Errors of a query.
var (
	errNoColumn    = errors.New("the target has no such column")
	errNoOperator  = errors.New("there is no such operator for these values")
	ErrBadPosition = errors.New("the position is none of this table's")
)

// statement is a query in SQL. Names come from the target's definition and are quoted, values are arguments.
type statement struct {
	strings.Builder
	args []any
}

func (t Table) statement(q Query, after Position, limit int) (*statement, error) {
	s := &statement{}
	order := t.order()
	if err := t.check(q, after); err != nil {
		return nil, err
	}
	fmt.Fprintf(s, `select array[%s]::text[] as cells, array[%s]::text[] as position, t._load as load, t._row as number, t._edited as edited from %s t where true`,
		listed(q.Columns, "::text"), listed(order, "::text"), pgx.Identifier{t.Schema, t.Name}.Sanitize())
	for _, f := range q.Filters {
		s.filter(f)
	}
	if after != nil {
		s.after(t, order, after)
	}
	fmt.Fprintf(s, ` order by %s limit %d`, listed(order, ""), limit+1)
	return s, nil
}

// check returns an error for what cannot be asked of the table.
func (t Table) check(q Query, after Position) error {
	for _, name := range q.Columns {
		if _, ok := t.Definition.Column(name); !ok {
			return fmt.Errorf("%w: %q", errNoColumn, name)
		}
	}
	for _, f := range q.Filters {
		if _, ok := t.Definition.Column(f.Column.Name); !ok {
			return fmt.Errorf("%w: %q", errNoColumn, f.Column.Name)
		}
		if !f.Operator.takes(len(f.Values)) || f.Operator == Prefix && f.Column.Type != target.Text {
			return fmt.Errorf("%w: %q", errNoOperator, f.Operator)
		}
	}
	if after != nil && len(after) != len(t.order()) {
		return ErrBadPosition
	}
	return nil
}

// order are the columns that order the rows and tell them apart.
func (t Table) order() []string {
	if len(t.Definition.Key) == 0 {
		return []string{"_load", "_row", "ctid"}
	}
	return t.Definition.Key
}

func (s *statement) filter(f Filter) {
	column := listed([]string{f.Column.Name}, "")
	s.WriteString(` and `)
	switch f.Operator {
	case IsNull:
		s.WriteString(column + ` is null`)
	case NotNull:
		s.WriteString(column + ` is not null`)
	case Prefix:
		fmt.Fprintf(s, `starts_with(%s, %s)`, column, s.argument(f.Values[0]))
	case In:
		values := make([]string, len(f.Values))
		for i, v := range f.Values {
			values[i] = f.Column.SQLValue(v)
		}
		fmt.Fprintf(s, `%s = any (%s::text[]::%s[])`, column, s.argument(values), typeNames[f.Column.Type])
	default:
		fmt.Fprintf(s, `%s %s %s::text::%s`, column, comparisons[f.Operator], s.argument(f.Column.SQLValue(f.Values[0])), typeNames[f.Column.Type])
	}
}

// after is that a row comes later than a position. The first column is compared by itself, too: that finds the blocks of a load by the
// index of loads.
func (s *statement) after(t Table, order []string, after Position) {
	values := make([]string, len(order))
	for i, name := range order {
		values[i] = s.argument(after[i]) + `::text::` + t.typeOf(name)
	}
	fmt.Fprintf(s, ` and %s >= %s and row(%s) > row(%s)`, listed(order[:1], ""), values[0], listed(order, ""), strings.Join(values, ", "))
}

// argument adds a value and returns the parameter that stands for it.
func (s *statement) argument(value any) string {
	s.args = append(s.args, value)
	return fmt.Sprintf(`$%d`, len(s.args))
}

// typeOf returns the type of a column that orders the rows.
func (t Table) typeOf(name string) string {
	if c, ok := t.Definition.Column(name); ok {
		return typeNames[c.Type]
	}
	if name == "ctid" {
		return "tid"
	}
	return "bigint"
}

// typeNames are types without their limits: 1.005 is not rounded before it is compared.
var typeNames = map[target.Type]string{
	target.Text: "text", target.Integer: "bigint", target.Decimal: "numeric", target.Boolean: "boolean", target.Date: "date",
	target.Time: "time", target.Timestamp: "timestamp", target.Instant: "timestamptz", target.Duration: "interval",
}

// listed are columns of t, quoted.
func listed(names []string, suffix string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = `t.` + pgx.Identifier{name}.Sanitize() + suffix
	}
	return strings.Join(list, ", ")
}
