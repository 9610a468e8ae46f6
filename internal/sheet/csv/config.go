package csv

import "bytes"

// Config describes how a text is split.
type Config struct {
	Delimiter string // one or more bytes; not empty, no line end
	Quote     byte   // 0 if nothing is quoted
	// the same as Quote if quotes are doubled, otherwise the character before a quote inside a quoted field
	Escape      byte
	SkipSpace   bool               // ignore spaces after a delimiter and after a closing quote
	Brackets    bool               // a moment and its zone in brackets are one field: [11/Feb/2025:06:00:01 +0100]
	Cut         bool               // the text is the beginning of another one: a record that does not end in it is not returned
	Mark        string             // a byte order mark to ignore at the start of a record: concatenated files contain them
	RecordBytes int                // maximum length of a record, at least 1
	Fields      int                // maximum number of fields that a record lists
	Columns     int                // fields of a record of the table, where that is known; otherwise 0
	Offset      int64              // of the text's first byte in the file
	Measure     func([]byte) int64 // returns the size in the file of a piece of text; nil if it is the same
}

// escapes reports whether quotes are escaped by a character other than the quote.
func (c *Config) escapes() bool { return c.Escape != c.Quote && c.Escape != 0 }

// AppendText appends the text of a field that is Escaped. An escape character before anything but itself, a quote, a
// delimiter or a line end is text, and so is a quote that is not doubled.
func (c *Config) AppendText(dst, field []byte) []byte {
	for {
		i := bytes.IndexByte(field, c.Escape)
		if i < 0 || i+1 == len(field) {
			return append(dst, field...)
		}
		next := field[i+1]
		if next != c.Quote && next != c.Escape && (!c.escapes() || !c.escapable(next)) {
			dst = append(dst, field[:i+1]...)
			field = field[i+1:]
			continue
		}
		dst = append(append(dst, field[:i]...), next)
		field = field[i+2:]
	}
}

// escapable reports whether an escape character before b escapes it.
func (c *Config) escapable(b byte) bool {
	return b == c.Escape || b == c.Quote && b != 0 || b == c.Delimiter[0] || b == '\n'
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }
