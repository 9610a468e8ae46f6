// Package kind tells what sort of value a cell looks like, by its characters alone and without reading the value: numbers, moments, codes.
// Package types reads values.
package kind

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/types"
)

// Kind is what sort of value a cell looks like. Codes of one shape, such as AB-12 and CD-34, have their own kind.
type Kind uint32

// The kinds of short cells.
const (
	Empty Kind = iota
	Word       // anything else
	Number
	Moment // a date or a time
	Code   // the first of many
)

// Longer texts of one sort have their own kinds too.
const (
	Stamped = Code + 1<<24 // begins with a moment, as the lines of a log do
	Address = Code + 2<<24 // of a web page or a mailbox, or the path of a file
)

// Of returns what sort of value the cell looks like.
func Of(cell []byte) Kind {
	k := SortOf(cell)
	if k == Code {
		k += Kind(shapeOf(Trim(cell)) | 1)
	}
	return k
}

// SortOf is Of with the same kind for all codes.
func SortOf(cell []byte) Kind {
	cell = Trim(cell)
	if len(cell) == 0 {
		return Empty
	}
	if (cell[0] < '0' || cell[0] > '9') && types.IsNullWord(cell) && !bytes.HasPrefix(cell, []byte("****")) { // which may be a drawn line
		return Empty
	}
	if len(cell) > longestValue {
		return textKind(cell)
	}
	cell = withoutZone(cell)
	c := countCharacters(cell)
	digits, letters, spaces, dateMarks, other := c.of(digit), c.of(letter), c.of(space), c.of(dateMark), c.of(otherSign)
	switch {
	case spaces == 0 && letters >= addressLetters && other+dateMarks > 0 && isAddress(cell):
		return Address
	case digits == 0:
		return Word
	case spaces > valueSpaces:
		return textKind(cell)
	case letters == 0 && other == 0 && dateMarks == 0:
		if isPointedDay(cell) {
			return Moment
		}
		if cell[0] == '%' && cell[len(cell)-1] == ')' && bytes.IndexByte(cell, '(') < 0 { // % 1), with the mark of a note
			return Word
		}
		return Number
	case letters == 1 && isScientific(cell):
		return Number
	case letters > 0 && dateMarks > 0 && isNamedValue(cell):
		return Word
	case letters <= momentLetters && other == 0 && digits >= momentDigits && dateMarks > 0 && cell[0] != '(' && !isNumbered(cell):
		return Moment
	case letters > 0 && letters <= 2 && isBooked(cell):
		return Number
	case spaces == 0 || isNamedDay(digits, letters, dateMarks, other):
		return Code
	}
	return Word
}

// withoutZone returns a time without the hours by which its zone is ahead, which stand behind it: 10:15:00 +0200, 10:15+02:00.
func withoutZone(cell []byte) []byte {
	plus := bytes.LastIndexByte(cell, '+')
	if plus <= 0 || len(cell)-plus > len("+00:00") || bytes.IndexByte(cell[:plus], ':') < 0 {
		return cell
	}
	hours := bytes.ReplaceAll(cell[plus+1:], []byte(":"), nil)
	if n := LeadingDigits(hours); n != len(hours) || n != len("00") && n != len("0000") {
		return cell
	}
	return bytes.TrimRight(cell[:plus], " ")
}

// isScientific reports whether the cell is a number with an exponent: 3.991926e+002. Without a point and a sign it may be a code.
func isScientific(cell []byte) bool {
	at := bytes.IndexAny(cell, "eE")
	if at <= 0 || at+1 == len(cell) {
		return false
	}
	mantissa, exponent := cell[:at], cell[at+1:]
	signed := exponent[0] == '+' || exponent[0] == '-'
	if signed {
		exponent = exponent[1:]
	}
	if IsSign(rune(mantissa[0])) {
		mantissa = mantissa[1:]
	}
	digits := LeadingDigits(mantissa)
	end, pointed := digits, digits < len(mantissa) && (mantissa[digits] == '.' || mantissa[digits] == ',')
	if pointed {
		fraction := LeadingDigits(mantissa[end+1:])
		digits, end = digits+fraction, end+1+fraction
	}
	n := LeadingDigits(exponent)
	return (signed || pointed) && digits > 0 && end == len(mantissa) && n == len(exponent) && n > 0 && n <= exponentDigits
}

// LeadingDigits counts the digits that the text begins with.
func LeadingDigits(text []byte) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// isNamedValue reports whether the cell is a name with its value, with a colon of East Asia between: 件数：5.
func isNamedValue(cell []byte) bool {
	first, _ := utf8.DecodeRune(cell)
	return unicode.IsLetter(first) && bytes.Contains(cell, []byte("："))
}

// isNumbered reports whether the cell is letters, a dash or a slash, and a number: K-001, PO/2024. No moment is.
func isNumbered(cell []byte) bool {
	mark := bytes.IndexAny(cell, "-/")
	if mark <= 0 || ofByte[cell[0]].of(letter) == 0 || ofByte[cell[mark-1]].of(letter) == 0 {
		return false
	}
	return LeadingDigits(cell[mark+1:]) == len(cell)-mark-1
}

// isBooked reports whether the cell is an amount with its side of an account: 1,240.50 Dr, 96,00 H.
func isBooked(cell []byte) bool {
	amount, side, ok := bytes.Cut(cell, []byte(" "))
	return ok && slices.Contains(sides, string(side)) && bytes.ContainsAny(amount, ".,") && SortOf(amount) == Number
}

// sides are what ledgers write behind amounts.
var sides = []string{"S", "H", "Dr", "Cr", "DR", "CR", "D", "C"}

