package terminal

import (
	"strings"
	"testing"
)

// Columns stand below each other whatever the width of their characters, and a wide table says what it does not show.
func TestTableIsAligned(t *testing.T) {
	t.Parallel()
	var mixed Table
	mixed.Add("番号", "name", "数")
	mixed.Add("1", "㈱髙橋商店", "２")
	mixed.Add("20", "ｶﾅ\nnext", "")
	mixed.Add("3", "one cell only is missing")
	if got, want := mixed.String(), `  番号  name                      数
  1     ㈱髙橋商店                ２
  20    ｶﾅ↵next
  3     one cell only is missing
`; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	wide := Table{Width: 125}
	wide.Add("a", strings.Repeat("あ", 40), strings.Repeat("b", 31), strings.Repeat("c", 40), strings.Repeat("d", 40), "e")
	want := "  a  " + strings.Repeat("あ", 15) + "…   " + strings.Repeat("b", 31) + "  " + strings.Repeat("c", 31) + "…  … 2 more columns\n"
	if got := wide.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The text of a file cannot control the terminal of whoever looks at it.
func TestTextCannotControlTheTerminal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain 表":                    "plain 表",
		"a\tb\r\nc":                  "a b↵c",
		"\x1b]0;title\x07\x1b[2Jred": "]0;title[2Jred",
		"abc\u202edcb\u009b1m":       "abcdcb1m",
		"\xff\xfe":                   "�",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
