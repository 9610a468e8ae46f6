package types

import (
	"bytes"
	"unicode/utf8"
)

// maxValue is the maximum length, in bytes, of a value other than text: a number of a thousand digits.
const maxValue = 1024

// The letters beyond ASCII that occur in numbers and dates. Each stands for itself in all of its forms; fold converts
// text to them, so that parsers read single bytes. ASCII text has none of them and needs no folding.
const (
	yenSign byte = 0x80 + iota
	euroSign
	poundSign
	triangle    // △ ▲, a minus
	thinSpace   // a space that separates thousands
	yearSign    // 年
	monthSign   // 月
	daySign     // 日
	hourSign    // 時
	minuteSign  // 分
	secondSign  // 秒
	firstYear   // 元
	beforeNoon  // 午前
	afterNoon   // 午後
	amSign      // 오전 上午 π.μ.
	pmSign      // 오후 下午 μ.μ.
	meijiSign   // 明治 ㍾
	taishoSign  // 大正 ㍽
	showaSign   // 昭和 ㍼
	heiseiSign  // 平成 ㍻
	reiwaSign   // 令和 ㋿
	rupeeSign   // ₹
	rubleSign   // ₽ руб
	hryvniaSign // ₴ грн
	wonSign     // ₩ 원
	liraSign    // ₺
	bahtSign    // ฿
	dongSign    // ₫ đ
	shekelSign  // ₪
	pisoSign    // ₱
	zlotyEnd    // ł, of zł
	korunaEnd   // č, of Kč
	nairaSign   // ₦
	tengeSign   // ₸
	lariSign    // ₾
	colonSign   // ₡
	dramSign    // ֏
	manatSign   // ₼
	takaSign    // ৳
	rielSign    // ៛
	guaraniSign // ₲
	cediSign    // ₵
	tugrikSign  // ₮
	kipSign     // ₭
	levSign     // лв
	unknownSign // any other letter
)

// fold appends the text to dst, with full-width forms as ASCII, other letters of numbers and dates as their signs, and a moment that has
// other letters in the usual way. It fails if the text can be no number, date or time.
func fold(dst, text []byte) ([]byte, bool) {
	if folded, ok := foldLetters(dst, text); ok {
		return folded, true
	}
	var buffer [longestMoment]byte
	usual, ok := usualMoment(buffer[:0], text)
	if !ok {
		usual, ok = usualClock(buffer[:0], text)
	}
	if !ok {
		return dst, false
	}
	return foldLetters(dst, usual)
}

// foldLetters fails at the first letter that cannot be part of a number, date or time.
func foldLetters(dst, text []byte) ([]byte, bool) {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			dst = append(dst, c)
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		sign := foldRune(r)
		if sign == unknownSign {
			sign, size = foldWord(text)
		}
		if sign == unknownSign && len(dst) > 0 {
			sign, size = foldAfter(dst[len(dst)-1], r), utf8.RuneLen(r)
		}
		if sign == unknownSign {
			return dst, false
		}
		dst = append(dst, sign)
		text = text[size:]
	}
	return dst, true
}

// foldRune folds a single letter. The full-width forms U+FF01 to U+FF5E are in the order of ASCII.
func foldRune(r rune) byte {
	if r >= '！' && r <= '～' {
		return byte(r - '！' + '!')
	}
	switch r {
	case '　':
		return ' '
	case '−', '–':
		return '-'
	case '’':
		return '\''
	case '\u00a0', '\u2009', '\u202f':
		return thinSpace
	case '¥', '￥', '円':
		return yenSign
	case '€':
		return euroSign
	case '£', '￡':
		return poundSign
	case '△', '▲':
		return triangle
	case '年', '년':
		return yearSign
	case '月', '월':
		return monthSign
	case '日', '일':
		return daySign
	case '時', '시':
		return hourSign
	case '分', '분':
		return minuteSign
	case '秒', '초':
		return secondSign
	case '元':
		return firstYear
	case '㍾':
		return meijiSign
	case '㍽':
		return taishoSign
	case '㍼':
		return showaSign
	case '㍻':
		return heiseiSign
	case '㋿':
		return reiwaSign
	}
	return foldCurrency(r)
}

