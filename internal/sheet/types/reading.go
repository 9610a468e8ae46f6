package types

// reading is what one cell can be.
type reading struct {
	fits   set
	seen   trait
	digits int // significant digits of a number
	// A cell has up to three values, because its marks may have two meanings, and the order of its parts three.
	values [3]struct {
		at  slot
		key key
	}
}

// slot separates values that are not comparable.
type slot uint8

const (
	noSlot   slot = iota
	unmarked      // a number without marks that could have two meanings
	point         // a number whose decimal mark is the point
	comma
	ordinary // a moment or a clock
	swapped  // a moment with the month first
	early    // a moment with the year first, in two digits
	packed   // 20240131 as a date
	endOfSlots
)

func (s slot) isNumber() bool { return s <= comma }

// slots are the candidates whose values are in each slot.
var slots = [endOfSlots]set{
	unmarked: numbers,
	point:    pointNumbers,
	comma:    commaNumbers,
	ordinary: moments&^monthFirsts&^yearFirsts&^dateCompact | clocks,
	swapped:  monthFirsts,
	early:    yearFirsts,
	packed:   dateCompact,
}

// read determines what the cell can be, among want. The cell is not blank.
func (r *reading) read(cell []byte, want set) {
	text := trim(cell)
	if len(text) > maxValue {
		return
	}
	if want&booleans != 0 {
		if fits, value, ok := parseBoolean(text); ok {
			r.fits = fits
			if r.seen = denied; value {
				r.seen = affirmed
			}
		}
	}
	if want&^booleans == 0 {
		return
	}
	if !isASCII(text) {
		var buffer [64]byte
		var ok bool
		if text, ok = fold(buffer[:0], text); !ok {
			return
		}
	}
	want &= starts[text[0]]
	if want&numbers != 0 {
		r.readNumber(text)
	}
	if want&moments != 0 {
		r.readMoment(text)
	}
	if want&clocks != 0 {
		r.readClock(text)
	}
}

// starts maps the first byte of a text to the candidates that it can fit.
var starts = func() (starts [256]set) {
	add := func(bytes string, candidates set) {
		for i := range len(bytes) {
			starts[bytes[i]] |= candidates
		}
	}
	add("0123456789", numbers|moments|clocks)
	add(unitInitials, numbers)
	add("+-.,($%\\"+string([]byte{yenSign, euroSign, poundSign, triangle}), numbers)
	add("MTSHR"+string([]byte{meijiSign, taishoSign, showaSign, heiseiSign, reiwaSign}), moments)
	add("-PTKkUuAaOoGg"+string([]byte{beforeNoon, afterNoon, amSign, pmSign}), clocks)
	for letter := byte('a'); letter <= 'z'; letter++ { // a month or a day of the week
		add(string([]byte{letter, letter - 'a' + 'A'}), moments)
	}
	return starts
}()

func (r *reading) readNumber(text []byte) {
	var n number
	if _, ok := n.parse(text); !ok {
		return
	}
	r.fits |= n.fits
	r.seen |= n.seen
	r.digits = n.significant()
	if n.pointWhole == n.commaWhole {
		r.put(unmarked, n.pointKey())
		return
	}
	if n.fits&pointNumbers != 0 {
		r.put(point, n.pointKey())
	}
	if n.fits&commaNumbers != 0 {
		r.put(comma, n.commaKey())
	}
}

func (r *reading) readMoment(text []byte) {
	var m moment
	if !m.read(text) {
		return
	}
	r.fits |= m.fits
	r.seen |= m.seen
	if m.fits&dateCompact != 0 {
		r.put(packed, m.key(m.day))
		return
	}
	if m.orders&(evident|dayFirst|shortDayFirst) != 0 {
		r.put(ordinary, m.key(m.day))
	}
	if m.orders&(monthFirst|shortMonthFirst) != 0 {
		r.put(swapped, m.key(m.swap))
	}
	if m.orders&shortYearFirst != 0 {
		r.put(early, m.key(m.early))
	}
}

func (r *reading) readClock(text []byte) {
	var c clock
	if text[0] == '-' || text[0] == 'P' {
		if !c.parseElapsed(text) {
			return
		}
	} else if !c.read(text) {
		return
	}
	r.fits |= c.fits
	r.seen |= (c.seen & clockTraits) << alone
	r.put(ordinary, c.key())
}

// put adds a value. No text has more than three values as a number, a moment and a clock together.
func (r *reading) put(at slot, k key) {
	i := 0
	for r.values[i].at != noSlot && i < len(r.values)-1 {
		i++
	}
	r.values[i].at, r.values[i].key = at, k
}

// value returns the key of the cell's meaning according to one of the candidates, which it fits.
func (r *reading) value(candidates set) key {
	for _, v := range r.values {
		if slots[v.at]&candidates&r.fits != 0 {
			return v.key
		}
	}
	return key{}
}
