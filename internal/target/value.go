package target

import "strings"

// IsValue reports whether a text is a value of the column's type in the type's own form, as the rules of a definition have it. It may be
// one that the column cannot hold, such as 1.005 where there are two decimal places: rows can be compared with it.
func (c Column) IsValue(text string) bool {
	if c.Type == Text {
		return isStorable(text)
	}
	if !c.isOwnForm(text) {
		return false
	}
	c.Digits = 0
	return c.fits(text)
}

// SQLValue returns a value in its own form as PostgreSQL reads it with any settings: -PT1H30M is PT-1H-30M there.
func (c Column) SQLValue(text string) string {
	period, negative := strings.CutPrefix(text, "-")
	if c.Type != Duration || !negative {
		return text
	}
	var signed strings.Builder
	number := false // the last character belongs to a number
	for _, r := range period {
		digit := r >= '0' && r <= '9' || r == '.'
		if digit && !number {
			signed.WriteByte('-')
		}
		number = digit
		signed.WriteRune(r)
	}
	return signed.String()
}

// Example returns a value of the type in its own form.
func (t Type) Example() string { return kinds[t].example }
