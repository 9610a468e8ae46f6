package types_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

func TestProfile(t *testing.T) {
	t.Parallel()
	table := types.NewTable(1)
	for i, cell := range [][]byte{[]byte("20"), nil, []byte(""), []byte("3"), []byte("\u3000 "), []byte("20"), []byte(" 1,000 "), []byte("-4")} {
		table.Add(int64(i), [][]byte{cell})
	}
	got := table.Reports()[0]
	want := types.Report{
		Type: types.Integer, Format: "#,##0", Digits: 4, Ambiguous: []string{"0,0"}, Nulls: 1, Empty: 2, Distinct: 4,
		Min: "-4", Max: "1000", Longest: 7, Examples: []string{"20", "3", " 1,000 ", "-4"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n not %+v", got, want)
	}
}

// P9: a very wide table keeps less of each column, and knows as much of its types.
func TestWideTable(t *testing.T) {
	t.Parallel()
	for columns, kept := range map[int]int{1024: 5, 1025: 1} {
		table := types.NewTable(columns)
		for row := range 40 {
			value := []byte(fmt.Sprint(row))
			if row < 10 {
				value = []byte(fmt.Sprint("text ", row))
			}
			table.Add(int64(row), slices.Repeat([][]byte{value}, columns))
		}
		for _, r := range table.Reports() {
			if len(r.Examples) != kept || r.Distinct != 40 || r.Nearly == nil || r.Nearly.Count != 10 || len(r.Nearly.Misfits) != kept || r.Max != "text 9" {
				t.Fatalf("%d columns: %+v, nearly %+v", columns, r, r.Nearly)
			}
		}
	}
}

func TestProfileOfText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("髙", 100)
	r := observe([]string{"b", "a", "ab", "aab", "Ab", "株式会社", long, "ab", "株式会社髙橋商店", "common prefix one", "common prefix two", "common prefix"})
	if r.Min != "Ab" || r.Max != strings.Repeat("髙", 21) || r.Longest != 100 || r.Distinct != 11 || len(r.Examples) != 5 {
		t.Errorf("%+v", r)
	}
	r = observe([]string{"common prefix two", "common prefix one", "common prefix", "common prefix two and three"})
	if r.Min != "common prefix" || r.Max != "common prefix two and three" || r.Longest != 27 {
		t.Errorf("%+v", r)
	}
	empty := types.NewTable(0)
	empty.Add(1, nil)
	if r := empty.Reports(); len(r) != 0 {
		t.Errorf("no column: %+v", r)
	}
	if r := observe(nil); r.Type != types.Text || r.Min != "" || r.Distinct != 0 {
		t.Errorf("no cell: %+v", r)
	}
	r = observe([]string{"common prefix one and more", "common prefix onz", "common prefix ona"})
	if r.Min != "common prefix ona" || r.Max != "common prefix onz" {
		t.Errorf("%+v", r)
	}
	for _, tt := range []struct{ text, shown string }{
		{strings.Repeat("a", 64), strings.Repeat("a", 64)}, {strings.Repeat("a", 65), strings.Repeat("a", 64)},
		{strings.Repeat("a", 63) + "é", strings.Repeat("a", 63)}, {strings.Repeat("a", 61) + "髙x", strings.Repeat("a", 61) + "髙"},
	} {
		if r := observe([]string{tt.text}); r.Min != tt.shown || r.Max != tt.shown || r.Examples[0] != tt.shown {
			t.Errorf("%s is shown as %s, %s", tt.text, r.Min, r.Examples)
		}
	}
	if r := observe([]string{"", " ", " ", "\u3000", strings.Repeat(" ", 20)}); r.Type != types.Text || r.Empty != 5 || r.Distinct != 0 {
		t.Errorf("empty cells: %+v", r)
	}
}