// isNamedDay reports whether so many characters may be those of a day with the name of its month, and a time: 06-Jul-1975 01:00:00.
func isNamedDay(digits, letters, dateMarks, other int) bool {
	return letters == shortMonth && other == 0 && dateMarks >= 2 && digits >= 2*shortMonth
}

// isPointedDay reports whether the cell is a day with points between its parts: 31.12.2023, 2023.12.31.
func isPointedDay(cell []byte) bool {
	if len(cell) < shortestDay || len(cell) > longestDay {
		return false
	}
	first := bytes.IndexByte(cell, '.')
	last := bytes.LastIndexByte(cell, '.')
	others := bytes.ContainsFunc(cell, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if others || first <= 0 || last <= first+1 || last-first > 3 {
		return false
	}
	return first <= 2 && len(cell)-last == 5 || first == 4 && len(cell)-last <= 3
}

// Trim is bytes.TrimSpace, for which hardly any cell has a reason.
func Trim(cell []byte) []byte {
	if n := len(cell); n > 0 && isInk(cell[0]) && isInk(cell[n-1]) {
		return cell
	}
	return bytes.TrimSpace(cell)
}

// isInk reports whether the byte is certainly not part of white space.
func isInk(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

func textKind(cell []byte) Kind {
	if isAddress(cell) {
		return Address
	}
	if i := bytes.IndexByte(cell, ' '); i >= shortestStamp && i <= longestStamp && SortOf(cell[:i]) == Moment {
		return Stamped
	}
	return Word
}

func isAddress(cell []byte) bool {
	if bytes.HasPrefix(cell, []byte("http://")) || bytes.HasPrefix(cell, []byte("https://")) {
		return true
	}
	if bytes.IndexByte(cell, ' ') >= 0 {
		return false
	}
	_, host, found := bytes.Cut(cell, []byte("@"))
	return found && bytes.IndexByte(host, '.') > 0 || isPath(cell)
}

// isPath reports whether the cell is the path of a file, whose name ends with its kind: src/main.go.
func isPath(cell []byte) bool {
	dot := bytes.LastIndexByte(cell, '.')
	if dot < 0 || dot+1 == len(cell) || len(cell)-dot-1 > longestEnding {
		return false
	}
	for _, c := range cell[dot+1:] {
		if c |= 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	at := max(bytes.LastIndexByte(cell, '/'), bytes.LastIndexByte(cell, '\\'))
	return 0 <= at && at < dot-1
}

// class is what a character may be a part of.
type class uint8

const (
	neutral class = iota // signs that numbers have
	digit
	letter
	space
	dateMark // a sign of dates and times
	otherSign
	beyondASCII // a byte of another character
)

// counts are how many characters of each class there are: a byte for each class, as a cell has few.
type counts uint64

func (c class) once() counts { return 1 << (8 * c) }

func (c counts) of(k class) int { return int(c >> (8 * k) & 0xff) }

// ofByte has the counts of each byte by itself.
var ofByte = func() (list [256]counts) {
	for i := range list {
		if list[i] = beyondASCII.once(); i < utf8.RuneSelf {
			k, _ := classOf(rune(i))
			list[i] = k.once()
		}
	}
	return list
}()

// countCharacters counts the characters of a cell of at most longestValue bytes.
func countCharacters(cell []byte) (c counts) {
	for _, b := range cell {
		c += ofByte[b]
	}
	if c.of(beyondASCII) > 0 {
		c = 0
		for _, r := range string(cell) {
			k, _ := classOf(r)
			c += k.once()
		}
	}
	r, n := utf8.DecodeRune(cell)
	k, sign := classOf(r)
	if sign == '$' && n < len(cell) { // $-1.50
		r, _ = utf8.DecodeRune(bytes.TrimLeft(cell[n:], " "))
		k, _ = classOf(r)
	}
	if IsSign(r) {
		c -= k.once()
	}
	return c
}

// shapeOf returns a hash of the characters, with letters, digits and runs of them replaced by their class.
func shapeOf(cell []byte) (shape uint32) {
	last := byte(0)
	for i, r := range string(cell) {
		_, sign := classOf(r)
		if i == 0 && IsSign(r) {
			sign = '$'
		}
		if sign != last {
			shape = (shape ^ uint32(sign)) * 16777619 & 0xffffff
			last = sign
		}
	}
	return shape
}

// IsSign reports whether a number may begin with the character, which has another meaning elsewhere.
func IsSign(r rune) bool {
	return r == '-' || r == '+' || r == '−' || r == '－' || r == '△' || r == '▲'
}

// classOf returns the character's class, and what stands for it in a shape.
func classOf(r rune) (k class, sign byte) {
	switch {
	case r >= '0' && r <= '9' || r >= '０' && r <= '９':
		return digit, '9'
	case r|0x20 >= 'a' && r|0x20 <= 'z':
		return letter, 'a'
	case r == ' ' || r == '　':
		return space, ' '
	case r == '.' || r == ',' || r == '\'' || r == '%' || r == '．' || r == '，' || r == '％' || r == '(' || r == ')':
		return neutral, byte(r)
	case r == '¥' || r == '￥' || r == '$' || r == '€' || r == '£' || r == '円':
		return neutral, '$'
	case r == '-' || r == '/' || r == ':' || r == '年' || r == '月' || r == '日' || r == '時' || r == '分' || r == '秒' || r == '／' || r == '：':
		return dateMark, byte(r)
	case r >= '一' && r <= '龥' || unicode.IsLetter(r):
		return letter, 'a'
	}
	return otherSign, 'o'
}
