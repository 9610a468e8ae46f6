package charset

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// stepper is an encoding with characters of several bytes.
type stepper interface {
	Encoding
	// step returns the character at the start of b, splittable bytes that do not begin with ASCII, and its length in bytes; 0 if there
	// is none.
	step(b []byte) (r rune, n int)
}

// separated is such an encoding of a text whose delimiter is no ASCII character, such as 、 or ，. The bytes of the delimiter may also be
// the end of one character and the beginning of the next one. So separator stands in its place in the splittable bytes.
type separated struct {
	stepper
	delimiter rune
	marked    []byte // the delimiter in the splittable bytes of the encoding itself
}

// separator is what the splittable bytes of no such encoding have.
const separator = "\xff\x81"

// AsRead returns a delimiter as it stands in what the Reader of an encoding returns, and that encoding, which is enc itself unless the
// delimiter has several bytes in it.
func AsRead(enc Encoding, delimiter string) (Encoding, string) {
	if s, ok := enc.(*separated); ok {
		enc = s.stepper
	}
	if IsASCII([]byte(delimiter)) {
		return enc, delimiter
	}
	switch e := enc.(type) {
	case *singleByte:
		return e, e.asRead(delimiter)
	case stepper:
		r, n := utf8.DecodeRuneInString(delimiter)
		if marked := bytesOf(e, r); n == len(delimiter) && marked != nil {
			return &separated{stepper: e, delimiter: r, marked: marked}, separator
		}
	}
	return enc, delimiter
}

// bytesOf returns a character of two bytes in the splittable bytes of an encoding; nil if it has none.
func bytesOf(enc stepper, r rune) []byte {
	for lead := 0x81; lead < trailMark; lead++ {
		for trail := 0x40; trail < trailMark; trail++ {
			marked := []byte{byte(lead), byte(trail)}
			if trail < utf8.RuneSelf {
				marked = []byte{byte(lead), trailMark, byte(trail) | 0x80}
			}
			if got, n := enc.step(marked); got == r && n == len(marked) {
				return marked
			}
		}
	}
	return nil
}

func (e *separated) Reader(r io.Reader) io.Reader {
	return &convertedReader{src: e.stepper.Reader(r), conv: e}
}

// convert leaves the beginning of a character at the end unless final is set.
func (e *separated) convert(dst, src []byte, final bool) ([]byte, int) {
	i := 0
	for i < len(src) {
		if src[i] < utf8.RuneSelf {
			n := asciiLen(src[i:])
			dst = append(dst, src[i:i+n]...)
			i += n
			continue
		}
		switch r, n := e.step(src[i:]); {
		case n == 0 && !final && len(src)-i < longestCharacter:
			return dst, i
		case n > 0 && r == e.delimiter:
			dst = append(dst, separator...)
			i += n
		default:
			n = max(n, 1)
			dst = append(dst, src[i:i+n]...)
			i += n
		}
	}
	return dst, i
}

// longestCharacter is more than the bytes of any character.
const longestCharacter = 8

// plain returns splittable bytes of the encoding itself.
func (e *separated) plain(b []byte) []byte { return bytes.ReplaceAll(b, []byte(separator), e.marked) }

func (e *separated) Width(b []byte) int64 { return e.stepper.Width(e.plain(b)) }
func (e *separated) AppendSource(dst, b []byte) []byte {
	return e.stepper.AppendSource(dst, e.plain(b))
}
func (e *separated) AppendText(dst, b []byte) ([]byte, int) {
	return e.stepper.AppendText(dst, e.plain(b))
}