// The report says which values, in which rows, kept a column from being narrower.
func TestNearly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cells, want string }{
		{"1|2|x|4|y|6|N/A", `{"type":"integer","format":"0","count":2,"misfits":[{"row":3,"value":"x"},{"row":5,"value":"y"}]}`},
		{"1|2.5|3", `{"type":"integer","format":"0","count":1,"misfits":[{"row":2,"value":"2.5"}]}`},
		{"2024-01-31|2024-02-30|2024-03-01", `{"type":"date","format":"YYYY-MM-DD","count":1,"misfits":[{"row":2,"value":"2024-02-30"}]}`},
		{"2024-01-31|2024-02-01|2024-03-01 10:00", `{"type":"date","format":"YYYY-MM-DD","count":1,"misfits":[{"row":3,"value":"2024-03-01 10:00"}]}`},
		{"20240131|20240201|20240230", `{"type":"date","format":"YYYYMMDD","count":1,"misfits":[{"row":3,"value":"20240230"}]}`},
		{"9:05|10:00|25:00", `{"type":"time","format":"hh:mm","count":1,"misfits":[{"row":3,"value":"25:00"}]}`},
		{"yes|no|maybe", `{"type":"boolean","format":"yes/no","count":1,"misfits":[{"row":3,"value":"maybe"}]}`},
		{"1|a|b", "null"},
		{"1|2|a|b", "null"},
		{"1|2", "null"},
		{"007|1|2|3|4|5", `{"type":"integer","format":"0","count":1,"misfits":[{"row":1,"value":"007"}]}`},
	} {
		got, err := json.Marshal(column(tt.cells).Nearly)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s\n not %s", tt.cells, got, tt.want)
		}
	}
}

func TestNearlyForgetsManyMisfits(t *testing.T) {
	t.Parallel()
	numbers := slices.Repeat([]string{"12"}, 5000)
	for _, tt := range []struct {
		misfits int
		want    string
	}{{1000, "1000 [{1 x} {2 x} {3 x} {4 x} {5 x}]"}, {1001, ""}} {
		misfits := slices.Repeat([]string{"x"}, tt.misfits)
		for _, cells := range [][]string{slices.Concat(misfits, numbers), slices.Concat(misfits[:5], numbers, misfits[5:])} {
			r := observe(cells)
			got := ""
			if r.Nearly != nil {
				got = fmt.Sprint(r.Nearly.Count, r.Nearly.Misfits)
			}
			if got != tt.want {
				t.Errorf("%d misfits give %q", tt.misfits, got)
			}
		}
	}
}

// P6: the estimate depends on the values alone, and is as good as its error promises, for values of many shapes.
func TestDistinct(t *testing.T) {
	t.Parallel()
	shapes := map[string]func(i int) string{
		"numbers":     func(i int) string { return fmt.Sprint(i) },
		"padded":      func(i int) string { return fmt.Sprintf("%08d", i) },
		"code":        func(i int) string { return fmt.Sprintf("K-%06d-%d", i, i%7) },
		"long":        func(i int) string { return fmt.Sprintf("https://example.com/orders/%d/lines", i) },
		"long end":    func(i int) string { return fmt.Sprintf("%020d", i) },
		"two letters": func(i int) string { return string(rune(0x4e00+i%20000)) + string(rune(0x4e00+i/20000)) },
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := types.NewTable(1)
			i := 0
			for _, n := range []int{1, 10, 192, 193, 1000, 5000, 20_000, 100_000} {
				for ; i < n; i++ {
					table.Add(int64(i), [][]byte{[]byte(shape(i))})
					table.Add(int64(i), [][]byte{[]byte(shape(i / 2))})
				}
				got := table.Reports()[0].Distinct
				if off := float64(got)/float64(n) - 1; n <= 192 && off != 0 || off < -0.08 || off > 0.08 {
					t.Errorf("%d different values are taken for %d, %+.1f %%", n, got, 100*off)
				}
			}
		})
	}
}

