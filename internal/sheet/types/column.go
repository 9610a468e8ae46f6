package types

import (
	"encoding/binary"
	"math/bits"
)

// column is what is known about a column's values.
type column struct {
	nulls, empty, values int64

	// recent caches short values from which nothing more can be learnt: seeing one again only changes the count. A
	// column with many different values has no cache, because it would rarely see one again.
	recent  *[1 << recentBits]short
	plain   plain
	profile profile

	open    set // the candidates that fit every value
	watched set // these and those that missed few values, which are worth listing
	seen    trait
	digits  int
	bounds  [endOfSlots]bounds
	misses  misses
	words   wordCounts // which are not among values
	notes   *notes     // of a fork
}

const recentBits = 8

// zeros is how a date without a day begins, 0000-00-00: of the words for no value no other one begins with a digit.
const zeros = '0' | '0'<<8

func newColumn() column {
	return column{open: inferred, watched: inferred, plain: newPlain(), profile: newProfile(), misses: misses{room: keptMisses}}
}

func (c *column) addEmpty(missing bool) {
	if missing {
		c.nulls++
	} else {
		c.empty++
	}
}

// addCell adds a non-empty cell that is rarely seen.
func (c *column) addCell(row int64, cell []byte) {
	switch n := len(cell); {
	case n <= 8:
		c.addShort(row, short{head: headOf(cell)})
	case n <= shortBytes:
		c.addShort(row, short{word(cell), tailOf(cell)})
	default:
		c.addLong(row, cell)
	}
}

// addShort adds a non-empty cell. It reports whether nothing more can be learnt from its value.
func (c *column) addShort(row int64, s short) bool {
	var buffer [shortBytes]byte
	if !isInk(byte(s.head)) && isBlank(s.text(buffer[:0])) {
		c.empty++
		return false
	}
	if c.watched != 0 && (!isDigit(byte(s.head)) || s.head&(1<<16-1) == zeros) && c.addNullWord(row, s.text(buffer[:0])) {
		return false
	}
	c.values++
	if sketch := c.profile.distinct.Sketch(); sketch != nil {
		sketch.Add(s.hash())
	} else if c.profile.addFew(s.hash(), s.text(buffer[:0])) {
		c.recent = nil
	}
	high, low := bits.ReverseBytes64(s.head), bits.ReverseBytes64(s.tail)
	if s.length() > c.profile.longest || c.profile.isExtreme(high, low) {
		c.profile.stretch(s.text(buffer[:0]), high, low)
	}
	return c.watched == 0 || c.plain.add(s) || c.weigh(row, s.text(buffer[:0]))
}

// addLong adds a cell of more than shortBytes bytes.
func (c *column) addLong(row int64, cell []byte) {
	if !isInk(cell[0]) && isBlank(cell) {
		c.empty++
		return
	}
	if c.watched != 0 && (!isDigit(cell[0]) || string(cell[:2]) == "00") && mayBeNullWord(cell) && c.addNullWord(row, cell) {
		return
	}
	c.values++
	if sketch := c.profile.distinct.Sketch(); sketch != nil {
		sketch.Add(hashLong(cell))
	} else if c.profile.addFew(hashLong(cell), cell) {
		c.recent = nil
	}
	high, low := binary.BigEndian.Uint64(cell), binary.BigEndian.Uint64(cell[8:])
	if len(cell) > c.profile.longest || c.profile.isExtreme(high, low) {
		c.profile.stretch(cell, high, low)
	}
	if c.watched != 0 && !c.plain.addStamp(cell) {
		c.weigh(row, cell)
	}
}

// weigh removes the candidates that the cell does not fit, and reports whether there were none to remove.
func (c *column) weigh(row int64, cell []byte) bool {
	var r reading
	r.read(cell, c.watched)
	missed := c.watched &^ r.fits
	if missed != 0 {
		c.miss(row, cell, missed)
	}
	if r.fits != 0 {
		c.learn(&r, cell)
	}
	if missed != 0 || c.plain.kind == notPlain {
		c.plain.turn(c.watched, c.seen)
	}
	return missed == 0
}

// miss removes the candidates that missed the cell.
func (c *column) miss(row int64, cell []byte, missed set) {
	if c.notes != nil {
		c.notes.add(row, cell)
	}
	c.misses.add(row, cell, missed, c.watched)
	c.open &^= missed
	c.watched &^= c.misses.spent
}

// learn records what a cell that fits a candidate shows.
func (c *column) learn(r *reading, cell []byte) {
	c.seen |= r.seen
	c.digits = max(c.digits, r.digits)
	for i := range r.values {
		if v := &r.values[i]; slots[v.at]&c.open != 0 {
			c.bounds[v.at].add(v.key, cell, v.at.isNumber())
		}
	}
}
