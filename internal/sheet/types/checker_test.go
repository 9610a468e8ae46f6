package types_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

func compile(t testing.TB, rules ...string) []*types.Check {
	t.Helper()
	checks := make([]*types.Check, len(rules))
	for i, text := range rules {
		if text == "" {
			continue
		}
		rule, err := types.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		if checks[i], err = rule.Compile(); err != nil {
			t.Fatal(err)
		}
	}
	return checks
}

// row makes cells of a text; ~ stands for a cell that is not there.
func row(text string) [][]byte {
	var cells [][]byte
	for cell := range strings.SplitSeq(text, "|") {
		if cell == "~" {
			cells = append(cells, nil)
		} else {
			cells = append(cells, []byte(cell))
		}
	}
	return cells
}

// Values are unique among the rows that are loaded; the fault names the row of the first one.
func TestUnique(t *testing.T) {
	t.Parallel()
	checker := types.NewChecker(compile(t, "id:integer;unique", "", "mail:text;unique"), 100)
	for i, tt := range []struct{ cells, want string }{
		{"1|x|a", ""},
		{"2|x|b", ""},
		{"1,000|x|c", ""},
		{"1000.0|x|d", "0 type_mismatch"},
		{"１０００|x|d", "0 not_unique 3"},
		{"3|x|a", "2 not_unique 1"}, // so 3 is free
		{"3|x|d", ""},               // and d was never loaded
		{"3|x|d", "0 not_unique 7 2 not_unique 7"},
		{"|x|~", ""},
		{" |x|", ""},
		{"x|x|a", "0 type_mismatch 2 not_unique 1"},
		{"4|x|A", ""},
		{"5", ""},
	} {
		faults, err := checker.Check(int64(i+1), row(tt.cells))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range faults {
			got = append(got, fmt.Sprint(f.Column), string(f.Code))
			if f.Code == types.NotUnique {
				row := strings.TrimPrefix(f.Message(false), "The value also occurs in row ")
				got = append(got, strings.TrimSuffix(row, ", but the column is unique."))
			}
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("row %d, %s: %q, not %q", i+1, tt.cells, text, tt.want)
		}
	}
}

func TestUniqueByValue(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, a, b string
		same       bool
	}{
		{"c:decimal;unique", "1.50", "1.5", true},
		{"c:decimal;unique", "100", "100.00", true},
		{"c:decimal;unique", "100", "1", false},
		{"c:decimal;unique", "12345678901234567890.1", "12345678901234567890.2", false},
		{"c:date;unique", "2024-01-05", "R6.1.5", true},
		{"c:text;unique", "a", "a ", false},
		{"c:boolean;unique", "yes", "○", true},
		{"c:time;unique", "9:05", "09:05:00", true},
		{"c:text;unique", "", "", false},
	} {
		checker := types.NewChecker(compile(t, tt.rule), 100)
		if faults, err := checker.Check(1, row(tt.a)); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		if faults, err := checker.Check(2, row(tt.b)); err != nil || len(faults) > 0 != tt.same {
			t.Errorf("%s: %s and %s: %v, %v", tt.rule, tt.a, tt.b, faults, err)
		}
	}
}

