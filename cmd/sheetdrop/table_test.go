package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	var mixed table
	mixed.add("番号", "name", "数")
	mixed.add("1", "㈱髙橋商店", "２")
	mixed.add("20", "ｶﾅ\nnext", "")
	mixed.add("3", "one cell only is missing")
	if got, want := mixed.String(), `  番号  name                      数
  1     ㈱髙橋商店                ２
  20    ｶﾅ↵next
  3     one cell only is missing
`; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	var wide table
	wide.add("a", strings.Repeat("あ", 40), strings.Repeat("b", 31), strings.Repeat("c", 40), strings.Repeat("d", 40), "e")
	if got, want := wide.String(), "  a  "+strings.Repeat("あ", 15)+"…   "+strings.Repeat("b", 31)+"  "+strings.Repeat("c", 31)+"…  … 2 more columns\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A file's text must not command the terminal of who looks at it.
func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain 表":                    "plain 表",
		"a\tb\r\nc":                  "a b↵c",
		"\x1b]0;title\x07\x1b[2Jred": "]0;title[2Jred",
		"abc\u202edcb\u009b1m":       "abcdcb1m",
		"\xff\xfe":                   "�",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Rows stand below their columns' names and types, and what was not read is said in the reader's language.
func TestShownInJapanese(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "parse", "-")
	cmd.Stdin = strings.NewReader("受注日,数量,備考\n2024/04/01,\"1,200\",至急\n2024/04/02\n")
	cmd.Env = []string{"LC_ALL=ja_JP.UTF-8"}
	p := startCommand(t, cmd, "")
	if status := p.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), `  受注日      数量     備考
  date        integer  text
  2024/04/01  1,200    至急
  could not be read:
  where   column  code          message
  line 3  数量    missing_cell  2個のセルがありません。このレコードのセルは1個、見出しは3個です。
`)
}
