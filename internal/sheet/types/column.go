package types

import (
	"encoding/binary"
	"math/bits"
)

// column is what is known of a column's values.
type column struct {
	nulls, empty, values int64

	// recent holds short values that taught all that they can: to see one again changes nothing but the count. A column of many different
	// values has none, for it would hardly see one again.
	recent  *[1 << recentBits]short
	plain   plain
	profile profile

	open    set // the candidates that fit every value
	watched set // those and the ones that missed few, of which it is worth saying what they missed
	seen    trait
	digits  int
	bounds  [endOfSlots]bounds
	misses  misses
}

const recentBits = 8

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

// addShort takes a cell that is not empty. It reports whether there is nothing more to be learnt of its value.
func (c *column) addShort(row int64, s short) bool {
	var buffer [shortBytes]byte
	if !isInk(byte(s.head)) && isBlank(s.text(buffer[:0])) {
		c.empty++
		return false
	}
	c.values++
	if sketch := c.profile.distinct.sketch; sketch != nil {
		sketch.add(s.hash())
	} else if c.profile.addFew(s.hash(), s.text(buffer[:0])) {
		c.recent = nil
	}
	high, low := bits.ReverseBytes64(s.head), bits.ReverseBytes64(s.tail)
	if s.length() > c.profile.longest || c.profile.isExtreme(high, low) {
		c.profile.stretch(s.text(buffer[:0]), high, low)
	}
	return c.watched == 0 || c.plain.add(s) || c.weigh(row, s.text(buffer[:0]))
}

// addLong takes a cell of more than shortBytes bytes.
func (c *column) addLong(row int64, cell []byte) {
	if !isInk(cell[0]) && isBlank(cell) {
		c.empty++
		return
	}
	c.values++
	if sketch := c.profile.distinct.sketch; sketch != nil {
		sketch.add(hashLong(cell))
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

// weigh takes away the candidates that the cell does not fit, and reports whether there was none.
func (c *column) weigh(row int64, cell []byte) bool {
	var r reading
	r.read(cell, c.watched)
	missed := c.watched &^ r.fits
	if missed != 0 {
		c.misses.add(row, cell, missed, c.watched)
		c.open &^= missed
		c.watched &^= c.misses.spent
	}
	if r.fits != 0 {
		c.learn(&r, cell)
	}
	if missed != 0 || c.plain.kind == notPlain {
		c.plain.turn(c.watched, c.seen)
	}
	return missed == 0
}

// learn takes what is to be known of a cell that fits a candidate.
func (c *column) learn(r *reading, cell []byte) {
	c.seen |= r.seen
	c.digits = max(c.digits, r.digits)
	for i := range r.values {
		if v := &r.values[i]; slots[v.at]&c.open != 0 {
			c.bounds[v.at].add(v.key, cell, v.at.isNumber())
		}
	}
}
