package types

import (
	"fmt"
	"testing"
)

// Columns of plain values go the fast way once their other candidates are spent, and nothing that is no such value does.
func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape string // of a column, with a number or the parts of a time
		kind  plainKind
		fast  []string
		slow  []string
	}{
		{"%d", plainInteger, []string{"0", "7", "12345678"}, []string{"07", "1.5", "123456789", "-1", "1 ", "x", "12x", ":", "/"}},
		{"%d.25", plainDecimal, []string{"0", "7", "0.5", ".5", "0.05", "123.4567", "12345678", ".1234567"}, []string{"00.5", "07", "5.", ".", "1.2.3", "1,5", "1.2345678", "-1.5"}},
		{"2024-01-%02d", plainDate, []string{"2024-02-29", "0001-01-01", "9999-12-31"}, []string{"2023-02-29", "2024/01/01", "2024-1-1", "2024-01-1", "2024-01-011", "0000-01-01", "2024-13-01", "2o24-01-01", "2024-01/01"}},
		{"2024/01/%02d", plainDate, []string{"2024/02/29"}, []string{"2024-02-29", "2024/02-29"}},
		{"2024-01-%02d 10:20:30", plainStamp, []string{"2024-02-29 23:59:59", "2024-02-29T00:00:00", "2024-02-29"},
			[]string{"2024-02-29 24:00:00", "2024-02-29 10:60:00", "2024-02-29 10:00:60", "2024-02-30 10:00:00", "2024-02-29x10:00:00", "2024-02-29 10-00:00", "2024-02-29 10:00-00", "2024-02-29 1o:00:00", "2024-02-29 10:00:00Z", "2024-02-29 10:00"}},
		{"2024/01/%02d 10:20:30", plainStamp, []string{"2024/02/29 23:59:59"}, []string{"2024-02-29 23:59:59"}},
		{"2024-01-%02d 10:20", plainDate, []string{"2024-02-29"}, []string{"2024-02-29 10:20:30"}},
		{"x%d", notPlain, nil, []string{"5"}},
	} {
		c := newColumn()
		for i := range 2 * mostMisses {
			c.weigh(int64(i), fmt.Appendf(nil, tt.shape, i%28+1))
		}
		if c.plain.kind != tt.kind {
			t.Errorf("%s goes the way %d, not %d", tt.shape, c.plain.kind, tt.kind)
		}
		for _, text := range tt.fast {
			if !takesPlain(&c, text) {
				t.Errorf("%s beside %s goes the slow way", text, tt.shape)
			}
		}
		for _, text := range tt.slow {
			if takesPlain(&c, text) {
				t.Errorf("%s beside %s goes the fast way", text, tt.shape)
			}
		}
	}
}

func takesPlain(c *column, text string) bool {
	if len(text) > shortBytes {
		return c.plain.addStamp([]byte(text))
	}
	return c.plain.add(makeShort([]byte(text)))
}
