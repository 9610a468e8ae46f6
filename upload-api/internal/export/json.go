package export

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// newEncoder returns an encoder that leaves <, > and & as they are.
func newEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and the values made from them always marshal
	}
	return string(b)
}

// appendJSONString appends a text as a JSON string, as newEncoder writes it. Most texts have nothing to escape, and are copied.
func appendJSONString(dst, text []byte) []byte {
	if !plain(text) {
		var b bytes.Buffer
		newEncoder(&b).Encode(string(text)) //nolint:errcheck // a string always marshals
		return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	}
	dst = append(dst, '"')
	return append(append(dst, text...), '"')
}

// plain reports whether a text is the same inside a JSON string: valid, and without a character that is escaped.
func plain(text []byte) bool {
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if b < ' ' || b == '"' || b == '\\' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return false
		}
		i += size
	}
	return true
}
