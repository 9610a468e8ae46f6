package types

import "slices"

// maxExponent is the largest exponent that a number may be written with, that of a 64-bit float.
const maxExponent = 308

// marks are the characters between a number's digits.
type marks struct {
	group   byte // the first kind: thousands separators, or a decimal mark if it occurs once
	decimal byte // the second kind, which may only occur once and last
	count   int
	zero    bool // the first digit is 0
	pairs   bool // groups before the last one have two digits, as in India: 12,34,567
	first   int  // digits before the first mark
	before  int  // digits before the last mark
	after   int  // digits after it
}

// isGroupMark reports whether the byte may stand between digits; a space stands nowhere else in a number's core.
func isGroupMark(c byte) bool { return isMark(c) || c == ' ' }

func isMark(c byte) bool { return c == '.' || c == ',' || c == '\'' || c == thinSpace }

// scan reads the core and decides which candidates it fits.
func (n *number) scan(core []byte) bool {
	i := n.run(core, 0)
	if i == len(core) { // the most common case
		n.pointWhole, n.commaWhole = i, i
		n.fits = integerPoint | integerComma | decimalPoint | decimalComma
		n.markPercent()
		return i > 0 && (i == 1 || core[0] != '0')
	}
	m := marks{zero: i > 0 && core[0] == '0', first: i, before: i, after: i}
	for i < len(core) && isGroupMark(core[i]) {
		switch c := core[i]; {
		case m.count == 0:
			m.group = c
		case c == m.group && m.after == 3 && m.decimal == 0 && !m.pairs: // another group
		case !m.take(c):
			return false
		}
		m.count++
		m.before = n.zeros + n.digits
		end := n.run(core, i+1)
		m.after = end - (i + 1)
		i = end
	}
	switch {
	case m.count > 0 && m.after == 0:
		return i == len(core) && n.endsWithPoint(m)
	case m.pairs && m.decimal == 0 && m.after != 3:
		return false
	}
	if i < len(core) {
		return n.scanExponent(core[i:], m)
	}
	n.interpret(m)
	n.markPercent()
	return n.fits != 0
}

// endsWithPoint decides what 50. is, as programs of Fortran write it: the place in a list, unless others in the column are numbers.
func (n *number) endsWithPoint(m marks) bool {
	if m.count > 1 || m.group != '.' || m.first == 0 || m.first > 1 && m.zero {
		return false
	}
	n.fits, n.seen = decimalPoint, n.seen&^usual|doubtful
	n.pointWhole, n.commaWhole = m.before, m.before
	n.markPercent()
	return true
}

// take accepts a mark that does not just follow a group of three. Only digits follow a decimal mark, and a group has three of them, or in
// India two before the last one.
func (m *marks) take(c byte) bool {
	switch {
	case m.decimal != 0:
		return false
	case c != m.group && m.after == 3:
		m.decimal = c
	case c == m.group && m.after == 2 && c == ',' && (m.count == 1 && m.first <= 2 || m.pairs):
		m.pairs = true
	default:
		return false
	}
	return true
}

// run reads digits from index i and returns the index after them.
func (n *number) run(core []byte, i int) int {
	for ; i < len(core); i++ {
		d := core[i] - '0'
		if d > 9 {
			break
		}
		if d == 0 && n.digits == 0 {
			n.zeros++
			continue
		}
		if n.digits < leadDigits {
			n.lead = n.lead*10 + uint64(d)
		}
		n.digits++
	}
	return i
}

// interpret decides what the marks mean. Thousands are separated in threes, and no number begins with a superfluous
// zero.
func (n *number) interpret(m marks) {
	all := n.zeros + n.digits
	n.pointWhole, n.commaWhole = all, all
	grouped := m.first >= 1 && m.first <= 3 && !m.zero
	switch {
	case m.decimal == '.' && m.group != '.' && grouped:
		n.fits = decimalPoint
		n.pointWhole = m.before
	case m.decimal == ',' && m.group != ',' && grouped:
		n.fits = decimalComma
		n.commaWhole = m.before
	case m.decimal != 0:
		return
	default:
		n.interpretOne(m, grouped && m.after == 3)
	}
	n.notice(m)
}

// interpretOne decides what marks of one kind mean: a single one may separate thousands or be the decimal mark.
func (n *number) interpretOne(m marks, grouped bool) {
	decimal := m.count == 1 && (m.first <= 1 || !m.zero)
	switch m.group {
	case '.':
		if grouped {
			n.fits = integerComma | decimalComma
		}
		if decimal {
			n.fits |= decimalPoint
			n.pointWhole = m.before
		}
	case ',':
		if grouped {
			n.fits = integerPoint | decimalPoint
		}
		if decimal {
			n.fits |= decimalComma
			n.commaWhole = m.before
		}
	default:
		if grouped {
			n.fits = integerPoint | integerComma | decimalPoint | decimalComma
		}
	}
}

