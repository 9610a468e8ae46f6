package charset

import (
	"io"
	"unicode/utf8"
)

type utf8Encoding struct{}

func (utf8Encoding) Name() string                      { return "utf-8" }
func (utf8Encoding) BOM() []byte                       { return []byte("\xef\xbb\xbf") }
func (utf8Encoding) Reader(r io.Reader) io.Reader      { return r }
func (utf8Encoding) Width(b []byte) int64              { return int64(len(b)) }
func (utf8Encoding) AppendSource(dst, b []byte) []byte { return append(dst, b...) }
func (utf8Encoding) Direct(b []byte) bool              { return utf8.Valid(b) }

func (utf8Encoding) AppendText(dst, b []byte) ([]byte, int) {
	bad := firstInvalid(b)
	if bad >= 0 {
		b = b[:bad]
	}
	return append(dst, b...), bad
}

// firstInvalid returns the index of the first byte that is not valid UTF-8, or -1.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}
