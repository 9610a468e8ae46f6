package types_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// FuzzColumn reads lines as a column of any bytes: nothing panics, and what is claimed of the column holds for each of its cells, whether
// it has few rows or many.
func FuzzColumn(f *testing.F) {
	for _, seed := range []string{
		"1\n2\n3", "1,234\n1.5", "△1,234円\n(５)", "令和元年5月1日\nR6.1.31", "2024-01-31T10:00:00+09:00\n2024-01-31", "20240131", "午後3時5分10秒", "-27:30:00.5\nPT5M",
		"true\nfalse", "はい", "5 January 2024 9:05 PM", "1.5E-7", "12.5%", "\x80\xff\n\x00", "31.1.2024", "1\u00a0234,5", "a longer text than sixteen bytes",
	} {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, many bool) {
		cells := bytes.Split(text, []byte("\n"))
		times := 1
		if many {
			times = 1200/len(cells) + 1
		}
		table := types.NewTable(1)
		for i := range times {
			for _, cell := range cells {
				table.Add(int64(i), [][]byte{cell})
			}
		}
		r := table.Reports()[0]
		c, err := types.NewConverter(r.Type, r.Format, r.Digits)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return // the engine refuses such cells
		}
		for _, cell := range cells {
			v, ok := c.Value(cell)
			if !ok {
				t.Fatalf("%q is no %s %q", cell, r.Type, r.Format)
			}
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("%q: %v", cell, err)
			}
		}
	})
}

// FuzzRule reads any rule and holds any cell against it.
func FuzzRule(f *testing.F) {
	for _, seed := range []string{"a:integer;min=1;max=5;unique", "a:date;format=DD/MM/YYYY|DD.MM.YYYY;min=2024-01-31", "a:text;pattern=(a|b)*c", "a:boolean;allowed=true", "a:decimal;format=#.##0,0%;required"} {
		f.Add(seed, "12")
	}
	f.Fuzz(func(t *testing.T, text, cell string) {
		rule, err := types.ParseRule(text)
		if err != nil {
			return
		}
		check, err := rule.Compile()
		if err != nil {
			t.Fatalf("%+v was parsed and does not compile: %v", rule, err)
		}
		checker := types.NewChecker([]*types.Check{check}, 2)
		for row := range int64(2) {
			faults, err := checker.Check(row, [][]byte{[]byte(cell)})
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				if fault.Message(false) == "" || fault.Message(true) == "" {
					t.Fatalf("%s has no message", fault.Code)
				}
			}
		}
	})
}
