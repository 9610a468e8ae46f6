package csv

import "bytes"

// Config says how to split a text.
type Config struct {
	Delimiter   string             // one byte or several; not empty, no line end
	Quote       byte               // 0 where nothing is quoted
	Escape      byte               // the same as Quote where quotes are doubled, else what stands before a quote that is text
	SkipSpace   bool               // spaces behind a delimiter, and behind a closing quote, are no text
	Mark        string             // a byte order mark that is no text at the start of a record: files that were put together have them
	RecordBytes int                // limit of a record's length, at least 1
	Fields      int                // limit of the fields that a record lists
	Offset      int64              // of the text's first byte in the file
	Measure     func([]byte) int64 // bytes in the file of a piece of text; nil where it is the same
}

// escapes reports whether quotes are escaped by another character.
func (c *Config) escapes() bool { return c.Escape != c.Quote && c.Escape != 0 }

// AppendText appends the text of a field that is Escaped. An escape character that stands before anything but itself, a quote, a
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

// escapable reports whether an escape character before c is more than text.
func (c *Config) escapable(b byte) bool {
	return b == c.Escape || b == c.Quote && b != 0 || b == c.Delimiter[0] || b == '\n'
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }
