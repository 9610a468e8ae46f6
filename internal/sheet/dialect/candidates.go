package dialect

import (
	"bytes"
	"slices"
	"strings"
)

// UsualDelimiters are the delimiters that are always tried, likely ones first: among equals the first wins.
var UsualDelimiters = []string{",", ";", "\t", "|"}

// rare are delimiters that are tried only if they occur in most lines.
const rare = ": ^~#\x1f\x01\x1e\x02\x14¦§¬¶·、，；｜"

// doubledSigns are delimiters of two characters, of which one alone is none, that are tried only if most lines have several: addresses have
// one.
var doubledSigns = []string{"%%", "//", "@@", "$$", "!!"}

// candidates returns the dialects that the text allows.
func candidates(texts []piece, h Hints) []Dialect {
	var list []Dialect
	for _, delimiter := range delimiters(texts, h) {
		for _, quote := range quotes(texts, delimiter, h) {
			for _, escape := range escapes(texts, quote, delimiter, h) {
				d := Dialect{Delimiter: delimiter, Quote: quote, Escape: escape}
				if h.SkipSpace != nil {
					d.SkipSpace = *h.SkipSpace
					list = append(list, d)
					continue
				}
				list = append(list, d)
				if spaced(texts, delimiter) || quote != 0 && count(texts, string(quote)+" "+delimiter) > 0 {
					d.SkipSpace = true
					list = append(list, d)
				}
			}
		}
	}
	return list
}

func delimiters(texts []piece, h Hints) []string {
	if h.Delimiter != nil {
		return []string{*h.Delimiter}
	}
	list := slices.Clone(UsualDelimiters)
	lines := max(count(texts, "\n"), count(texts, "\r")-count(texts, "\r\n"))
	for _, r := range rare {
		if n := count(texts, string(r)); n > beginnings(texts, string(r)) && Share(n, lines) >= rareInLines && (r != ':' || !areTimes(texts, n)) {
			list = append(list, string(r))
		}
	}
	if byDollars(texts[0]) {
		list = append(list, "$")
	}
	if len(texts) == 1 && !texts[0].cut && byEqualsSigns(texts[0].bytes) {
		list = append(list, "=")
	}
	var longer, spacedOnes []string
	for _, d := range doubledSigns {
		if n := count(texts, d); Share(n, lines) >= doubledInLines {
			longer = append(longer, d)
		}
	}
	for _, single := range list {
		if spaced(texts, single) { // commas without a space after them may be text
			spacedOnes = append(spacedOnes, single+" ")
		}
		if l := lengthen(texts, single); l != single && !slices.Contains(longer, l) {
			longer = append(longer, l)
		}
	}
	if d := framed(texts[0]); d != "" && !slices.Contains(longer, d) {
		longer = append(longer, d)
	}
	list = slices.DeleteFunc(list, func(d string) bool { return isPart(texts, d, longer) })
	return slices.Concat(list, longer, spacedOnes)
}

// beginnings counts the lines that begin with the sign. Where it stands nowhere else, it marks comments.
func beginnings(texts []piece, sign string) int {
	n := count(texts, "\n"+sign) + count(texts, "\r"+sign)
	if bytes.HasPrefix(texts[0].bytes, []byte(sign)) {
		n++
	}
	return n
}

// areTimes reports whether nearly all of the n colons are parts of times, such as 08:15 or 8:15:00.
func areTimes(texts []piece, n int) bool {
	times := 0
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for _, p := range texts {
		for i := 1; i+2 < len(p.bytes); i++ {
			if b := p.bytes[i-1 : i+3]; b[1] == ':' && digit(b[0]) && b[2] >= '0' && b[2] < '6' && digit(b[3]) {
				times++
			}
		}
	}
	return Share(times, n) >= colonsInTimes
}

// isPart reports whether the delimiter only occurs as a part of one of the longer ones.
func isPart(texts []piece, delimiter string, longer []string) bool {
	return slices.ContainsFunc(longer, func(l string) bool {
		n := strings.Count(l, delimiter)
		return n > 0 && count(texts, l)*n == count(texts, delimiter)
	})
}

func count(texts []piece, s string) int {
	n := 0
	for _, p := range texts {
		n += p.count(s)
	}
	return n
}

