package csv

import (
	"slices"
	"strings"
	"testing"
)

// A quoted cell that is longer than a record may be is one record, and its lines are none; a stray quote costs its own line alone.
func TestLongCells(t *testing.T) {
	t.Parallel()
	remark := strings.Repeat("a line\n", 5)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a cell of many lines":      {"1,\"" + remark + "\",x\n2,b,c\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @7+42"}},
		"with quotes in it":         {"1,\"" + remark + "so \"\"it\"\" is\n\",x\n2,b,c\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @8+55"}},
		"with few delimiters in it": {"1,\"" + strings.Repeat("a, b\n", 6) + "\",x\n2,b,c\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @8+37"}},
		"and another behind it":     {"1,\"" + remark + "\",\"and\nmore\"\n2,b,c\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @8+51"}},
		"that ends in a long line":  {"1,\"" + remark + strings.Repeat("x, ", 30) + "\",x\n2,b,c\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @7+132"}},
		"that does not end":         {"1,\"" + remark, []string{"1 @1+0 ! too long, column 2"}},
		"that does not end, rows":   {"1,\"" + remark + "2,b,c\n3,d,e\n", []string{"1 @1+0 ! too long, column 2", "2|b|c @6+38", "3|d|e @7+44"}},
		"a stray quote":             {"1,\"a,b\n2,b,c\n3,d,e\n4,f,g\n", []string{"1|\"a|b @1+0 ! open at limit, column 2", "2|b|c @2+7", "3|d|e @3+13", "4|f|g @4+19"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := comma(20)
			config.Columns = 3
			checkChunks(t, c.text, config)
			if got := brief(scan(t, strings.NewReader(c.text), config)); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
