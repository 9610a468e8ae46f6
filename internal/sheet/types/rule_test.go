package types_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// check returns the code of a cell's fault under a rule.
func check(t *testing.T, r types.Rule, cell string) types.Code {
	t.Helper()
	faults := checkRows(t, r, []byte(cell))
	if len(faults) == 0 {
		return ""
	}
	return faults[0].Code
}

// checkRows returns the faults of the last one of a column's cells.
func checkRows(t *testing.T, r types.Rule, cells ...[]byte) (faults []types.Fault) {
	t.Helper()
	r.Name = "column"
	compiled, err := r.Compile()
	if err != nil {
		t.Fatal(err)
	}
	checker := types.NewChecker([]*types.Check{compiled}, types.MaxUnique)
	for i, cell := range cells {
		if faults, err = checker.Check(int64(i+1), [][]byte{cell}); err != nil {
			t.Fatal(err)
		}
	}
	return faults
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule types.Rule
		cell string
		want types.Code
	}{
		{types.Rule{}, "", ""}, {types.Rule{}, "anything", ""},
		{types.Rule{Required: true}, "", types.RequiredMissing}, {types.Rule{Required: true}, " \u3000", types.RequiredMissing}, {types.Rule{Required: true}, "x", ""},
		{types.Rule{Type: types.Integer}, "12", ""}, {types.Rule{Type: types.Integer}, "12.5", types.TypeMismatch}, {types.Rule{Type: types.Integer}, "", ""},
		{types.Rule{Type: types.Date}, "20240105", ""}, {types.Rule{Type: types.Date, Format: "DD/MM/YYYY"}, "2024-01-05", types.TypeMismatch},
		{types.Rule{Type: types.Boolean}, "1", ""}, {types.Rule{Type: types.Boolean}, "2", types.TypeMismatch},

		{types.Rule{Pattern: `K\d{3}`}, "K123", ""}, {types.Rule{Pattern: `K\d{3}`}, "K1234", types.PatternMismatch}, {types.Rule{Pattern: `K\d{3}`}, "xK123", types.PatternMismatch},
		{types.Rule{Pattern: `a|b`}, "ax", types.PatternMismatch}, {types.Rule{Pattern: `(?i)abc`}, "ABC", ""}, {types.Rule{Pattern: `.`}, "", ""},
		{types.Rule{Pattern: `x*`}, strings.Repeat("x", types.MaxPatternCell), ""}, {types.Rule{Pattern: `x*`}, strings.Repeat("x", types.MaxPatternCell+1), types.PatternMismatch},
		{types.Rule{Pattern: `(?m)a$`}, "a\nb", types.PatternMismatch},
		{types.Rule{Type: types.Integer, Pattern: `\d+`}, "1,000", types.PatternMismatch},

		{types.Rule{Type: types.Integer, Min: "5", Max: "10"}, "4", types.OutOfRange}, {types.Rule{Type: types.Integer, Min: "5", Max: "10"}, "5", ""},
		{types.Rule{Type: types.Integer, Min: "5", Max: "10"}, "10", ""}, {types.Rule{Type: types.Integer, Min: "5", Max: "10"}, "11", types.OutOfRange},
		{types.Rule{Type: types.Integer, Min: "-10"}, "△11", types.OutOfRange}, {types.Rule{Type: types.Integer, Max: "-10"}, "-11", ""}, {types.Rule{Type: types.Integer, Min: "0"}, "0", ""},
		{types.Rule{Type: types.Decimal, Format: "0,0", Max: "1.5"}, "1,5", ""}, {types.Rule{Type: types.Decimal, Format: "0,0", Max: "1.5"}, "1,51", types.OutOfRange},
		{types.Rule{Type: types.Decimal, Format: "0.0%", Max: "1"}, "100.0%", ""}, {types.Rule{Type: types.Decimal, Format: "0.0%", Max: "1"}, "100.1%", types.OutOfRange},
		{types.Rule{Type: types.Integer, Max: "12345678901234567890123"}, "12345678901234567890123", ""},
		{types.Rule{Type: types.Integer, Max: "12345678901234567890123"}, "12345678901234567890124", types.OutOfRange},
		{types.Rule{Type: types.Integer, Min: "-12345678901234567890123"}, "-12345678901234567890124", types.OutOfRange},
		{types.Rule{Type: types.Date, Format: "DD/MM/YYYY", Min: "2024-01-05"}, "05/01/2024", ""}, {types.Rule{Type: types.Date, Format: "DD/MM/YYYY", Min: "2024-01-05"}, "04/01/2024", types.OutOfRange},
		{types.Rule{Type: types.Date, Min: "2024-01-05"}, "20240104", types.OutOfRange}, {types.Rule{Type: types.Date, Max: "2019-04-30"}, "R1.5.1", types.OutOfRange},
		{types.Rule{Type: types.Timestamp, Max: "2024-01-05T10:00:00Z"}, "2024-01-05 19:00:00+09:00", ""},
		{types.Rule{Type: types.Timestamp, Max: "2024-01-05T10:00:00Z"}, "2024-01-05 19:00:01+09:00", types.OutOfRange},
		{types.Rule{Type: types.Time, Min: "09:00", Max: "17:00"}, "17:00:01", types.OutOfRange}, {types.Rule{Type: types.Duration, Max: "PT1H"}, "1:00", ""},

		{types.Rule{Allowed: []string{"red", "blue"}}, "red", ""}, {types.Rule{Allowed: []string{"red", "blue"}}, "Red", types.NotAllowed}, {types.Rule{Allowed: []string{"red"}}, " red", types.NotAllowed},
		{types.Rule{Allowed: []string{"red"}}, "", ""}, {types.Rule{Type: types.Decimal, Allowed: []string{"1000", "2.50"}}, "1,000.0", ""},
		{types.Rule{Type: types.Decimal, Allowed: []string{"1000", "2.50"}}, "2.5", ""}, {types.Rule{Type: types.Decimal, Allowed: []string{"1000"}}, "100", types.NotAllowed},
		{types.Rule{Type: types.Date, Format: "MM/DD/YYYY", Allowed: []string{"2024-05-01"}}, "5/1/2024", ""}, {types.Rule{Type: types.Boolean, Allowed: []string{"true"}}, "○", ""},
		{types.Rule{Type: types.Boolean, Allowed: []string{"true"}}, "×", types.NotAllowed},

		// The first fault counts.
		{types.Rule{Type: types.Integer, Pattern: "x", Min: "5"}, "y", types.TypeMismatch}, {types.Rule{Type: types.Integer, Pattern: "x", Min: "5"}, "1", types.PatternMismatch},
	} {
		if got := check(t, tt.rule, tt.cell); got != tt.want {
			t.Errorf("%+v: %q is %q, not %q", tt.rule, tt.cell, got, tt.want)
		}
	}
	if faults := checkRows(t, types.Rule{Required: true}, nil); len(faults) != 1 || faults[0].Code != types.RequiredMissing {
		t.Errorf("a cell that is not there: %v", faults)
	}
}

func TestRulesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	many := make([]string, types.MaxAllowed+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, r := range []types.Rule{
		{Type: "money"}, {Type: types.Date, Format: "x"}, {Pattern: "("}, {Pattern: "a)|(b"}, {Pattern: `\x`}, {Pattern: strings.Repeat("x", types.MaxPattern+1)},
		{Pattern: "(a{1,100}){1,100}"}, {Pattern: `(\p{L}{1,900}){1,2}|\p{L}{1000}`},
		{Type: types.Text, Min: "a"}, {Max: "a"}, {Type: types.Boolean, Min: "true"}, {Type: types.Integer, Min: "x"}, {Type: types.Integer, Min: "1.5"}, {Type: types.Date, Max: "5/1/2024"},
		{Type: types.Integer, Min: "2", Max: "1"}, {Type: types.Integer, Min: "12345678901234567890124", Max: "12345678901234567890123"},
		{Allowed: many}, {Allowed: []string{""}}, {Type: types.Integer, Allowed: []string{"x"}}, {Type: types.Integer, Allowed: []string{""}}, {Type: types.Date, Allowed: []string{" "}}, {Type: types.Time, Allowed: []string{"\u3000"}}, {Allowed: []string{strings.Repeat("x", 1025)}},
	} {
		r.Name = "price"
		c, err := r.Compile()
		if wrong, ok := errors.AsType[*types.RuleError](err); !ok || wrong.Column != "price" || wrong.Message == "" {
			t.Errorf("%+v compiles to %v, %v", r, c, err)
		}
	}
	if _, err := (types.Rule{}).Compile(); err == nil {
		t.Error("a rule without a column compiles")
	}
}

func TestParseRule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want types.Rule
	}{
		{"id:integer", types.Rule{Name: "id", Type: types.Integer}},
		{"id:Integer;required;unique", types.Rule{Name: "id", Type: types.Integer, Required: true, Unique: true}},
		{"price:decimal;format=#.##0,0;min=0.5;max=100", types.Rule{Name: "price", Type: types.Decimal, Format: "#.##0,0", Min: "0.5", Max: "100"}},
		{"opens:time;min=09:00;max=17:00", types.Rule{Name: "opens", Type: types.Time, Min: "09:00", Max: "17:00"}},
		{"colour:text;allowed=red|blue", types.Rule{Name: "colour", Type: types.Text, Allowed: []string{"red", "blue"}}},
		{"code:text;pattern=a;b:c=d,|x", types.Rule{Name: "code", Type: types.Text, Pattern: "a;b:c=d,|x"}},
		{"start:date:date", types.Rule{Name: "start:date", Type: types.Date}},
		{"a: b ::text", types.Rule{Name: "a: b :", Type: types.Text}},
		{"金額:integer", types.Rule{Name: "金額", Type: types.Integer}},
	} {
		got, err := types.ParseRule(tt.text)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v", tt.text, got, err)
		}
	}
	for _, text := range []string{
		"", "id", "id:", ":integer", "id:money", "id:integer;;required", "id:integer;require", "id:integer;required=yes", "id:integer;min=", "id:integer;min=x",
		"id:integer;size=5", "id:integer;format=x", "id:text;pattern=(",
	} {
		if r, err := types.ParseRule(text); err == nil {
			t.Errorf("%q is %+v", text, r)
		} else if _, ok := errors.AsType[*types.RuleError](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
