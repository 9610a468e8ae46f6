package pollution

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func encodings(t table) []Case {
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	utf16be := unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	list := []Case{encoded("utf-16le", utf16le, t), encoded("utf-16be", utf16be, t)}
	if t.isJapanese() {
		pipe := rfc4180
		pipe.delimiter = "|"
		c := pipe.file("cp932, |", t)
		c.Dialect.Encoding = "cp932"
		c.Content = encode(japanese.ShiftJIS, c.Content)
		return append(list, encoded("cp932", japanese.ShiftJIS, t), c, encoded("euc-jp", japanese.EUCJP, t))
	}
	western := t
	western.records = nil
	for _, rec := range t.records {
		rec = append([]string(nil), rec...)
		for i := range rec {
			rec[i] = strings.ReplaceAll(rec[i], "Łódź", "Düren – “alt”")
		}
		western.records = append(western.records, rec)
	}
	if c := encoded("windows-1252", charmap.Windows1252, western); bytes.ContainsFunc(
		c.Content,
		func(r rune) bool { return r >= utf8.RuneSelf },
	) {
		list = append(list, c)
	}
	return list
}

func encoded(name string, enc encoding.Encoding, t table) Case {
	c := rfc4180.file(name, t)
	c.Dialect.Encoding = name
	c.Content = encode(enc, c.Content)
	return c
}

func encode(enc encoding.Encoding, text []byte) []byte {
	b, err := enc.NewEncoder().Bytes(text)
	if err != nil {
		panic(err) // the tables are ours
	}
	return b
}

const mark = "\ufeff"

func marks(t table) []Case {
	start := rfc4180.file("at the start", t)
	start.Content = append([]byte(mark), start.Content...)
	middle := rfc4180.file("in the middle", t)
	lines := rfc4180.lines(t)
	lines[len(lines)/2] = mark + lines[len(lines)/2]
	middle.Content = rfc4180.join(lines)
	quoted := rfc4180
	quoted.all = true
	both := quoted.file("at the start and in the middle, quoted", t)
	lines = quoted.lines(t)
	lines[0], lines[len(lines)/2] = mark+lines[0], mark+lines[len(lines)/2]
	both.Content = quoted.join(lines)
	return []Case{start, middle, both}
}
