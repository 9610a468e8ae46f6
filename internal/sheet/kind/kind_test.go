package kind

import (
	"strings"
	"testing"
)

// What a cell looks like decides header, footer and delimiter alike.
func TestKind(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]Kind{
		"": Empty, " ": Empty, "n/a": Empty, "-": Empty, "なし": Empty, "no": Word,
		"12": Number, "1,234.50": Number, "５０": Number, "▲5": Number, "¥1,200": Number, "$-1.50": Number, "€ −2": Number, "-3 %": Number, "2 ▲": Word,
		"1 234 567": Number, "1 234 567 890": Word, // three spaces are a text's
		strings.Repeat("7", 40): Number, strings.Repeat("7", 41): Word,
		"1:30": Moment, "2024-05-01": Moment, "令和6年1月31日": Moment, "12:30 pm": Moment, "12:30 cet": Word,
		"2024-05-01T08:15Z":            Moment,
		"a@b.co":                       Address,
		"a@b.c":                        Word, // three letters are no address
		"https://example.org/7":        Address,
		"anna b@example.org wrote 1 x": Word,
		"08:15:30 INFO cold and wet":   Stamped,
		"8:15:30 INFO cold and wet":    Word,
		"2024-05-01T08:15:30.123456789012 all is well":  Stamped,
		"2024-05-01T08:15:30.1234567890123 all is well": Word,
	} {
		if got := Of([]byte(cell)); got != want {
			t.Errorf("%q is of kind %d, want %d", cell, got, want)
		}
	}
}

// Codes of one shape are of one kind, others are not: so a header is told from the codes below it.
func TestKindOfCodes(t *testing.T) {
	t.Parallel()
	a, b, c, d := Of([]byte("AB-12")), Of([]byte("CDE-3")), Of([]byte("AB12")), Of([]byte("1:3"))
	if a < Code || a >= Stamped || a != b || a == c || d < Code || d >= Stamped {
		t.Errorf("%d %d %d %d", a, b, c, d)
	}
	if e, f := Of([]byte("K-001")), Of([]byte("M-2024")); e < Code || e >= Stamped || e != f {
		t.Errorf("numbers behind a letter: %d %d", e, f)
	}
	if got := Of([]byte("5-MAR-2024")); got < Code || got >= Stamped { // three letters are no date's
		t.Errorf("a month's name: %d", got)
	}
}
