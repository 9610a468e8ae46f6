package types

import "bytes"

// usualClock appends to dst a time that is written in another way than the parsers read, as they do: klo 9.05, 9.05 Uhr, 9h05, 9 h 05,
// 9:05 Uhr and T09:05 as 9:05, and 9 AM as 9:00 AM. ok is false if it is none of them.
func usualClock(dst, text []byte) (usual []byte, ok bool) {
	if len(text) < shortestClock || len(text) > longestMoment {
		return dst, false
	}
	rest := cutPrefixes(text, clockWords...)
	worded := len(rest) < len(text)
	if text[0] == 'T' {
		rest = text[1:]
	}
	if len(rest) == 0 || !isDigit(rest[0]) {
		return dst, false
	}
	start := len(dst)
	dst = appendUsualClock(dst, rest, worded)
	return dst, !bytes.Equal(dst[start:], text)
}

// shortestClock is the length of 9 AM without its space.
const shortestClock = len("9AM")

// clockWords are what stands before a time that a sentence tells.
var clockWords = []string{
	"klo ", "kl. ", "kl.", "kl ", "um ", "at ", "à ", "ore ", "om ",
	"às ", "as ", "a las ", "alle ", "godz. ", "godz ", "lúc ", "в ", "о ",
}

// clockEnds are what stands behind one. Only words say that it is a time: 1.25 h are hours.
var clockEnds = []struct {
	text string
	word bool
}{
	{" Uhr", true}, {"Uhr", true}, {" uur", true}, {" hod.", true}, {" hod", true}, {" น.", true},
	{" hrs", false}, {" hs", false}, {" h", false},
}

// appendUsualClock appends a time, which begins with a digit, and what stands behind it. Where a word tells that it is a time, or dotted
// says so, a point stands for a colon.
func appendUsualClock(dst, text []byte, dotted bool) []byte {
	_, n := cutDigits(text, 2)
	dst, rest := append(dst, text[:n]...), text[n:]
	for _, end := range clockEnds {
		if cut, found := bytes.CutSuffix(rest, []byte(end.text)); found && (end.word || len(cut) > 0 && cut[0] == ':') {
			rest, dotted = cut, true
			if len(rest) == 0 { // 9 Uhr
				return append(dst, ":00"...)
			}
			break
		}
	}
	behind := bytes.TrimLeft(rest, " \u00a0\u202f")
	switch {
	case dotted && isPart(rest, '.'):
		return appendDotted(dst, rest)
	case len(behind) > 0 && behind[0] == 'h':
		if minutes := bytes.TrimLeft(behind[1:], " \u00a0\u202f"); isTwoDigits(minutes) && len(bytes.TrimPrefix(minutes[2:], []byte("min"))) == 0 {
			return append(append(dst, ':'), minutes[:2]...)
		}
	case isMeridiem(behind):
		dst = append(dst, ":00"...)
	}
	return append(dst, rest...)
}

// appendDotted appends .05, .05.07 and .05.07.25 with colons, and AM or PM. With anything else behind it, it is no time.
func appendDotted(dst, text []byte) []byte {
	parts := 1
	if isPart(text[3:], '.') {
		parts = 2
	}
	rest := text[3*parts:]
	var c clock
	if end := c.cutFraction(rest); len(end) > 0 && !isMeridiem(end) {
		return append(dst, text...)
	}
	for i := range parts {
		dst = append(append(dst, ':'), text[3*i+1:3*i+3]...)
	}
	return append(dst, rest...)
}

// isPart reports whether the text begins with a mark and two digits, and no third one.
func isPart(text []byte, mark byte) bool {
	return len(text) > 0 && text[0] == mark && isTwoDigits(text[1:])
}

// isTwoDigits reports whether the text begins with two digits, and no third one.
func isTwoDigits(text []byte) bool {
	_, n := cutDigits(text, 3)
	return n == 2
}

// isMeridiem reports whether the text is AM, pm, a.m. or the like, and nothing else.
func isMeridiem(text []byte) bool {
	half, rest := cutMeridiemAfter(text)
	return half != wholeDay && len(rest) == 0
}

// cutZoneName cuts off the name of a zone behind its offset: +01:00[Europe/Berlin], Z[UTC], +0200 CEST, -0800 (PST).
func cutZoneName(text []byte) []byte {
	at := bytes.IndexAny(text, "[(") // whose name may have spaces
	if at < 0 {
		at = bytes.LastIndexByte(text, ' ')
	} else if last := text[len(text)-1]; last != ']' && last != ')' {
		return text
	}
	if at <= 0 || bytes.IndexByte(text[:at], ':') < 0 || bytes.ContainsAny(text[at:], "0123456789") {
		return text
	}
	offset, name := bytes.TrimRight(text[:at], " "), bytes.TrimLeft(text[at:], "[( ")
	var m moment
	if sign := bytes.LastIndexAny(offset, "+-Z"); sign >= 0 && len(name) > 0 && isLetter(name[0]) && m.readZone(offset[sign:]) {
		return offset
	}
	return text
}
