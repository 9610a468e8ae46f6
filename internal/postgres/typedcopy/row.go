// Package typedcopy writes the cells of a file's rows as values of a target's columns, in PostgreSQL's binary COPY format. The engine
// checks what a cell's text must be; this package, whether its value fits into the column's type. No value is rounded.
package typedcopy

import (
	"fmt"
	"time"
	_ "time/tzdata" // a server may not have the zones

	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// Source is a column of a target, and where its values come from.
type Source struct {
	target.Column
	ColumnNo int    // of the file, from 1
	Format   string // of the cells; "": any that can be told apart cell by cell
	Key      bool   // it is of the target's key, for which no default can stand

	NullWords bool // N/A and the like are no values
}

// Writer writes rows. It is not safe for concurrent use.
type Writer struct {
	columns []column
	faults  []Fault
}

// column is one with what its values need.
type column struct {
	Source
	cells        types.Converter
	defaultValue []byte // in the form of types.Converter.Append; nil: NULL
	zone         *time.Location
	min, max     *int64 // of an instant, in microseconds since 2000
	text, digits []byte // reused
}

// New returns a Writer of rows with these columns, in this order.
func New(sources []Source) (*Writer, error) {
	w := &Writer{columns: make([]column, len(sources))}
	for i, s := range sources {
		if err := w.columns[i].prepare(s); err != nil {
			return nil, fmt.Errorf("column %s: %w", s.Name, err)
		}
	}
	return w, nil
}

func (c *column) prepare(s Source) (err error) {
	c.Source = s
	if c.cells, err = types.NewConverter(EngineType(s.Type), s.Format, 0); err != nil {
		return err
	}
	if s.Zone != "" {
		if c.zone, err = time.LoadLocation(s.Zone); err != nil {
			return err
		}
	}
	if s.Default != nil {
		if c.defaultValue, err = c.written(*s.Default); err != nil {
			return err
		}
	}
	if s.Type == target.Instant {
		if c.min, err = c.limit(s.Min); err == nil {
			c.max, err = c.limit(s.Max)
		}
	}
	return err
}

// written returns a value of the definition, which is in the type's own form.
func (c *column) written(text string) ([]byte, error) {
	own, err := types.NewConverter(EngineType(c.Type), "", 0)
	if err != nil {
		return nil, err
	}
	value, ok := own.Append([]byte{}, []byte(text))
	if !ok {
		return nil, fmt.Errorf("%q is not of the type %s", text, c.Type)
	}
	return value, nil
}

func (c *column) limit(text string) (*int64, error) {
	if text == "" {
		return nil, nil
	}
	value, err := c.written(text)
	if err != nil {
		return nil, err
	}
	at, problem := c.instant(value)
	if problem != fits {
		return nil, fmt.Errorf("%q is no instant", text)
	}
	return &at, nil
}

// EngineType returns the type by which the engine reads the cells of a target's column.
func EngineType(t target.Type) types.Type {
	if t == target.Instant {
		return types.Timestamp
	}
	return types.Type(t)
}

// Rule returns what the engine is to check of the column's cells; name is what the file calls it.
func (s Source) Rule(name string) types.Rule {
	r := types.Rule{
		Name: name, Type: EngineType(s.Type), Format: s.Format, Required: s.Required && (s.Default == nil || s.Key),
		Pattern: s.Pattern, Min: s.Min, Max: s.Max, Allowed: s.Allowed, NullWords: s.NullWords,
	}
	if s.Type == target.Instant { // the engine does not know the zone
		r.Min, r.Max = "", ""
	}
	return r
}

// Fields is how many fields Append adds to a row.
func (w *Writer) Fields() int { return len(w.columns) }

// Append adds the row's fields, after those that the caller has begun the row with. It returns the faults of cells whose values do not fit:
// the row, which must not be sent, is then to be cut off. They are valid until the next call.
func (w *Writer) Append(b *binarycopy.Buffer, cells [][]byte) []Fault {
	w.faults = w.faults[:0]
	for i := range w.columns {
		c := &w.columns[i]
		if problem := c.append(b, cells[c.ColumnNo-1]); problem != fits {
			w.faults = append(w.faults, c.fault(problem))
		}
	}
	return w.faults
}

func (c *column) append(b *binarycopy.Buffer, cell []byte) problem {
	if types.IsBlank(cell) {
		return c.noValue(b)
	}
	if c.Type == target.Text {
		return c.value(b, cell)
	}
	var ok bool
	if c.text, ok = c.cells.Append(c.text[:0], cell); ok {
		return c.value(b, c.text)
	}
	if c.NullWords && c.cells.IsNullWord(cell) {
		return c.noValue(b)
	}
	return notOfType
}

func (c *column) noValue(b *binarycopy.Buffer) problem {
	if c.defaultValue == nil {
		b.Null()
		return fits
	}
	return c.value(b, c.defaultValue)
}