// notice records how the number is grouped.
func (n *number) notice(m marks) {
	if n.pointWhole != n.commaWhole {
		n.seen |= marked
	}
	if m.count == 1 && n.fits&(integerPoint|integerComma) == 0 {
		return
	}
	if isAddress(n, m) {
		n.seen = n.seen&^usual | doubtful
	}
	if m.group == ' ' && m.decimal == 0 && n.seen&(oneBitUnits|twoBitUnits) == 0 { // 555 123 may be a telephone number
		n.seen = n.seen&^usual | doubtful
	}
	switch m.group {
	case ',':
		n.seen |= groupedInPoint
	case '.':
		n.seen |= groupedInComma
	default:
		n.seen |= groupedByOther
	}
}

// isAddress reports whether the number may be an IP address: four groups up to 255, without leading zeros.
func isAddress(n *number, m marks) bool {
	if m.group != '.' || m.count != 3 || m.decimal != 0 {
		return false
	}
	rest := n.lead
	for range m.count {
		if group := rest % 1000; group < 100 || group > 255 {
			return false
		}
		rest /= 1000
	}
	return rest <= 255
}

// scanExponent reads the exponent, beginning with its letter. It needs a sign, or a decimal mark before it: 1E5 is more
// often a code than a number.
func (n *number) scanExponent(s []byte, m marks) bool {
	if s[0]|0x20 != 'e' || len(s) < 2 || m.count > 1 || m.first > 1 && m.zero {
		return false
	}
	signed := s[1] == '+' || s[1] == '-'
	minus := s[1] == '-'
	s = s[1:]
	if signed {
		s = s[1:]
	}
	value, size := cutDigits(s, 3)
	if size == 0 || size < len(s) || value > maxExponent || !signed && m.count == 0 || n.percent {
		return false
	}
	if n.exponent = value; minus {
		n.exponent = -value
	}
	return n.interpretScientific(m)
}

func (n *number) interpretScientific(m marks) bool {
	n.pointWhole, n.commaWhole = m.before, m.before
	switch {
	case n.digits+n.zeros == 0:
	case m.count == 0:
		n.fits = decimalPoint | decimalComma
	case m.group == '.':
		n.fits = decimalPoint
	case m.group == ',':
		n.fits = decimalComma
	}
	return n.fits != 0
}

// markPercent turns the candidates of the number into those of a percentage with the same marks, whose value is a
// hundredth.
func (n *number) markPercent() {
	if !n.percent {
		return
	}
	fits := n.fits
	n.fits, n.exponent = 0, -2
	if fits&pointNumbers != 0 {
		n.fits |= percentPoint
	}
	if fits&commaNumbers != 0 {
		n.fits |= percentComma
	}
}

// cutDigits reads up to limit digits at the beginning of s; the limit is at most 9.
func cutDigits(s []byte, limit int) (value, size int) {
	for size < len(s) && size < limit && isDigit(s[size]) {
		value = value*10 + int(s[size]-'0')
		size++
	}
	return value, size
}

// append writes the number with the given decimal mark as JSON and PostgreSQL write numbers.
func (n *number) append(dst, core []byte, mark byte) []byte {
	if n.negative {
		dst = append(dst, '-')
	}
	if n.percent {
		return n.appendHundredth(dst, core, mark)
	}
	if core[0] == mark {
		dst = append(dst, '0')
	}
	for _, c := range core {
		switch {
		case c == mark:
			dst = append(dst, '.')
		case !isGroupMark(c):
			dst = append(dst, c)
		}
	}
	if core[len(core)-1] == '.' {
		return dst[:len(dst)-1]
	}
	return dst
}

// appendHundredth writes a hundredth of core's number, without trailing zeros in its fraction: 12.50 % is 0.125, as in
// a workbook.
func (n *number) appendHundredth(dst, core []byte, mark byte) []byte {
	whole := n.pointWhole // digits before the decimal mark
	if mark == ',' {
		whole = n.commaWhole
	}
	start := len(dst)
	for ; whole < 3; whole++ {
		dst = append(dst, '0')
	}
	for _, c := range core {
		if !isGroupMark(c) {
			dst = append(dst, c)
		}
	}
	dst = slices.Insert(dst, start+whole-2, '.')
	return dst[:start+len(trimFraction(dst[start:]))]
}
