package export

import (
	"bytes"
	"encoding/json"

	"sheetdrop/internal/sheet"
)

// rowForm turns rows into what is encoded as JSON. It serves one response and reuses its memory: what show returns is
// valid until the next call.
type rowForm struct {
	keys  []string // of objects: JSON strings including their colon; nil for arrays
	value func(column int, cell []byte) any

	values []any
	object bytes.Buffer
}

func (f *rowForm) show(cells [][]byte) any {
	f.values = f.values[:0]
	for i, cell := range cells {
		f.values = append(f.values, f.value(i, cell))
	}
	if f.keys == nil {
		return f.values
	}
	return f
}

// MarshalJSON returns the row as an object with its members in column order.
func (f *rowForm) MarshalJSON() ([]byte, error) {
	f.object.Reset()
	encoder := newEncoder(&f.object)
	f.object.WriteByte('{')
	for i, value := range f.values {
		if i > 0 {
			f.object.WriteByte(',')
		}
		f.object.WriteString(f.keys[i])
		if err := encoder.Encode(value); err != nil {
			return nil, err
		}
	}
	f.object.WriteByte('}')
	return f.object.Bytes(), nil
}

// rawValue returns a cell's text, or nil for a cell that the file does not have.
func rawValue(_ int, cell []byte) any {
	if cell == nil {
		return nil
	}
	return string(cell)
}

func objectKeys(columns []sheet.Column) []string {
	keys := make([]string, len(columns))
	for i, c := range columns {
		keys[i] = mustJSON(c.Name) + ":"
	}
	return keys
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and the values made from them always marshal
	}
	return string(b)
}
