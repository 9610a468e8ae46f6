package export

import (
	"slices"
	"strings"
	"testing"
)

// A text that a spreadsheet program would run as a formula is shown as text, and every other text is left alone.
func TestEscapeFormulas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`=1+1`:                   `'=1+1`,
		`+SUM(1)`:                `'+SUM(1)`,
		`-2+3+cmd|' /C calc'!A0`: `'-2+3+cmd|' /C calc'!A0`,
		`@SUM(1+1)*cmd|'calc'!A`: `'@SUM(1+1)*cmd|'calc'!A`,
		"\t=1":                   "'\t'=1",
		"\ttext":                 "'\ttext",
		"\rtext":                 "'\rtext",
		"\ntext":                 "'\ntext",
		`＝1+1`:                   `'＝1+1`,
		`＋1+1`:                   `'＋1+1`,
		`－1+1`:                   `'－1+1`,
		`＠SUM(1)`:                `'＠SUM(1)`,
		` =1`:                    `' =1`,
		"\u00a0\u3000\ufeff=1":   "'\u00a0\u3000\ufeff=1",
		`=`:                      `'=`,
		`-`:                      `'-`,
		`--5`:                    `'--5`,
		`-5-5`:                   `'-5-5`,
		`+81 3 1234 5678`:        `'+81 3 1234 5678`,
		`-PT1H30M`:               `'-PT1H30M`,
		`=HYPERLINK("http://a")`: `'=HYPERLINK("http://a")`,
		`a;=1+1;b`:               `a;'=1+1;b`, // where the list separator is the semicolon
		"a\n=1+1\r\n@b":          "a\n'=1+1\r\n'@b",
		"a\t＝1":                  "a\t'＝1",

		`-5`: `-5`, `+5`: `+5`, `-1,234.50`: `-1,234.50`, `-1.5E-7`: `-1.5E-7`, `-12.5%`: `-12.5%`, `－１２`: `－１２`, `-1.234,5`: `-1.234,5`,
		``: ``, `a=b`: `a=b`, `a@b.example`: `a@b.example`, `1-2`: `1-2`, `'=1`: `'=1`, `2024-01-31`: `2024-01-31`, "a\nb;c\td": "a\nb;c\td",
		`納期`: `納期`, `ﾃｽﾄ`: `ﾃｽﾄ`, `ー`: `ー`, ` a`: ` a`,
	} {
		if got := string(escapeFormulas([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Whatever a text is, what comes out begins no formula: neither the cell, nor what a program with another separator
// would take for a cell. The text itself is kept.
func FuzzEscapeFormulas(f *testing.F) {
	for _, text := range []string{"=1", " \t\r\n@", ";;=", "-5", "\n\n-", "＝", "\xef", "a;-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := string(escapeFormulas([]byte(text)))
		if strings.ReplaceAll(got, "'", "") != strings.ReplaceAll(text, "'", "") {
			t.Errorf("%q becomes %q", text, got)
		}
		if signedNumber.MatchString(text) {
			return
		}
		for _, cell := range append(strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }), got) {
			if first := []rune(strings.TrimLeft(cell, " ")); len(first) > 0 && slices.Contains([]rune("=+-@＝＋－＠"), first[0]) {
				t.Errorf("%q becomes %q, which has the formula %q", text, got, cell)
			}
		}
	})
}
