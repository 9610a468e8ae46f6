package types

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestMoment is the length in bytes of a text that may be a moment in another way than the usual ones.
const longestMoment = 80

// usualMoment appends to dst a moment that is written in another way than the parsers read, as they do: 5. März 2024, 2024-Jan-05 and
// January 5th, 2024 as 5 Jan 2024, 5. 1. 2024 and 2024. 01. 05. without the spaces and the last point, 20240105T0905, 20240105090500 and
// 2024:01:05 09:05 as 2024-01-05 09:05, and each without the day of the week and what else stands before the time. A year of two digits
// behind the name of a month gets four. ok is false if it is none of them.
func usualMoment(dst, text []byte) (usual []byte, ok bool) {
	if len(text) > longestMoment || !bytes.ContainsAny(text, "0123456789") {
		return dst, false
	}
	if usual, ok = compactStamp(dst, text); ok {
		return usual, ok
	}
	for _, day := range [...][]byte{cutWeekdayBefore(text), cutMarch(text)} {
		if usual, rest, ok := usualDay(dst, day); ok {
			dayFirst := isDigit(text[0]) && endsInYear(day[:len(day)-len(rest)])
			return appendClockBehind(usual, rest, len(dst), dayFirst), dayFirst || len(rest) == 0 || rest[0] != ':'
		}
	}
	return dst, false
}

// usualDay appends the day that the text begins with, and the time that stands before its year.
func usualDay(dst, text []byte) (usual, rest []byte, ok bool) {
	if usual, ok = clockBeforeYear(dst, text); ok {
		return usual, nil, ok
	}
	if usual, rest, ok = namedDay(dst, text); ok {
		return usual, rest, ok
	}
	if usual, rest, ok = compactDay(dst, text); ok {
		return usual, rest, ok
	}
	if usual, rest, ok = cameraDay(dst, text); ok {
		return usual, rest, ok
	}
	return numericDay(dst, text)
}

// endsInYear reports whether the text ends in four digits.
func endsInYear(text []byte) bool {
	n := len(text)
	return n >= 4 && isDigit(text[n-1]) && isDigit(text[n-2]) && isDigit(text[n-3]) && isDigit(text[n-4])
}

// appendClockBehind appends what stands behind a day, which begins at an index of dst. dayFirst says whether its day stood first, and all
// four digits of its year last.
func appendClockBehind(dst, rest []byte, day int, dayFirst bool) []byte {
	rest = cutWeekdayAfter(cutPrefixes(cutZoneName(rest), " года", " г.", " г", " року", " р.", " р", " r."))
	if len(rest) == 0 {
		return dst
	}
	clock := cutPrefixes(rest, ", ", ",", " - ", " – ")
	isNamed := dayFirst && bytes.IndexByte(dst[day:], ' ') > 0 && isClock(rest[1:])
	isISO := len(dst)-day == len("2024-01-05") && dst[day+len("2024")] == '-'
	if rest[0] == ':' && isNamed || rest[0] == '-' && isISO && len(rest) > 1 && isDigit(rest[1]) { // as web servers and Db2 write
		clock = rest[1:]
	}
	clock = bytes.TrimLeft(clock, " \u00a0\u202f")
	if len(clock) == len(rest) || len(clock) == 0 {
		return append(dst, rest...)
	}
	dst = append(dst, ' ')
	if words := cutPrefixes(clock, clockWords...); len(words) > 0 && isDigit(words[0]) {
		return appendUsualClock(dst, words, true)
	}
	return append(dst, clock...) // 오전 9:05
}

// isClock reports whether the text begins with 09:
func isClock(text []byte) bool {
	return len(text) > 2 && text[2] == ':' && isDigit(text[0]) && isDigit(text[1])
}

