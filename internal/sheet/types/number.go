package types

import "bytes"

// number is a text that can be read as a number. The meaning of its marks may be open: then the readings with point and
// comma have different exponents, but the same digits.
type number struct {
	negative bool
	percent  bool
	fits     set
	seen     trait

	doubt doubt // about its currency

	lead   uint64 // the first leadDigits significant digits
	digits int    // significant digits
	zeros  int    // zeros before them

	pointWhole int // digits before the decimal mark, where the point is that
	commaWhole int
	exponent   int
}

// parse parses all of s, which is folded and not empty. core is s without sign and unit: digits, marks and exponent.
func (n *number) parse(s []byte) (core []byte, ok bool) {
	n.seen = usual
	if !isDigit(s[0]) || !isDigit(s[len(s)-1]) {
		if s, ok = n.cutAffixes(s); !ok {
			return nil, false
		}
	}
	if ok = n.scan(s); ok && n.doubt != certain && !n.isAmount() {
		n.seen = n.seen&^usual | doubtful
	}
	return s, ok
}

// isAmount reports whether the number has the marks that one with its currency must have.
func (n *number) isAmount() bool {
	grouped := n.seen&(groupedInPoint|groupedInComma|groupedByOther) != 0
	places := n.zeros + n.digits - min(n.pointWhole, n.commaWhole)
	decimals := places == 2 || grouped && places > 0
	if n.doubt == wantsAmount {
		return grouped && decimals
	}
	return grouped || decimals
}

// significant returns how many digits the number has for the purpose of precision.
func (n *number) significant() int { return max(1, n.digits) }

func (n *number) pointKey() key { return n.key(n.pointWhole) }

func (n *number) commaKey() key { return n.key(n.commaWhole) }

func (n *number) key(whole int) key {
	return numberKey(n.lead, n.digits, whole-n.zeros+n.exponent, n.negative)
}

// cutAffixes returns s without its sign, parentheses and unit, each of which may occur once, before or after the
// digits.
func (n *number) cutAffixes(s []byte) (core []byte, ok bool) {
	var a affixes
	for len(s) > 0 && !isDigit(s[0]) && !isMark(s[0]) {
		if rest, unit, d := cutUnitBefore(s); unit != 0 && a.unit == 0 {
			a.unit, n.doubt, s = unit, d, rest
			continue
		}
		if !a.take(s[0], true) {
			return nil, false
		}
		s = s[1:]
	}
	for len(s) > 0 && !isDigit(s[len(s)-1]) {
		if rest, unit, d := cutUnitAfter(s); unit != 0 && a.unit == 0 {
			a.unit, n.doubt, s = unit, d, rest
			continue
		}
		if last := len(s) - 1; last > 0 && s[last] == '.' && isDigit(s[last-1]) && !a.trailing { // 12.- has no minus
			break
		}
		if !a.take(s[len(s)-1], false) {
			return nil, false
		}
		s = s[:len(s)-1]
	}
	if len(s) == 0 || a.open != a.closed || a.percent && a.unit != 0 || a.plus && isTelephone(s) {
		return nil, false
	}
	n.negative, n.percent = a.negative, a.percent
	n.seen = usual | a.unit
	if (a.open || a.trailing) && !isAmount(s) {
		n.seen = doubtful | a.unit
	}
	return s, true
}

// isAmount reports whether a number has both a comma and a point, as no mark of a list and no hour has: 1,234.50.
func isAmount(core []byte) bool {
	return bytes.IndexByte(core, ',') >= 0 && bytes.IndexByte(core, '.') >= 0
}

// isTelephone reports whether a number with a plus sign looks like a telephone number: with spaces, or eight or more digits and no mark.
func isTelephone(core []byte) bool {
	if bytes.IndexByte(core, ' ') >= 0 {
		return true
	}
	if len(core) < 8 {
		return false
	}
	for _, c := range core {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// affixes are what surrounds a number's digits.
type affixes struct {
	signed, negative, plus, trailing bool
	open, closed                     bool // parentheses, which mean a minus
	percent                          bool
	unit                             trait
}

// take accepts one letter; it fails if the letter is not allowed there or occurs twice.
func (a *affixes) take(c byte, before bool) bool {
	switch c {
	case ' ', thinSpace:
		return true
	case '-', '+', triangle, '(':
		if a.signed || !before && c != '-' {
			return false
		}
		a.signed = true
		a.negative, a.plus = c != '+', c == '+'
		a.trailing = !before
		a.open = c == '('
		return true
	case ')':
		ok := a.open && !a.closed && !before
		a.closed = true
		return ok
	case '%':
		ok := !a.percent
		a.percent = true
		return ok
	}
	unit := unitOf(c)
	if unit == 0 || a.unit != 0 {
		return false
	}
	a.unit = unit
	return true
}

// unitOf returns the trait of a currency. CP932 has the yen sign where ASCII has the backslash, and its decoders return
// the latter.
func unitOf(c byte) trait {
	switch c {
	case yenSign, '\\':
		return yenSeen
	case '$':
		return dollarSeen
	case euroSign:
		return euroSeen
	case poundSign:
		return poundSeen
	}
	return 0
}

// trimFraction removes the trailing zeros of a number's fraction, so that equal numbers are equal texts. Numbers with
// an exponent stay unchanged.
func trimFraction(text []byte) []byte {
	if bytes.IndexByte(text, '.') < 0 || bytes.ContainsAny(text, "eE") {
		return text
	}
	return bytes.TrimSuffix(bytes.TrimRight(text, "0"), []byte("."))
}