// count returns how often the string occurs, which most of the strings that are asked for do not.
func (p piece) count(s string) int {
	for i := range len(s) {
		if p.seen[s[i]] == 0 {
			return 0
		}
	}
	if len(s) == 1 {
		return p.seen[s[0]]
	}
	n, known := p.found[s]
	if !known {
		n = bytes.Count(p.whole, []byte(s))
		p.found[s] = n
	}
	return n
}

// lengthen returns the delimiter of several characters of which a character always is a part, such as || or |~|. A
// comma and a space is not one: spaces after a delimiter are handled by SkipSpace.
func lengthen(texts []piece, delimiter string) string {
	if delimiter == " " || count(texts, delimiter) < longDelimiterSeen {
		return delimiter
	}
	if n := runLength(texts, delimiter); n > 1 {
		return string(bytes.Repeat([]byte(delimiter), n))
	}
	for range maxDelimiter {
		longer := grow(texts, delimiter)
		if longer == delimiter {
			break
		}
		delimiter = longer
	}
	return delimiter
}

// runLength returns how many times the delimiter is repeated nearly everywhere it occurs, or 1.
func runLength(texts []piece, delimiter string) int {
	for n := 2; n <= maxDelimiter; n++ {
		run := string(bytes.Repeat([]byte(delimiter), n))
		if Share(count(texts, run)*n, count(texts, delimiter)) >= delimiterRuns {
			return n
		}
	}
	return 1
}

// grow adds the character that always follows or precedes the delimiter.
func grow(texts []piece, delimiter string) string {
	first := bytes.Index(texts[0].bytes, []byte(delimiter))
	if first < 0 {
		return delimiter
	}
	n, text := count(texts, delimiter), texts[0].bytes
	if end := first + len(delimiter); end < len(text) && joins(text[end]) && (text[end] != ' ' || delimiter[0] == ' ' || delimiter == "|") {
		if longer := delimiter + string(text[end]); count(texts, longer) == n {
			return longer
		}
	}
	// otherwise the cells are padded
	if first > 0 && joins(text[first-1]) && (text[first-1] != ' ' || delimiter[len(delimiter)-1] == ' ') {
		if longer := string(text[first-1]) + delimiter; count(texts, longer) == n {
			return longer
		}
	}
	return delimiter
}

// joins reports whether the character may be part of a delimiter of several characters.
func joins(c byte) bool {
	return strings.IndexByte(" |~^#;:,<>$&*!@%\t", c) >= 0
}

// spaced reports whether most of the delimiters are followed by a space.
func spaced(texts []piece, delimiter string) bool {
	last := delimiter[len(delimiter)-1]
	return last != ' ' && Share(count(texts, delimiter+" "), count(texts, delimiter)) > spacedDelimiters
}

func quotes(texts []piece, delimiter string, h Hints) []byte {
	if h.Quote != nil {
		return []byte{*h.Quote}
	}
	list := []byte{'"'}
	for _, quote := range []byte{'\'', '`'} {
		if opensFields(texts, delimiter, quote) && closesFields(texts, delimiter, quote) {
			list = append(list, quote)
		}
	}
	if opensFields(texts, delimiter, '"') {
		list = append(list, 0)
	}
	return list
}

// opensFields reports whether the quote stands where a field begins.
func opensFields(texts []piece, delimiter string, quote byte) bool {
	q := string(quote)
	return bytes.HasPrefix(texts[0].bytes, []byte(q)) || occurs(texts, quote, delimiter+q, delimiter+" "+q, "\n"+q, "\r"+q)
}

// closesFields reports whether the quote stands where a field ends.
func closesFields(texts []piece, delimiter string, quote byte) bool {
	q := string(quote)
	return occurs(texts, quote, q+delimiter, q+"\n", q+"\r")
}

// occurs reports whether one of the strings, each of which contains the quote, occurs in the texts.
func occurs(texts []piece, quote byte, list ...string) bool {
	for _, p := range texts {
		if p.seen[quote] == 0 {
			continue
		}
		if slices.ContainsFunc(list, func(s string) bool { return bytes.Contains(p.bytes, []byte(s)) }) {
			return true
		}
	}
	return false
}

func escapes(texts []piece, quote byte, delimiter string, h Hints) []byte {
	switch {
	case h.Escape != nil:
		return []byte{*h.Escape}
	case count(texts, `\`+delimiter) > 0, quote != 0 && count(texts, `\`+string(quote)) > 0:
		return []byte{quote, '\\'}
	}
	return []byte{quote}
}
