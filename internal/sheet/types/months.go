package types

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// monthsOf are the names of the months as dates have them, from January on, with their usual abbreviations, in languages in
// which the day stands before the month. A name that means different months in two languages of Europe is not among them,
// but for listopada: see croatian.
var monthsOf = []string{
	// German
	"januar jänner jan jän|februar feber feb|märz mär mrz|april apr|mai|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|dezember dez",
	// French
	"janvier janv|février févr fév|mars|avril avr|mai|juin|juillet juil|août aoû|septembre sept|octobre oct|novembre nov|décembre déc",
	// Spanish
	"enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept sep|octubre oct|noviembre nov|diciembre dic",
	// Portuguese
	"janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez",
	// Italian
	"gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|ottobre ott|novembre nov|dicembre dic",
	// Dutch
	"januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|november nov|december dec",
	// Swedish, Danish and Norwegian
	"januari januar|februari februar|mars marts|april|maj mai|juni|juli|augusti august|september|oktober|november|december desember des",
	// Polish
	"stycznia sty|lutego lut|marca|kwietnia kwi|maja|czerwca cze|lipca lip|sierpnia sie|września wrz|października paź|listopada|grudnia gru",
	// Czech
	"ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince",
	// Russian
	"января янв|февраля фев|марта мар|апреля апр|мая|июня июн|июля июл|августа авг|сентября сен сент|октября окт|ноября ноя|декабря дек",
	// English, with the day first
	"january|february|march|april|may|june|july|august|september sept|october|november|december",
}

// months are the numbers of the months by their names.
var months = func() map[string]int {
	all := map[string]int{}
	for _, language := range monthsOf {
		for i, names := range strings.Split(language, "|") {
			for name := range strings.FieldsSeq(names) {
				all[name] = i + 1
			}
		}
	}
	return all
}()

// croatian is November in Polish, and October in Croatian, where a point stands behind the day.
const croatian = "listopada"

// longestMoment is the length in bytes of a text that may be a moment with the name of a month.
const longestMoment = 64

// englishMonth appends a moment that begins with a day and the name of a month in another language, or written in another way than
// usual, as it is in English: 5. März 2024, 1er janvier 2024, 5 de enero de 2024 and 3rd June 2024 begin with a number, a short
// name, and the year. ok is false if it is none.
func englishMonth(dst, text []byte) (english []byte, ok bool) {
	if len(text) > longestMoment || len(text) == 0 || !isDigit(text[0]) {
		return dst, false
	}
	_, n := cutDigits(text, 2)
	day, rest := text[:n], text[n:]
	point := len(rest) > 0 && rest[0] == '.'
	rest, first := cutSeparators(cutPrefixes(rest, "er", "º", "°", "ª", "st", "nd", "rd", "th"))
	rest = cutPrefixes(rest, "de ", "di ", "of ")
	size := letters(rest)
	name := strings.ToLower(string(rest[:size]))
	month := months[name]
	if month == 0 || name == croatian && point {
		return dst, false
	}
	rest, second := cutSeparators(rest[size:])
	rest = cutPrefixes(rest, "de ", "del ")
	if _, n = cutDigits(rest, 5); n != 4 || first == 0 || first != second {
		return dst, false
	}
	dst = append(append(dst, day...), ' ')
	dst = append(append(dst, monthNames[month-1][:3]...), ' ')
	dst = append(dst, rest[:4]...)
	rest = cutPrefixes(rest[4:], " г.", " г", " r.")
	return append(dst, bytes.TrimPrefix(rest, []byte(","))...), isASCII(rest)
}

// cutPrefixes cuts the first of the prefixes off that the text has.
func cutPrefixes(text []byte, prefixes ...string) []byte {
	for _, prefix := range prefixes {
		if len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix) {
			return text[len(prefix):]
		}
	}
	return text
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