// Values that most columns have go a faster way; they must leave the same report as those that do not. White space before them keeps them
// from that way, and changes nothing else.
func TestFastWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	shapes := map[string]func() string{
		"integers": func() string { return fmt.Sprint(random.IntN(1 << (1 + random.IntN(26)))) },
		"decimals": func() string {
			return strings.TrimSuffix(fmt.Sprintf("%.*f", random.IntN(5), random.Float64()*99), ".")
		},
		"dates": func() string {
			return fmt.Sprintf("%04d-%02d-%02d", 1+random.IntN(9998), 1+random.IntN(12), 1+random.IntN(28))
		},
		"stamps": func() string {
			return fmt.Sprintf("%04d-%02d-%02d%c%02d:%02d:%02d", 1+random.IntN(9998), 1+random.IntN(12), 1+random.IntN(28), " T"[random.IntN(2)],
				random.IntN(24), random.IntN(60), random.IntN(60))
		},
		"minutes": func() string {
			return fmt.Sprintf("2024-%02d-%02d %02d:%02d", 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60))
		},
		"slashes": func() string {
			return fmt.Sprintf("%04d/%02d/%02d", 1+random.IntN(9998), 1+random.IntN(12), 1+random.IntN(28))
		},
	}
	for name, shape := range shapes {
		for _, misfit := range []string{
			"", "x", "-", "007", "00.5", "12.", ".5", "1,5", "1.2.3", "0.1234567", "1234.567", "99999999",
			"2024-02-30", "2024/01/32", "2024-01/01", "9999-12-31", "0001-01-01 00:00", "2024/01/31 10:00:00", "2024-02-30 10:00:00", "9999-12-31x23:59:59",
			"9999-12-31 23:59:59", "9999-12-31T23:59:59Z", "9999-12-31 23;59:59", "9999-12-31 2x:59:59", "2024-01-31 24:00:00", "2024-01-31 23:60:00",
			"2024-01-31 23:59:60", "0001-01-01T00:00:00",
		} {
			table := types.NewTable(2)
			for i := range 3000 {
				cell := shape()
				if i == 2500 {
					cell = misfit
				}
				table.Add(int64(i), [][]byte{[]byte(cell), []byte(cell + "                 ")})
			}
			reports := table.Reports()
			a, b := &reports[0], &reports[1]
			for _, r := range []*types.Report{a, b} {
				r.Distinct, r.Longest, r.Examples = 0, 0, nil
				r.Min, r.Max = strings.TrimRight(r.Min, " "), strings.TrimRight(r.Max, " ")
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s with %q:\n%+v\n%+v", name, misfit, a, b)
			}
		}
	}
}

func TestAdd_allocates_nothing(t *testing.T) {
	for _, cell := range []string{"12345", "12.5", "1,234円", "2024-01-31", "令和6年1月31日", "2024-01-31 10:00:00", "true", "○", "text", "株式会社髙橋商店", "a longer text than others", ""} {
		table := types.NewTable(1)
		row := [][]byte{[]byte(cell)}
		for i := range 3000 {
			table.Add(int64(i), row)
		}
		if n := testing.AllocsPerRun(1000, func() { table.Add(1, row) }); n != 0 {
			t.Errorf("%s: %v allocations", cell, n)
		}
	}
}