// compactDay reads 20240105T0905 and 20240105 09:05:07.
func compactDay(dst, text []byte) (usual, rest []byte, ok bool) {
	if _, n := cutDigits(text, 9); n != len("20060102") || n+1 >= len(text) {
		return dst, text, false
	}
	rest = text[len("20060102"):]
	_, n := cutDigits(rest[1:], 7)
	if rest[0] != 'T' && rest[0] != ' ' || n == 0 {
		return dst, text, false
	}
	dst = appendISODay(dst, text[:4], text[4:6], text[6:8])
	if n != 4 && n != 6 {
		return dst, rest, true
	}
	dst = append(append(append(append(dst, ' '), rest[1:3]...), ':'), rest[3:5]...)
	if n == 6 {
		dst = append(append(dst, ':'), rest[5:7]...)
	}
	return append(dst, rest[1+n:]...), nil, true
}

// compactStamp reads 20240105090507, in the years of compact days, and what stands behind it.
func compactStamp(dst, text []byte) (usual []byte, ok bool) {
	const day, clock = len("20060102"), len("20060102150405")
	_, n := cutDigits(text, clock+1)
	century := string(text[:min(2, len(text))])
	if n != clock || century != "19" && century != "20" {
		return dst, false
	}
	dst = append(appendISODay(dst, text[:4], text[4:6], text[6:day]), ' ')
	dst = append(append(dst, text[day:day+2]...), ':')
	dst = append(append(dst, text[day+2:day+4]...), ':')
	return append(dst, text[day+4:]...), string(text[day:day+2]) < "24"
}

// cameraDay reads 2024:01:05 before a time, as it stands in photographs (Exif 2.3, DateTime).
func cameraDay(dst, text []byte) (usual, rest []byte, ok bool) {
	const day = len("2024:01:05")
	if len(text) < day+2 || text[4] != ':' || text[7] != ':' || text[day] != ' ' || !isDigit(text[day+1]) {
		return dst, text, false
	}
	for _, part := range [...][]byte{text[:4], text[5:7], text[8:day]} {
		if _, n := cutDigits(part, 4); n != len(part) {
			return dst, text, false
		}
	}
	return appendISODay(dst, text[:4], text[5:7], text[8:day]), text[day:], true
}

func appendISODay(dst, year, month, day []byte) []byte {
	dst = append(append(dst, year...), '-')
	dst = append(append(dst, month...), '-')
	return append(dst, day...)
}

// clockBeforeYear reads what follows the day of the week in Fri Jan 5 09:05:07 CET 2024.
func clockBeforeYear(dst, text []byte) (english []byte, ok bool) {
	month, isClear, rest := cutMonth(text)
	if month == 0 || !isClear || len(rest) == 0 || rest[0] != ' ' {
		return dst, false
	}
	rest = bytes.TrimLeft(rest, " ")
	_, n := cutDigits(rest, 2)
	at := bytes.LastIndexByte(rest, ' ')
	if n == 0 || at <= n || rest[n] != ' ' {
		return dst, false
	}
	clock := bytes.TrimLeft(rest[n:at], " ")
	_, year := cutDigits(rest[at+1:], 5)
	if bytes.IndexByte(clock, ':') <= 0 || year != 4 || at+1+year < len(rest) {
		return dst, false
	}
	dst, _, ok = appendEnglish(dst, rest[:n], month, rest[at+1:], true)
	return append(append(dst, ' '), clock...), ok
}

// namedDay appends the day that the text begins with and that has the name of a month, in English: 5 Jan 2024.
func namedDay(dst, text []byte) (english, rest []byte, ok bool) {
	switch _, n := cutDigits(text, 4); n {
	case 0:
		return monthDayYear(dst, text)
	case 4:
		return yearMonthDay(dst, text)
	}
	return dayMonthYear(dst, text)
}

