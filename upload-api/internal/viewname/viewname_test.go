package viewname

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed" // every run the same cases
)

// People recognise the file in the name, also one in Japanese, and can type it into SQL.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, sheet, want string }{
		{"prices.csv", "", "prices"},
		{"Preisliste Größe (März) 2024.CSV", "", "preisliste_größe_märz_2024"},
		{"受注一覧.csv", "", "受注一覧"},
		{"ｳﾘｱｹﾞ　２０２４.xlsx", "東京", "ウリアゲ_2024_東京"},
		{"2024-01.csv", "", "_2024_01"},
		{"report.v2.csv.gz", "", "report_v2"},
		{"select.csv", "", "select"},
		{`"; drop table x; --.csv`, "", "drop_table_x"},
		{"../../etc/passwd", "", "etc_passwd"},
		{"€.csv", "", "sheet"},
		{".csv", "", "sheet"},
		{strings.Repeat("商品名称", 6) + ".csv", "", strings.Repeat("商品名称", 5) + "商"},
		{strings.Repeat("a", 62) + " b.csv", "", strings.Repeat("a", 62)},
	} {
		if got := Of(test.file, test.sheet); got != test.want {
			t.Errorf("%q, sheet %q: %q, want %q", test.file, test.sheet, got, test.want)
		}
	}
}

// A chosen name is taken as SQL reads it, or refused with what to choose.
func TestChosenNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"orders": "orders", "Orders": "orders", "受注": "受注", "ＡＢＣ": "abc", "_x1": "_x1", "größe": "größe",
		strings.Repeat("商", 21): strings.Repeat("商", 21),
	} {
		if got, err := Check(name); got != want || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for name, says := range map[string]string{
		"": "letters", "1a": "_1a", `a"b`: "a_b", "a;b": "a_b", "a b": "a_b", "a\x00b": "a_b", "a.b": "a_b", "\xff": "UTF-8", "data.x": "data_x",
		strings.Repeat("商", 22): "21 kanji", strings.Repeat("a", 64): "64 bytes", "orders__was": "reserved",
	} {
		if got, err := Check(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v; want an error with %q", name, got, err, says)
		}
	}
}

// Whatever a file is called, its view gets a name that Check takes as it is, also with a number behind it.
func TestNamesAreTaken(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := Numbered(Of(rapid.String().Draw(t, "file"), rapid.String().Draw(t, "sheet")), rapid.IntRange(1, 1001).Draw(t, "n"))
		if got, err := Check(name); got != name || err != nil || !utf8.ValidString(name) {
			t.Fatalf("%q: %q, %v", name, got, err)
		}
	})
}
