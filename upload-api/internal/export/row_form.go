package export

import (
	"strconv"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

// rowForm writes rows as JSON.
type rowForm struct {
	keys  []string // of objects: JSON strings including their colon; nil for arrays
	value func(dst []byte, column int, cell []byte) []byte
}

// append appends a row as an array, or as an object with its members in column order.
func (f *rowForm) append(dst []byte, cells [][]byte) []byte {
	opening, closing := byte('['), byte(']')
	if f.keys != nil {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		if f.keys != nil {
			dst = append(dst, f.keys[i]...)
		}
		dst = f.value(dst, i, cell)
	}
	return append(dst, closing)
}

// appendNumbered appends a NumberedRow.
func (f *rowForm) appendNumbered(dst []byte, rowNo int64, line *int64, cells [][]byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"row_no":`...), rowNo, 10)
	dst = append(dst, `,"line":`...)
	if line == nil {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendInt(dst, *line, 10)
	}
	return append(f.append(append(dst, `,"cells":`...), cells), '}')
}

// appendTyped appends a cell as a value of its column's type, or as the file's text if it is none.
func appendTyped(dst []byte, c types.Converter, cell []byte) []byte {
	at := len(dst)
	text, is := c.AppendValue(append(dst, '"'), cell)
	switch {
	case is == types.NoValue:
		return append(text[:at], "null"...)
	case is == types.OtherType, c.IsText():
		return appendJSONString(text[:at], cell)
	case c.Quoted():
		return append(text, '"') // dates and numbers have nothing to escape
	}
	copy(text[at:], text[at+1:])
	return text[:len(text)-1]
}

// appendRaw appends a cell's text, or null for a cell that the file does not have.
func appendRaw(dst []byte, _ int, cell []byte) []byte {
	if cell == nil {
		return append(dst, "null"...)
	}
	return appendJSONString(dst, cell)
}

func objectKeys(columns []sheet.Column) []string {
	keys := make([]string, len(columns))
	for i, c := range columns {
		keys[i] = mustJSON(c.Name) + ":"
	}
	return keys
}