// dayMonthYear reads 5. März 2024, 5 March, 2024, 1er janvier 2024, 5 de enero de 2024, 3rd June 2024, 5-Jan-24 and 05Jan2024.
func dayMonthYear(dst, text []byte) (english, rest []byte, ok bool) {
	_, n := cutDigits(text, 2)
	day, rest := text[:n], text[n:]
	point := len(rest) > 0 && rest[0] == '.'
	rest, first := cutSeparators(cutPrefixes(rest, "er", "º", "°", "ª", "st", "nd", "rd", "th"))
	month, isClear, rest := cutMonth(cutPrefixes(rest, "de ", "di ", "of ", "d'", "d’"))
	if month == 0 {
		return dst, text, false
	}
	if first == ' ' {
		rest = bytes.TrimPrefix(rest, []byte(","))
	}
	rest, second := cutSeparators(rest)
	rest = cutPrefixes(rest, "de ", "del ")
	if !isClear && point {
		month = croatianMonth
		_, n := cutDigits(rest, 4)
		point = bytes.HasPrefix(rest[n:], []byte("."))
	}
	return appendEnglish(dst, day, month, rest, first == second && (isClear || point || month != croatianMonth))
}

// monthDayYear reads January 5th, 2024, Sept 5 2024 and Jan-05-2024.
func monthDayYear(dst, text []byte) (english, rest []byte, ok bool) {
	month, isClear, rest := cutMonth(text)
	if month == 0 || !isClear {
		return dst, text, false
	}
	rest, first := cutSeparators(rest)
	_, n := cutDigits(rest, 2)
	day, rest := rest[:n], cutPrefixes(rest[n:], "st", "nd", "rd", "th")
	rest, second := cutSeparators(bytes.TrimPrefix(rest, []byte(",")))
	return appendEnglish(dst, day, month, rest, n > 0 && first == second && (first == ' ' || first == '-'))
}

// yearMonthDay reads 2024-Jan-05 and 2024. január 5.
func yearMonthDay(dst, text []byte) (english, rest []byte, ok bool) {
	year, rest := text[:4], text[4:]
	rest, first := cutSeparators(rest)
	month, isClear, rest := cutMonth(bytes.TrimPrefix(rest, []byte("m. ")))
	rest, second := cutSeparators(rest)
	_, n := cutDigits(rest, 2)
	if month == 0 || !isClear || n == 0 || first == 0 || first != second {
		return dst, text, false
	}
	dst, _, ok = appendEnglish(dst, rest[:n], month, year, true)
	return dst, cutPrefixes(rest[n:], ".", " d."), ok
}

// appendEnglish appends the day, the name of the month and the year that the text begins with. fits says whether what stood between them
// makes a date.
func appendEnglish(dst, day []byte, month int, text []byte, fits bool) (english, rest []byte, ok bool) {
	year, n := cutDigits(text, 5)
	if !fits || n != 4 && n != 2 {
		return dst, text, false
	}
	if n == 2 {
		year = fullYear(year)
	}
	dst = append(append(dst, day...), ' ')
	dst = append(append(dst, monthNames[month-1][:3]...), ' ')
	return appendPadded(dst, year, 4), bytes.TrimPrefix(text[n:], []byte(".")), true
}

// cutMonth cuts the name of a month off the beginning of the text; month is 0 if there is none. Not each of them is clear.
func cutMonth(text []byte) (month int, isClear bool, rest []byte) {
	size := letters(text)
	var buffer [longestMoment]byte
	name := appendLower(buffer[:0], text[:size])
	return months[string(name)], string(name) != croatian, text[size:]
}

// appendLower appends the text in lower case.
func appendLower(dst, text []byte) []byte {
	if isASCII(text) {
		return lowerASCII(dst, text)
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		dst, text = utf8.AppendRune(dst, unicode.ToLower(r)), text[size:]
	}
	return dst
}

// cutWeekday cuts the name of a day of the week off the beginning of the text.
func cutWeekday(text []byte) (rest []byte, ok bool) {
	size := letters(text)
	var buffer [longestMoment]byte
	return text[size:], size > 0 && weekdays[string(appendLower(buffer[:0], text[:size]))]
}

