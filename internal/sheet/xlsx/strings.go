package xlsx

import (
	"bytes"
	"encoding/hex"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// loadStrings reads the shared strings, once.
func (b *Book) loadStrings() error {
	if b.strings == "" || b.table != nil {
		return nil
	}
	d, err := b.parts.Document(b.strings)
	if err != nil {
		return err
	}
	b.table = grid.NewStringTable(b.parts.Size(b.strings))
	err = d.Root(func() error {
		var text []byte
		return d.Each(func(name []byte) error {
			if string(name) != "si" {
				return d.Skip()
			}
			if err := b.options.Limits.CheckStrings(int64(b.table.Len()) + 1); err != nil {
				return err
			}
			var err error
			if text, err = appendRich(d, text[:0], b.options.Limits.CellBytes); err != nil {
				return err
			}
			return b.table.Add(text, b.options.TempFiles)
		})
	})
	if err != nil {
		return err
	}
	return b.table.Finish()
}

// appendRich appends the text of the current element, a shared or an inline string, which is in the element t or, with
// several fonts, in runs of r and t. Phonetic text (rPh) is ignored. Of a text beyond the limit it appends a few bytes
// more than the limit.
func appendRich(d *container.Document, dst []byte, limit int) ([]byte, error) {
	start, depth := len(dst), 0
	for {
		kind, err := d.Next()
		switch {
		case err != nil:
			return dst, err
		case kind == xmlscan.End && depth == 0:
			return dst, nil
		case kind == xmlscan.End:
			depth--
		case kind == xmlscan.Start && string(d.Name()) == "t":
			if dst, err = appendEscaped(d, dst, start+limit); err != nil {
				return dst, err
			}
		case kind == xmlscan.Start && depth == 0 && string(d.Name()) == "r":
			depth++
		case kind == xmlscan.Start:
			if err := d.Skip(); err != nil {
				return dst, err
			}
		}
	}
}

// appendEscaped appends the text of the current element, with its _xHHHH_ escapes replaced, until dst is longer than
// most.
func appendEscaped(d *container.Document, dst []byte, most int) ([]byte, error) {
	start := len(dst)
	dst, err := d.AppendContent(dst, most)
	return unescape(dst, start), err
}

// unescape replaces _xHHHH_ in dst[start:] by the UTF-16 unit with this number (ECMA-376 part 1, 22.9.2.19).
func unescape(dst []byte, start int) []byte {
	mark := []byte("_x")
	text := dst[start:]
	if !bytes.Contains(text, mark) {
		return dst
	}
	for dst = dst[:start]; ; {
		i := bytes.Index(text, mark)
		if i < 0 {
			return append(dst, text...)
		}
		dst, text = append(dst, text[:i]...), text[i:]
		if unit, ok := escape(text); ok {
			dst, text = xmlscan.AppendUnit(dst, unit), text[escapeLength:]
		} else {
			dst, text = append(dst, mark...), text[len(mark):]
		}
	}
}

const escapeLength = len("_xHHHH_")

func escape(text []byte) (unit rune, ok bool) {
	if len(text) < escapeLength || text[escapeLength-1] != '_' {
		return 0, false
	}
	var b [2]byte
	_, err := hex.Decode(b[:], text[2:escapeLength-1])
	return rune(b[0])<<8 | rune(b[1]), err == nil
}
