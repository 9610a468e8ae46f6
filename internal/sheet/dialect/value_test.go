package dialect

import (
	"testing"

	"sheetdrop/internal/sheet/csv"
)

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
