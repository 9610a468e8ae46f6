package charset

import "bytes"

// trailMarks are how splittable bytes of an encoding hide second bytes that are ASCII: such a byte has its high bit set and trailMark
// before it. The byte 0xFF, which no such encoding has, becomes trailMark and 0x80.
type trailMarks struct{}

const trailMark = 0xFF

// Width examines only single bytes, so b may begin and end within a character.
func (trailMarks) Width(b []byte) int64 {
	return int64(len(b) - bytes.Count(b, []byte{trailMark}))
}

// AppendSource omits an incomplete mark at the end of b.
func (trailMarks) AppendSource(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, trailMark)
		switch {
		case i < 0:
			return append(dst, b...)
		case i+1 == len(b):
			return append(dst, b[:i]...)
		}
		dst = append(dst, b[:i]...)
		if c := b[i+1]; c == 0x80 {
			dst = append(dst, trailMark)
		} else {
			dst = append(dst, c&0x7F)
		}
		b = b[i+2:]
	}
}
