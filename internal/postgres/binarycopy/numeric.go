package binarycopy

import "encoding/binary"

// The binary form of a numeric has groups of four decimal digits. Source: numeric_recv in PostgreSQL's src/backend/utils/adt/numeric.c
const (
	groupDigits  = 4
	numericHead  = 12 // length of the field, number of groups, weight of the first, sign, digits after the point
	negativeSign = 0x4000
)

// Numeric adds a numeric: a sign, and the decimal digits before and after the point as ASCII, at most 131,072 and 16,383.
func (b *Buffer) Numeric(negative bool, whole, fraction []byte) {
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	start := len(b.data)
	b.data = append(b.data, make([]byte, numericHead)...)
	g := groups{
		data: b.data, end: len(b.data), weight: (len(whole)+groupDigits-1)/groupDigits - 1,
		digits: (groupDigits - len(whole)%groupDigits) % groupDigits, // that a short first group lacks
	}
	g.add(whole)
	g.add(fraction)
	for g.digits > 0 {
		g.digit(0)
	}
	b.data = g.data[:g.end]
	sign, weight := 0, g.weight
	switch {
	case g.end == start+numericHead: // zero
		weight = 0
	case negative:
		sign = negativeSign
	}
	head := b.data[start:]
	binary.BigEndian.PutUint32(head, uint32(len(head)-4))
	for i, v := range [4]int{(len(head) - numericHead) / 2, weight, sign, len(fraction)} {
		binary.BigEndian.PutUint16(head[4+2*i:], uint16(v))
	}
}

// groups are those of a numeric that is being written, without the zeros that lead or trail.
type groups struct {
	data   []byte
	end    int // of the last one that is not zero
	weight int // of the first one
	begun  bool
	group  uint16
	digits int // in group
}

func (g *groups) add(digits []byte) {
	for _, d := range digits {
		g.digit(d - '0')
	}
}

func (g *groups) digit(d byte) {
	g.group = g.group*10 + uint16(d)
	if g.digits++; g.digits < groupDigits {
		return
	}
	if g.begun = g.begun || g.group != 0; g.begun {
		g.data = binary.BigEndian.AppendUint16(g.data, g.group)
	} else {
		g.weight--
	}
	if g.group != 0 {
		g.end = len(g.data)
	}
	g.group, g.digits = 0, 0
}
