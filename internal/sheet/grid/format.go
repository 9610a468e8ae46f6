package grid

import (
	"strings"
)

// Format is how a number format displays a number.
type Format uint8

// The ways to display a number.
const (
	PlainFormat      Format = iota // a number, or nothing
	DateFormat                     // a date, or a timestamp where the number has a fraction
	TimeFormat                     // a time, or a timestamp where the number has whole days
	TimestampFormat                // a date and a time
	ElapsedFormat                  // hours, minutes or seconds that exceed a day, as displayed by [h]:mm
	DateOrTimeFormat               // a date in some countries and a time in others
)

// BuiltinFormat returns the format of an id without a code (ECMA-376 part 1, 18.8.30): those for all countries, those
// from 27 to 58 for East Asia, those from 71 to 81 for Thailand. Where East Asian countries differ, the number decides.
func BuiltinFormat(id int) Format {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58, id >= 71 && id <= 74, id == 81:
		return DateFormat
	case id >= 18 && id <= 21, id == 32, id == 33, id == 45, id == 47, id == 75, id == 76, id == 78, id == 80:
		return TimeFormat
	case id == 34, id == 35, id == 55, id == 56:
		return DateOrTimeFormat
	case id == 22, id == 77:
		return TimestampFormat
	case id == 46, id == 79:
		return ElapsedFormat
	}
	return PlainFormat
}

// FormatOf parses a format's code (ECMA-376 part 1, 18.8.31). Its first section decides; one with a condition that
// displays no date leaves the decision to the next, because it is for a few values only.
func FormatOf(code string) Format {
	for rest := strings.ToLower(code); rest != ""; {
		s := readSection(&rest)
		if f := s.format(); f != PlainFormat || !s.conditional {
			return f
		}
	}
	return PlainFormat
}

// Shown is what a number is displayed as, beside what it counts.
type Shown uint8

// What numbers are displayed as.
const (
	AsNumber   Shown = iota
	AsDecimals       // 0.50
	AsShare          // 50%
)

// builtinShown returns what a format without a code displays numbers as.
func builtinShown(id int) Shown {
	switch id {
	case 2, 4, 7, 8, 39, 40, 43, 44:
		return AsDecimals
	case 9, 10:
		return AsShare
	}
	return AsNumber
}

// ShownBy returns what a format's code, in its first section, displays numbers as.
func ShownBy(code string) Shown {
	rest := strings.ToLower(code)
	s := readSection(&rest)
	_, fraction, _ := strings.Cut(s.letters, ".")
	switch {
	case s.format() != PlainFormat || strings.Contains(s.letters, "e+") || strings.Contains(s.letters, "e-"):
		return AsNumber
	case strings.Contains(s.letters, "%"):
		return AsShare
	case fraction != "" && strings.ContainsAny(fraction[:1], "0#?"):
		return AsDecimals
	}
	return AsNumber
}

// section is one of up to four parts of a format's code.
type section struct {
	letters     string // without literals, colours and conditions
	elapsed     bool   // has [h], [mm] or the like
	conditional bool
}

// readSection parses the first section of a code in lower case and advances the code past it.
func readSection(code *string) section {
	var s section
	var letters strings.Builder
	text := *code
	i := 0
	for ; i < len(text) && text[i] != ';'; i++ {
		switch text[i] {
		case '"':
			literal, _, _ := strings.Cut(text[i+1:], `"`)
			i += len(literal) + 1
		case '[':
			inner, _, _ := strings.Cut(text[i+1:], "]")
			i += len(inner) + 1
			s.elapsed = s.elapsed || isElapsed(inner)
			s.conditional = s.conditional || strings.HasPrefix(inner, "<") || strings.HasPrefix(inner, ">") || strings.HasPrefix(inner, "=")
			letters.WriteByte(']')
		case '\\', '_', '*', '!':
			i++
		default:
			letters.WriteByte(text[i])
		}
	}
	*code = text[min(i+1, len(text)):]
	s.letters = letters.String()
	return s
}

// isElapsed reports whether the content of brackets is a count of hours, minutes or seconds.
func isElapsed(inner string) bool {
	return inner != "" && (strings.Trim(inner, "h") == "" || strings.Trim(inner, "m") == "" || strings.Trim(inner, "s") == "")
}

// noDateWords removes letters that have nothing to do with dates. General has other names that some writers take from
// Excel's own language.
var noDateWords = strings.NewReplacer("general", "", "standard", "", "g/標準", "", "g/通用格式", "", "am/pm", "", "a/p", "")

// format decides by the letters. A section with a digit placeholder is a number's, whatever unquoted letters a writer
// left in it, except for the placeholders of a second's fraction.
func (s section) format() Format {
	if s.elapsed {
		return ElapsedFormat
	}
	letters := noDateWords.Replace(s.letters)
	if strings.ContainsAny(withoutFraction(letters), "0#?") {
		return PlainFormat
	}
	hasTime := strings.ContainsAny(letters, "hs")
	hasDate := strings.ContainsAny(letters, "ydegba") || strings.Contains(letters, "mmm") || strings.Contains(letters, "m") && !hasTime
	switch {
	case hasDate && hasTime:
		return TimestampFormat
	case hasDate:
		return DateFormat
	case hasTime:
		return TimeFormat
	}
	return PlainFormat
}

// withoutFraction removes the placeholders of a second's fraction: the zeros of s.000.
func withoutFraction(letters string) string {
	for _, mark := range []string{"s.", "s,"} {
		before, after, found := strings.Cut(letters, mark)
		if found {
			letters = before + strings.TrimLeft(after, "0")
		}
	}
	return letters
}
