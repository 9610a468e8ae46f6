package xls

import (
	"encoding/binary"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// The flags of a string ([MS-XLS] 2.5.293).
const (
	flagWide     = 1 << 0 // two bytes a character; otherwise one, the lower one
	flagPhonetic = 1 << 2
	flagRich     = 1 << 3
)

// input reads a record together with those that continue it.
type input struct {
	*records
	at int // of the next byte in data
	ok bool
}

// more goes on to the record that continues this one; ok is false if there is none.
func (in *input) more() bool {
	if in.ok = in.ok && in.next(); in.ok && in.id != idContinue {
		in.back, in.ok = true, false
	}
	in.at = 0
	return in.ok
}

// bytes returns the next n bytes, which stand in one record.
func (in *input) bytes(n int) []byte {
	if in.at == len(in.data) && n > 0 && !in.more() {
		return make([]byte, n)
	}
	if in.at+n > len(in.data) {
		in.ok = false
		return make([]byte, n)
	}
	in.at += n
	return in.data[in.at-n : in.at]
}

// skip goes past n bytes, which may go on in further records.
func (in *input) skip(n int) {
	for n > 0 && in.ok {
		step := min(n, len(in.data)-in.at)
		in.at += step
		if n -= step; n > 0 {
			in.more()
		}
	}
}

// appendString appends a string with so many characters, up to a few bytes more than the limit, and goes to its end. The
// characters may go on in further records, each of which begins with its own flags.
func (in *input) appendString(dst []byte, chars, limit int) []byte {
	flags := in.bytes(1)[0]
	runs, extra := 0, 0
	if flags&flagRich != 0 {
		runs = int(binary.LittleEndian.Uint16(in.bytes(2)))
	}
	if flags&flagPhonetic != 0 {
		extra = int(binary.LittleEndian.Uint32(in.bytes(4)))
	}
	start := len(dst)
	for chars > 0 && in.ok {
		if in.at == len(in.data) {
			if !in.more() || len(in.data) == 0 {
				in.ok = false
				break
			}
			flags = in.data[0]
			in.at = 1
		}
		var n int
		if flags&flagWide != 0 {
			n = min(chars, (len(in.data)-in.at)/2)
			if n == 0 && in.at < len(in.data) { // half a character
				in.ok = false
				break
			}
			for i := range n {
				if len(dst)-start <= limit {
					dst = xmlscan.AppendUnit(dst, rune(binary.LittleEndian.Uint16(in.data[in.at+2*i:])))
				}
			}
			in.at += 2 * n
		} else {
			n = min(chars, len(in.data)-in.at)
			for _, c := range in.data[in.at : in.at+n] {
				if len(dst)-start <= limit {
					dst = utf8.AppendRune(dst, rune(c))
				}
			}
			in.at += n
		}
		chars -= n
	}
	in.skip(4*runs + extra)
	return dst
}

// appendText appends the string at a place of the current record: its length in one or two bytes, and its characters.
func (b *Book) appendText(dst []byte, r *records, at, lengthBytes int) ([]byte, bool) {
	in := input{records: r, at: at, ok: at+lengthBytes <= len(r.data)}
	if !in.ok {
		return dst, false
	}
	chars := int(r.data[at])
	if lengthBytes == 2 {
		chars = r.data.Short(at)
	}
	in.at += lengthBytes
	if !b.old {
		if chars == 0 {
			return dst, true
		}
		dst = in.appendString(dst, chars, b.options.Limits.CellBytes)
		return dst, in.ok
	}
	text := in.bytes(min(chars, len(r.data)-in.at))
	return append(dst, b.decode(text)...), in.ok
}

// decoder returns how bytes of a code page become text. That of Western Europe stands for unknown ones.
func decoder(codePage int) func([]byte) []byte {
	name := "windows-" + strconv.Itoa(codePage)
	switch codePage {
	case 932:
		name = "shift_jis"
	case 936:
		name = "gbk"
	case 949:
		name = "euc-kr"
	case 950:
		name = "big5"
	case 866:
		name = "ibm866"
	case 10000, 32768:
		name = "macintosh"
	}
	found, err := htmlindex.Get(name)
	if err != nil {
		found, _ = htmlindex.Get("windows-1252")
	}
	return func(text []byte) []byte { return decodeWith(found, text) }
}

func decodeWith(e encoding.Encoding, text []byte) []byte {
	decoded, err := e.NewDecoder().Bytes(text)
	if err != nil {
		return text
	}
	return decoded
}
