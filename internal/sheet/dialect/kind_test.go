package dialect

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/csv"
)

// What a cell looks like decides header, footer and delimiter alike.
func TestKind(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]kind{
		"": empty, " ": empty, "n/a": empty, "-": empty, "なし": empty, "no": word,
		"12": number, "1,234.50": number, "５０": number, "▲5": number, "¥1,200": number, "-3 %": number, "2 ▲": word,
		"1 234 567": number, "1 234 567 890": word, // three spaces are a text's
		strings.Repeat("7", 40): number, strings.Repeat("7", 41): word,
		"1:30": moment, "2024-05-01": moment, "令和6年1月31日": moment, "12:30 pm": moment, "12:30 cet": word,
		"2024-05-01T08:15Z":            moment,
		"a@b.co":                       address,
		"a@b.c":                        word, // three letters are no address
		"https://example.org/7":        address,
		"anna b@example.org wrote 1 x": word,
		"08:15:30 INFO cold and wet":   stamped,
		"8:15:30 INFO cold and wet":    word,
		"2024-05-01T08:15:30.123456789012 all is well":  stamped,
		"2024-05-01T08:15:30.1234567890123 all is well": word,
	} {
		if got := kindOf([]byte(cell)); got != want {
			t.Errorf("%q is of kind %d, want %d", cell, got, want)
		}
	}
}

// Codes of one shape are of one kind, others are not: so a header is told from the codes below it.
func TestKindOfCodes(t *testing.T) {
	t.Parallel()
	a, b, c, d := kindOf([]byte("AB-12")), kindOf([]byte("CDE-3")), kindOf([]byte("AB12")), kindOf([]byte("1:3"))
	if a < code || a >= stamped || a != b || a == c || d < code || d >= stamped {
		t.Errorf("%d %d %d %d", a, b, c, d)
	}
	if got := kindOf([]byte("5-MAR-2024")); got < code || got >= stamped { // three letters are no date's
		t.Errorf("a month's name: %d", got)
	}
}

// The less a cell looks as somebody meant it, the less it is worth to the dialect that made it.
func TestValueOrder(t *testing.T) {
	t.Parallel()
	d := Dialect{Delimiter: ":", Quote: '"', Escape: '"'}
	last, before := 0.0, ""
	for _, raw := range []string{`'a b'`, `"a`, " ", " Oslo", "Oslo", "AB-12", "12"} {
		v, _ := d.value([]byte(raw), csv.Field{End: int32(len(raw))})
		if v <= last {
			t.Errorf("%q is worth %v, %q no less", raw, v, before)
		}
		last, before = v, raw
	}
	for _, raw := range []string{"a;b", "a|b", "a\tb", "a,b", "a,"} {
		if v, _ := d.value([]byte(raw), csv.Field{End: int32(len(raw))}); v >= misquotedValue {
			t.Errorf("%q, which another dialect splits, is worth %v", raw, v)
		}
	}
	if v, _ := d.value([]byte("a, b"), csv.Field{End: 4}); v != wordValue {
		t.Errorf("a sentence's comma: %v", v)
	}
}

func TestValueOfQuotedCells(t *testing.T) {
	t.Parallel()
	for raw, c := range map[string]struct {
		escape byte
		value  float64
		sign   sign
	}{
		`"12"`:       {'"', 1, isValue},
		`"x, y"`:     {'"', 1, isText},
		`"a""b"`:     {'"', 1, isText},
		`"a"b"`:      {'"', misquotedValue, isMisquoted},
		`"a\"b"`:     {'\\', 1, isText},
		`"a\\"b"`:    {'\\', misquotedValue, isMisquoted},
		"\"a\nb c\"": {'"', quotedLinesValue, isText},
	} {
		d := Dialect{Delimiter: ",", Quote: '"', Escape: c.escape}
		v, s := d.value([]byte(raw), csv.Field{Start: 1, End: int32(len(raw) - 1)})
		if v != c.value || s != c.sign {
			t.Errorf("%q: %v %v", raw, v, s)
		}
	}
}
