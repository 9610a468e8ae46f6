package grid

import (
	"bytes"
	"unicode/utf8"
)

// Row is a row with at least one value, fault or warning. It and everything it points to are valid until the next call
// of Next, and must not be modified.
type Row struct {
	No        int64  // Excel's number, from 1; in a row with a fault possibly a guess
	Cells     []Cell // by column; cells that are missing or without a value in the file are omitted
	Fault     Code   // why the whole row cannot be read
	Displaced bool   // it has a fault, and another row may have this number
	Level     uint8  // how deep the workbook has grouped it, below rows of lower levels; 0 if it has not
}

// Cell is a cell with a value, a fault or a warning.
type Cell struct {
	Column  int       // from 1; 0 with the fault BadReference; may not ascend with the fault DuplicateCell
	Kind    ValueKind // of Text; 0 if there is none
	Strong  bool      // it is bold, or its ground has a colour
	Shown   Shown     // how its number is displayed
	Indent  uint8     // by how many steps it is indented
	Text    []byte    // UTF-8 except with the fault InvalidEncoding; with a fault as much as could be read
	Fault   Code      // why the value cannot be read, or has no certain position
	Warning Code
}

// HasText reports whether the cell has more than white space.
func (c *Cell) HasText() bool { return len(bytes.TrimSpace(c.Text)) > 0 }

// ValueKind is the kind of a value.
type ValueKind uint8

// The kinds of values, and how their text is written.
const (
	Text      ValueKind = iota + 1
	Number              // 0.1, -12, 1.5E+300: the shortest text with the same double value
	Boolean             // TRUE, FALSE
	Date                // 2006-01-02
	Time                // 15:04:05, 15:04:05.125
	Timestamp           // 2006-01-02T15:04:05
	Duration            // 25:30:00: hours, minutes and seconds
	ErrorText           // #N/A, #DIV/0! …
)

// Flaw marks the cell as faulty. The first fault stays.
func (c *Cell) Flaw(fault Code) {
	if c.Fault == "" {
		c.Fault = fault
	}
}

// IsEmpty reports whether nothing in the row is worth returning.
func (r *Row) IsEmpty() bool {
	if r.Fault != "" {
		return false
	}
	for _, c := range r.Cells {
		if len(c.Text) > 0 || c.Fault != "" || c.Warning != "" {
			return false
		}
	}
	return true
}

// MaxLevel is the highest level that a row can have.
const MaxLevel = 7

// Heads reports whether the row stands above one that the workbook has grouped below it.
func (r *Row) Heads(next *Row) bool { return next != nil && r.Level < next.Level }

// TextFault returns why a text is invalid.
func TextFault(text []byte) Code {
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		return InvalidCharacter
	case !utf8.Valid(text):
		return InvalidEncoding
	}
	return ""
}

// MarkDuplicates marks each cell whose column the one before it has, of cells that are in order.
func MarkDuplicates(cells []Cell) {
	for i := 1; i < len(cells); i++ {
		if c := &cells[i]; c.Column == cells[i-1].Column && c.Column > 0 && c.Fault == "" {
			c.Fault = DuplicateCell
		}
	}
}

// RowSet is a set of row numbers.
type RowSet []uint64

// Add adds a row and reports whether it is new.
func (s *RowSet) Add(row int64) bool {
	word, bit := int(row/64), uint64(1)<<(row%64)
	if word >= len(*s) {
		*s = append(*s, make([]uint64, word+1-len(*s))...)
	}
	known := (*s)[word]&bit != 0
	(*s)[word] |= bit
	return !known
}
