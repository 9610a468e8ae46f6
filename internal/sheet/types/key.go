package types

import (
	"bytes"
	"cmp"
)

// key is the position of a value in the order of its kind: numbers among numbers, moments among moments.
type key struct {
	high int64
	low  uint64
}

func (k key) less(other key) bool {
	return k.high < other.high || k.high == other.high && k.low < other.low
}

// leadDigits is how many digits a key holds. Numbers with more digits may differ and still have the same key.
const leadDigits = 19

// exponentBias exceeds the exponent of any number: a number has at most maxValue digits, and its exponent is at most
// maxExponent.
const exponentBias = 1 << 12

// numberKey returns the key of the number 0.d₁d₂d₃… × 10^exponent, whose digits d₁ to dₙ are lead and whose d₁ is not
// 0.
func numberKey(lead uint64, digits, exponent int, negative bool) key {
	if digits == 0 {
		return key{}
	}
	k := key{int64(exponent + exponentBias), lead * powersOfTen[max(0, leadDigits-digits)]}
	if negative {
		return key{-k.high, ^k.low}
	}
	return k
}

var powersOfTen = func() (powers [leadDigits]uint64) {
	p := uint64(1)
	for i := range powers {
		powers[i] = p
		p *= 10
	}
	return powers
}()

// bound is the minimum or the maximum, as in the file.
type bound struct {
	key  key
	text []byte
}

func (b *bound) set(k key, text []byte) {
	b.key = k
	b.text = append(b.text[:0], text...)
}

// bounds are the minimum and the maximum of values.
type bounds struct {
	any      bool
	min, max bound
}

// span returns how far apart the minimum and the maximum are, for moments in seconds.
func (b *bounds) span() int64 { return b.max.key.high - b.min.key.high }

// add adds a value.
func (b *bounds) add(k key, text []byte, isNumber bool) {
	if !b.any {
		b.any = true
		b.min.set(k, text)
		b.max.set(k, text)
		return
	}
	if k.less(b.min.key) || k == b.min.key && compareTied(text, b.min.text, k, isNumber) < 0 {
		b.min.set(k, text)
	}
	if b.max.key.less(k) || k == b.max.key && compareTied(text, b.max.text, k, isNumber) > 0 {
		b.max.set(k, text)
	}
}

// join adds the bounds of other values.
func (b *bounds) join(other *bounds, isNumber bool) {
	if other.any {
		b.add(other.min.key, other.min.text, isNumber)
		b.add(other.max.key, other.max.text, isNumber)
	}
}

// compareTied compares values with the same key: by the digits that it does not hold, then by their text, so that the
// result does not depend on their order.
func compareTied(a, b []byte, k key, isNumber bool) int {
	if bytes.Equal(a, b) {
		return 0
	}
	order := 0
	if isNumber {
		order = compareTails(a, b, k)
	}
	return cmp.Or(order, cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
}

// compareTails compares numbers with the same key by the digits that it does not hold.
func compareTails(a, b []byte, k key) int {
	if max(len(a), len(b)) <= leadDigits {
		return 0
	}
	order := bytes.Compare(tail(a), tail(b))
	if k.high < 0 {
		return -order
	}
	return order
}

// tail returns a number's significant digits after those that a key holds, without trailing zeros. The marks do not
// matter: in two numbers with the same key they are at the same digit.
func tail(text []byte) []byte {
	text = trim(text)
	if !isASCII(text) {
		text, _ = fold(nil, text)
	}
	var n number
	core, _ := n.parse(text)
	digits := make([]byte, 0, len(core))
	for _, c := range core {
		if c|0x20 == 'e' {
			break
		}
		if isDigit(c) && (c != '0' || len(digits) > 0) {
			digits = append(digits, c)
		}
	}
	return bytes.TrimRight(digits[min(leadDigits, len(digits)):], "0")
}