// A word for no value costs a column neither its type nor the word: cells stay as they are, and the report counts them.
func TestNullWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cells, kind, words string }{
		{"1|N/A|2|n/a|3|-", "integer", `[{"word":"N/A","count":2},{"word":"-","count":1}]`},
		{"1.5|NULL|2.25|null|#DIV/0!", "decimal", `[{"word":"NULL","count":2},{"word":"#DIV/0!","count":1}]`},
		{`2024-01-31|\N|2024-02-01|–`, "date", `[{"word":"\\N","count":1},{"word":"–","count":1}]`},
		{"9:05|k. A.|10:30", "time", `[{"word":"k. A.","count":1}]`},
		{"5,5|n.v.|7,25|nicht zutreffend", "decimal", `[{"word":"n.v.","count":1},{"word":"nicht zutreffend","count":1}]`},
		{"3|no aplica|5|не применимо", "integer", `[{"word":"no aplica","count":1},{"word":"не применимо","count":1}]`},
		{"yes|no|unknown|yes", "text", "null"},
		{"yes|no|n.d.|yes", "boolean", `[{"word":"n.d.","count":1}]`},
		{"3|なし|5|該当なし", "integer", `[{"word":"なし","count":1},{"word":"該当なし","count":1}]`},
		{"あり|なし|あり|-", "boolean", `[{"word":"-","count":1}]`}, // where it is the word for false
		{"はい|いいえ|なし", "text", "null"},
		{"2024-01-31|#DIV/0!", "text", "null"},
		{"N/A|-|NULL", "text", "null"}, // nothing else
		{"1,5|#NV|2,5|#WERT!", "decimal", `[{"word":"#NV","count":1},{"word":"#WERT!","count":1}]`},
		{"1,5|#SAKNAS!|2,5|#DIVISION/0!", "decimal", `[{"word":"#DIVISION/0!","count":1},{"word":"#SAKNAS!","count":1}]`},
		{"12|#ДЕЛ/0!|15|#Н/Д", "integer", `[{"word":"#ДЕЛ/0!","count":1},{"word":"#Н/Д","count":1}]`},
		{"2024-01-31|#PUUTTUU!|2024-02-01|#VÄRDEFEL!", "date", `[{"word":"#PUUTTUU!","count":1},{"word":"#VÄRDEFEL!","count":1}]`},
		{"2024-01-31|#DZIEL/0!", "text", "null"},                         // no quotient has a day
		{"#NIMI?|#ARVO!|#YOK", "text", "null"},                           // nothing else
		{"3|#food|5", "text", "null"},                                    // no error, but a mark of a conversation
		{"ja|nej|#REFERENS!|ja", "text", "null"},                         //nolint:misspell // may be a third answer
		{"1|2,5 #SAKNAS!|3", "text", "null"},                             // more than the word
		{"$1.50| $ -   |$2.25", "decimal", `[{"word":"$ -","count":1}]`}, // as spreadsheets write nothing in a column of amounts
		{"1|unknown|3", "integer", `[{"word":"unknown","count":1}]`},
		{"2024-01-31|TBD", "date", `[{"word":"TBD","count":1}]`},
		{"2024-01-31|€ -", "text", "null"},
		{"NA|DE|FR", "text", "null"}, // a country
		{"Smith|-|Miller", "text", "null"},
		{"0.5|Inf|-Infinity|NaN|1.25|∞", "decimal", `[{"word":"-Infinity","count":1},{"word":"Inf","count":1},{"word":"NaN","count":1},{"word":"∞","count":1}]`},
		{"0.1000|*********|12.5000", "decimal", `[{"word":"*********","count":1}]`}, // a number too wide for its format, of Fortran
		{"***|****|*****", "text", "null"},  // of hotels
		{"Inf|Cav|Art", "text", "null"},     // branches of an army
		{"2024-01-31|****", "text", "null"}, // nothing that a day is written as
		{"yes|no|Inf", "text", "null"},
		{"1.5|1.#INF|2.5", "text", "null"}, // of old programs in C: words for no value have no digit
		{"-5|-|-0.5", "decimal", `[{"word":"-","count":1}]`},
	} {
		r := observe(strings.Split(tt.cells, "|"))
		words, err := json.Marshal(r.NullWords)
		if err != nil || string(r.Type) != tt.kind || string(words) != tt.words {
			t.Errorf("%s: %s with %s, not %s with %s", tt.cells, r.Type, words, tt.kind, tt.words)
		}
	}
	if r := observe([]string{"N/A", "b", "N/A", "a"}); r.Distinct != 3 || r.Longest != 3 || len(r.Examples) != 3 || r.Min != "N/A" {
		t.Errorf("the words of text are values: %+v", r)
	}
	if r := observe([]string{"5", "該当なし", "7"}); r.Distinct != 2 || r.Longest != 1 || len(r.Examples) != 2 {
		t.Errorf("the words among numbers are none: %+v", r)
	}
}