// P9: what unique columns hold is limited.
func TestUniqueLimit(t *testing.T) {
	t.Parallel()
	checker := types.NewChecker(compile(t, "a:integer;unique", "b:integer;unique"), 5)
	for i := range 2 {
		if _, err := checker.Check(int64(i), row(fmt.Sprintf("%d|%d", i, i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := checker.Check(3, row("|7")); err != nil {
		t.Fatal(err)
	}
	if faults, err := checker.Check(4, row("1|")); err != nil || len(faults) != 1 {
		t.Errorf("a value that is there already counts again: %v, %v", faults, err)
	}
	if _, err := checker.Check(5, row("8|")); !errors.Is(err, types.ErrTooManyUnique) {
		t.Errorf("the limit is not held: %v", err)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, cell, en, ja string }{
		{"c:text;required", "", "The cell is empty, but the column is required.", "値がありません。この列は必須です。"},
		{"c:integer", "x", "The value is not of the type integer.", "値が型 integer に合いません。"},
		{"c:date;format=DD/MM/YYYY", "x", "The value is not of the type date (DD/MM/YYYY).", "値が型 date (DD/MM/YYYY) に合いません。"},
		{
			"c:decimal", " N/A ", "The value is not of the type decimal; with the option null=N/A it is no value.",
			"値が型 decimal に合いません。オプション null=N/A を指定すると値なしになります。",
		},
		{"c:decimal;required", "N/A", "The value is not of the type decimal.", "値が型 decimal に合いません。"},
		{"c:decimal", "0000-00-00", "The value is not of the type decimal.", "値が型 decimal に合いません。"},
		{"c:text;pattern=K.", "x", "The value does not match the pattern K..", "値がパターン K. に一致しません。"},
		{"c:integer;min=5;max=9", "4", "The value is less than 5.", "値が 5 より小さいです。"},
		{"c:integer;min=5;max=9", "10", "The value is greater than 9.", "値が 9 より大きいです。"},
		{"c:text;allowed=a|b", "c", "The value is not one of those allowed: a, b.", "許可された値(a, b)ではありません。"},
		{"c:integer;allowed=1|2|3|4|5|6|7|8|9|10|11", "12", "The value is not one of those allowed: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ….", "許可された値(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)ではありません。"},
	} {
		faults, err := types.NewChecker(compile(t, tt.rule), 1).Check(1, row(tt.cell))
		if err != nil || len(faults) != 1 {
			t.Fatalf("%s: %v, %v", tt.rule, faults, err)
		}
		if en, ja := faults[0].Message(false), faults[0].Message(true); en != tt.en || ja != tt.ja {
			t.Errorf("%s: %q and %q", tt.rule, en, ja)
		}
	}
	checker := types.NewChecker(compile(t, "c:text;unique"), 2)
	for range 2 {
		faults, err := checker.Check(41, row("a"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			if en, ja := f.Message(false), f.Message(true); en != "The value also occurs in row 41, but the column is unique." || ja != "同じ値が 41 行目にあります。この列の値は一意でなければなりません。" {
				t.Errorf("%q and %q", en, ja)
			}
		}
	}
}

func TestCheck_allocatesNothing(t *testing.T) {
	checker := types.NewChecker(compile(t, "a:integer;required;min=1;max=99", "b:date;format=DD/MM/YYYY", "c:text;pattern=K[0-9]+", "d:decimal;allowed=1.5|2.5", ""), 1)
	cells := row("12|31/01/2024|K123|2.50|anything")
	if n := testing.AllocsPerRun(1000, func() {
		if faults, err := checker.Check(1, cells); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A declared column has its declared type whatever its values look like, and never more digits than its numbers keep in JSON.
func TestChecker_Reports(t *testing.T) {
	t.Parallel()
	checker := types.NewChecker(compile(t, "day:date;format=DD/MM/YYYY", "amount:decimal", "", "code:integer"), 1)
	table := checker.Table()
	for i, text := range []string{"31/01/2024|1|1|5", "01/02/2024|12345678901234567|2|", "02/02/2024|3|3|7"} {
		if faults, err := checker.Check(int64(i), row(text)); len(faults) > 0 || err != nil {
			t.Fatal(faults, err)
		}
		table.Add(int64(i), row(text))
	}
	got := checker.Reports(table.Reports())
	if r := got[0]; r.Type != types.Date || r.Format != "DD/MM/YYYY" || r.Min != "2024-01-31" || r.Max != "2024-02-02" || r.Distinct != 3 {
		t.Errorf("day: %+v", r)
	}
	if r := got[1]; r.Type != types.Decimal || r.Digits != 17 || r.Min != "1" {
		t.Errorf("amount: %+v", r)
	}
	if r := got[2]; r.Type != types.Integer || r.Max != "3" {
		t.Errorf("undeclared: %+v", r)
	}
	if r := got[3]; r.Type != types.Integer || r.Min != "5" || r.Max != "7" || r.Empty != 1 {
		t.Errorf("code: %+v", r)
	}
}
