package dialect

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/types"
)

// kind is what sort of value a cell looks like. Codes of one shape, such as AB-12 and CD-34, have their own kind.
type kind uint32

const (
	empty kind = iota
	word       // anything else
	number
	moment // a date or a time
	code   // the first of many
)

// Longer texts of one sort have their own kinds too.
const (
	stamped = code + 1<<24 // begins with a moment, as the lines of a log do
	address = code + 2<<24 // of a web page or a mailbox
)

// kindOf scans a cell's characters once.
func kindOf(cell []byte) kind {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return empty
	}
	if (cell[0] < '0' || cell[0] > '9') && types.IsNullWord(cell) {
		return empty
	}
	if len(cell) > longestValue {
		return textKind(cell)
	}
	var c characters
	for i := 0; i < len(cell); {
		r, n := rune(cell[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(cell[i:])
		}
		c.add(r, i == 0)
		i += n
	}
	switch {
	case c.spaces == 0 && c.letters >= addressLetters && c.other+c.dateMarks > 0 && isAddress(cell):
		return address
	case c.digits == 0:
		return word
	case c.spaces > valueSpaces:
		return textKind(cell)
	case c.letters == 0 && c.other == 0 && c.dateMarks == 0:
		return number
	case c.letters <= momentLetters && c.other == 0 && c.digits >= momentDigits && c.dateMarks > 0:
		return moment
	case c.spaces == 0:
		return code + kind(c.shape|1)
	}
	return word
}

func textKind(cell []byte) kind {
	if isAddress(cell) {
		return address
	}
	if i := bytes.IndexByte(cell, ' '); i >= shortestStamp && i <= longestStamp && kindOf(cell[:i]) == moment {
		return stamped
	}
	return word
}

func isAddress(cell []byte) bool {
	if bytes.HasPrefix(cell, []byte("http://")) || bytes.HasPrefix(cell, []byte("https://")) {
		return true
	}
	_, host, found := bytes.Cut(cell, []byte("@"))
	return found && bytes.IndexByte(host, '.') > 0 && bytes.IndexByte(cell, ' ') < 0
}

// characters counts a cell's characters.
type characters struct {
	digits, letters, spaces, dateMarks, other int
	// a hash of the characters, with letters, digits and runs of them replaced by their class
	shape uint32
	last  byte
}

func (c *characters) add(r rune, first bool) {
	class := byte('o')
	switch {
	case r >= '0' && r <= '9' || r >= '０' && r <= '９':
		c.digits++
		class = '9'
	case r|0x20 >= 'a' && r|0x20 <= 'z':
		c.letters++
		class = 'a'
	case r == ' ' || r == '　':
		c.spaces++
		class = ' '
	case r == '.' || r == ',' || r == '\'' || r == '%' || r == '．' || r == '，' || r == '％' || r == '(' || r == ')':
		class = byte(r)
	case (r == '-' || r == '+' || r == '−' || r == '－' || r == '△' || r == '▲') && first,
		r == '¥' || r == '￥' || r == '$' || r == '€' || r == '£' || r == '円':
		class = '$'
	case r == '-' || r == '/' || r == ':' || r == '年' || r == '月' || r == '日' || r == '時' || r == '分' || r == '秒' || r == '／' || r == '：':
		c.dateMarks++
		class = byte(r)
	case unicode.IsLetter(r):
		c.letters++
		class = 'a'
	default:
		c.other++
	}
	if class != c.last {
		c.shape = (c.shape ^ uint32(class)) * 16777619 & 0xffffff
		c.last = class
	}
}
