package reading

import (
	"strconv"
	"unicode/utf8"

	"sheetdrop/internal/sheet"
)

var kindNames = [...]string{sheet.Header: "header", sheet.Row: "row", sheet.Reject: "reject", sheet.Skip: "skip"}

// appendRecordLine appends a record as a line of JSON. It is written by hand because encoding/json allocates for each cell. A cell is null
// where the file has none, and where its bytes are not text, for which there is an error. An error of the whole record has no column.
func appendRecordLine(dst []byte, number int, rec *sheet.Record) []byte {
	dst = append(dst, `{"type":"record","sheet":`...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	dst = append(dst, `,"row":`...)
	dst = strconv.AppendInt(dst, rec.No, 10)
	if rec.Ref != "" {
		dst = append(dst, `,"ref":`...)
		dst = appendString(dst, []byte(rec.Ref))
	} else {
		dst = append(dst, `,"line":`...)
		dst = strconv.AppendInt(dst, rec.Line, 10)
		dst = append(dst, `,"offset":`...)
		dst = strconv.AppendInt(dst, rec.Offset, 10)
	}
	dst = append(dst, `,"kind":"`...)
	dst = append(dst, kindNames[rec.Kind]...)
	dst = append(dst, `","cells":[`...)
	for i, cell := range rec.Cells {
		dst = appendComma(dst, i)
		if cell == nil {
			dst = append(dst, "null"...)
		} else {
			dst = appendString(dst, cell)
		}
	}
	dst = append(dst, `],"errors":[`...)
	for i, e := range rec.Errors {
		dst = appendError(appendComma(dst, i), e)
	}
	return append(dst, "]}\n"...)
}

func appendError(dst []byte, e sheet.Error) []byte {
	dst = append(dst, `{"code":`...)
	dst = appendString(dst, []byte(e.Code))
	dst = append(dst, `,"column":`...)
	if e.ColumnNo > 0 {
		dst = strconv.AppendInt(dst, int64(e.ColumnNo), 10)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"last_column":`...)
	if e.LastColumn > 0 {
		dst = strconv.AppendInt(dst, int64(e.LastColumn), 10)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"column_name":`...)
	if e.ColumnName != "" {
		dst = appendString(dst, []byte(e.ColumnName))
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, []byte(e.Message))
	dst = append(dst, `,"message_ja":`...)
	dst = appendString(dst, []byte(e.MessageJA))
	return append(dst, '}')
}

func appendComma(dst []byte, i int) []byte {
	if i == 0 {
		return dst
	}
	return append(dst, ',')
}

// appendString appends a text as a JSON string (RFC 8259). Bytes that are not UTF-8 become U+FFFD.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	plain := 0 // where the part begins that is copied unchanged
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if !special[c] {
				i++
				continue
			}
			dst = appendEscape(append(dst, text[plain:i]...), c)
			i++
			plain = i
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(append(dst, text[plain:i]...), "\ufffd"...)
			plain = i + 1
		}
		i += size
	}
	dst = append(dst, text[plain:]...)
	return append(dst, '"')
}

// special are the characters that a JSON string has to escape.
var special = func() (set [utf8.RuneSelf]bool) {
	for c := range byte(' ') {
		set[c] = true
	}
	set['"'], set['\\'] = true, true
	return set
}()

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
