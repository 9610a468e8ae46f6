package csv

import (
	"slices"
	"strings"
	"testing"
)

// A record that was added with another delimiter or other quotes has its cells where they belong, and one that may be text is left alone.
func TestRepair(t *testing.T) {
	t.Parallel()
	wantMended(t, 5, "1;5,200;x;y;z", "1", "5,200", "x", "y", "z")
	wantMended(t, 5, "1;5,200;x,y;z;z", "1;5", "200;x", "y;z;z")
	for source, want := range map[string][]string{
		"1;Ann;Oslo":           {"1", "Ann", "Oslo"},
		"1|\"Ann | Bo\"|Oslo":  {"1", "Ann | Bo", "Oslo"},
		"1;Ann":                {"1;Ann"},
		"1;Ann;Oslo;NO":        {"1;Ann;Oslo;NO"},
		"a; b, c; d":           {"a; b", " c; d"},
		"'1','Ann, B','Oslo'":  {"1", "Ann, B", "Oslo"},
		"'1','Ann','d''Or'":    {"'1'", "'Ann'", "'d''Or'"},
		"'t is,Ann,O'":         {"'t is", "Ann", "O'"},
		"1,Ann,Oslo":           {"1", "Ann", "Oslo"},
		"\"1;Ann;Oslo":         {"\"1;Ann;Oslo"},
		"\"1;Ann;Oslo\"":       {"1;Ann;Oslo"},
		"1;\"Ann\"\"s\";Oslo":  {"1", "Ann\"\"s", "Oslo"},
		"1;\"Ann\";\"Os\"\"lo": {"1;\"Ann\";\"Os\"\"lo"},
	} {
		wantMended(t, 3, source, want...)
	}
}

// wantMended reads the source as the first record of a table of so many columns.
func wantMended(t *testing.T, columns int, source string, want ...string) {
	t.Helper()
	s := NewScanner(strings.NewReader(source+"\nnext,one\n"), comma(1000))
	rec, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	s.Repair(columns)
	var got []string
	for _, f := range rec.Fields {
		got = append(got, string(rec.Raw[f.Start:f.End]))
	}
	if !slices.Equal(got, want) || rec.Width != len(want) {
		t.Errorf("%s: %q", source, got)
	}
	if next, err := s.Next(); err != nil || next.Width != 2 || next.Offset != int64(len(source)+1) {
		t.Errorf("%s: the next record is %+v, %v", source, next, err)
	}
}
