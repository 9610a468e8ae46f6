// Package biff12 writes binary Excel workbooks (xlsb, [MS-XLSB]) for tests: as Excel does, or with records as a test wants them.
package biff12

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// Stream is a part in the making.
type Stream struct{ bytes.Buffer }

// Record appends a record of fields: a string is its number of UTF-16 units and these, an int and a uint32 take four bytes, and []byte
// stands as it is.
func (s *Stream) Record(id int, fields ...any) {
	var data []byte
	for _, f := range fields {
		switch v := f.(type) {
		case byte:
			data = append(data, v)
		case uint16:
			data = binary.LittleEndian.AppendUint16(data, v)
		case int:
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		case uint32:
			data = binary.LittleEndian.AppendUint32(data, v)
		case float64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		case string:
			units := utf16.Encode([]rune(v))
			data = binary.LittleEndian.AppendUint32(data, uint32(len(units)))
			for _, u := range units {
				data = binary.LittleEndian.AppendUint16(data, u)
			}
		case []byte:
			data = append(data, v...)
		}
	}
	s.Head(id, len(data))
	s.Write(data)
}

// Head appends the head of a record: its id, and the number of bytes that it claims to have.
func (s *Stream) Head(id, size int) {
	if id < 0x80 {
		s.WriteByte(byte(id))
	} else {
		s.Write([]byte{byte(id)&0x7F | 0x80, byte(id >> 7)})
	}
	for ; size >= 0x80; size >>= 7 {
		s.WriteByte(byte(size)&0x7F | 0x80)
	}
	s.WriteByte(byte(size))
}

// File is a part of a package.
type File struct {
	Name    string
	Content []byte
}

// Replace returns the files with the content of one, which is added if it is not there.
func Replace(files []File, name string, content []byte) []File {
	list := []File{{name, content}}
	for _, f := range files {
		if f.Name != name {
			list = append(list, f)
		}
	}
	return list
}

// Zip returns the package.
func Zip(files []File) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		// neither can fail in memory
		if w, err := z.Create(f.Name); err == nil {
			_, _ = w.Write(f.Content)
		}
	}
	_ = z.Close()
	return out.Bytes()
}