// numericDay appends the day that the text begins with and that is of numbers alone, without spaces behind points and without the last
// point.
func numericDay(dst, text []byte) (usual, rest []byte, ok bool) {
	start, parts := len(dst), 0
	rest = text
	for {
		_, n := cutDigits(rest, 4)
		if n == 0 {
			return dst[:start], text, false
		}
		dst, rest = append(dst, rest[:n]...), rest[n:]
		mark := dayMark(rest)
		if parts++; parts == 3 {
			if mark == "." {
				rest = rest[1:]
			} else if isKanjiMark(mark) {
				dst, rest = append(dst, mark...), rest[len(mark):]
			}
			return dst, rest, true
		}
		if mark == "" {
			return dst[:start], text, false
		}
		dst, rest = append(dst, mark...), rest[len(mark):]
		if mark == "." || isKanjiMark(mark) {
			rest = bytes.TrimLeft(rest, " \u00a0")
		}
	}
}

// dayMark returns what may stand behind a part of a date and the text begins with; "" if nothing does.
func dayMark(text []byte) string {
	for _, mark := range dayMarks {
		if bytes.HasPrefix(text, []byte(mark)) {
			return mark
		}
	}
	return ""
}

// dayMarks are the marks of dates, also folded.
var dayMarks = []string{".", "/", "-", "年", "月", "日", "년", "월", "일", string([]byte{yearSign}), string([]byte{monthSign}), string([]byte{daySign})}

func isKanjiMark(mark string) bool { return mark != "" && mark[0] >= utf8.RuneSelf }

// cutWeekdayBefore cuts Fri, Fri. or Friday with a comma off the beginning, where something stands between it and the date.
func cutWeekdayBefore(text []byte) []byte {
	rest, ok := cutWeekday(text)
	if !ok {
		return text
	}
	rest = cutPrefixes(rest, "-feira", " den")
	behind := bytes.TrimLeft(rest, "., \u00a0")
	if len(behind) == len(rest) {
		return text
	}
	return behind
}

// cutMarch cuts mar off the beginning, which is Tuesday in Italian, Spanish and French if no day of March follows.
func cutMarch(text []byte) []byte {
	size := letters(text)
	if size != len("mar") || !strings.EqualFold(string(text[:size]), "mar") {
		return nil
	}
	return bytes.TrimLeft(text[size:], "., \u00a0")
}

// cutWeekdayAfter cuts (Fri), （金） or 金曜日 off the beginning of what follows a date.
func cutWeekdayAfter(text []byte) []byte {
	rest := cutPrefixes(bytes.TrimLeft(text, " "), "(", "（")
	if len(rest) > 1 && rest[1] == ')' && (rest[0] == monthSign || rest[0] == daySign) { // Monday and Sunday, folded
		return rest[2:]
	}
	rest, ok := cutWeekday(rest)
	if !ok {
		return text
	}
	return cutPrefixes(rest, ")", "）")
}

// cutPrefixes cuts the first of the prefixes off that the text has. Most texts begin with another letter.
func cutPrefixes(text []byte, prefixes ...string) []byte {
	for _, prefix := range prefixes {
		if mayBegin(text, prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix) {
			return text[len(prefix):]
		}
	}
	return text
}

// mayBegin reports whether a text can begin with the prefix, in any case, by its length and first byte.
func mayBegin(text []byte, prefix string) bool {
	const small = 'a' - 'A'
	return len(text) >= len(prefix) && (text[0]|small == prefix[0]|small || text[0] >= utf8.RuneSelf && prefix[0] >= utf8.RuneSelf)
}

// cutSeparators cuts what stands between the parts of a moment, and returns its last letter, 0 if nothing does.
func cutSeparators(text []byte) (rest []byte, last rune) {
	rest = bytes.TrimLeft(text, ".- /\u00a0\u202f")
	if len(rest) == len(text) {
		return text, 0
	}
	last, _ = utf8.DecodeLastRune(text[:len(text)-len(rest)])
	return rest, last
}

// letters returns the length in bytes of the letters that the text begins with.
func letters(text []byte) (n int) {
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsLetter(r) || r == utf8.RuneError {
			break
		}
		n += size
	}
	return n
}