// foldCurrency folds the sign of a currency.
func foldCurrency(r rune) byte {
	switch r {
	case '₹':
		return rupeeSign
	case '₽':
		return rubleSign
	case '₴':
		return hryvniaSign
	case '₩', '￦', '원':
		return wonSign
	case '₺':
		return liraSign
	case '฿':
		return bahtSign
	case '₫', 'đ':
		return dongSign
	case '₪':
		return shekelSign
	case '₱':
		return pisoSign
	}
	for _, c := range rareCurrencies {
		if c.sign == r {
			return c.folded
		}
	}
	return unknownSign
}

// rareCurrencies are the signs of the others.
var rareCurrencies = [...]struct {
	sign   rune
	folded byte
}{
	{'₦', nairaSign}, {'₸', tengeSign}, {'₾', lariSign}, {'₡', colonSign}, {'֏', dramSign}, {'₼', manatSign}, {'৳', takaSign}, {'៛', rielSign},
	{'₲', guaraniSign}, {'₵', cediSign}, {'₮', tugrikSign}, {'₭', kipSign},
}

// foldAfter folds the last letters of zł and Kč.
func foldAfter(before byte, r rune) byte {
	switch {
	case before == 'z' && r == 'ł':
		return zlotyEnd
	case before == 'K' && r == 'č':
		return korunaEnd
	}
	return unknownSign
}

// foldWord folds words of six bytes, and лв.
func foldWord(text []byte) (sign byte, size int) {
	if bytes.HasPrefix(text, []byte("лв")) {
		return levSign, len("лв")
	}
	size = len("令和")
	if len(text) < size {
		return unknownSign, 0
	}
	switch string(text[:size]) {
	case "明治":
		return meijiSign, size
	case "大正":
		return taishoSign, size
	case "昭和":
		return showaSign, size
	case "平成":
		return heiseiSign, size
	case "令和":
		return reiwaSign, size
	case "午前":
		return beforeNoon, size
	case "午後":
		return afterNoon, size
	case "오전", "上午", "π.μ.":
		return amSign, size
	case "오후", "下午", "μ.μ.":
		return pmSign, size
	case "руб":
		return rubleSign, size
	case "грн":
		return hryvniaSign, size
	}
	return unknownSign, 0
}

// trim returns the text without the white space around it.
func trim(text []byte) []byte {
	for {
		n := spaceBefore(text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	for {
		n := spaceAfter(text)
		if n == 0 {
			return text
		}
		text = text[:len(text)-n]
	}
}

// spaceBefore returns the length of the white space character that the text begins with: U+0020, TAB, CR, LF, U+00A0 or U+3000.
func spaceBefore(text []byte) int {
	switch {
	case len(text) == 0:
	case text[0] < utf8.RuneSelf:
		return asciiSpace(text[0])
	case text[0] == wideSpace[0] && bytes.HasPrefix(text, []byte(wideSpace)):
		return len(wideSpace)
	case text[0] == hardSpace[0] && bytes.HasPrefix(text, []byte(hardSpace)):
		return len(hardSpace)
	}
	return 0
}

func spaceAfter(text []byte) int {
	switch {
	case len(text) == 0:
	case text[len(text)-1] < utf8.RuneSelf:
		return asciiSpace(text[len(text)-1])
	case bytes.HasSuffix(text, []byte(wideSpace)):
		return len(wideSpace)
	case bytes.HasSuffix(text, []byte(hardSpace)):
		return len(hardSpace)
	}
	return 0
}

const (
	wideSpace = "\u3000"
	hardSpace = "\u00a0"
)

func asciiSpace(c byte) int {
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return 1
	}
	return 0
}

// isInk reports whether the byte is certainly not part of white space.
func isInk(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

func isBlank(text []byte) bool {
	return len(text) == 0 || spaceBefore(text) != 0 && len(trim(text)) == 0
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isLetter(c byte) bool { return (c|0x20)-'a' < 26 }

// isASCII processes eight bytes at a time.
func isASCII(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		if word(text)&highBits != 0 {
			return false
		}
	}
	var or byte
	for _, c := range text {
		or |= c
	}
	return or < utf8.RuneSelf
}
