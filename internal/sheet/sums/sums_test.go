package sums_test

import (
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/sums"
)

func rowsOf(text string) (rows [][][]byte) {
	for line := range strings.SplitSeq(text, "\n") {
		var cells [][]byte
		for cell := range strings.SplitSeq(line, ",") {
			cells = append(cells, []byte(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestSummedUpBy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		traits sums.Traits
		want   bool
	}{
		"two sums":                  {"a,120,15.50\nb,310,22.25\nc,205,18.00\nall,635,55.75", sums.Traits{}, true},
		"another number":            {"a,120,15.50\nb,310,22.25\nc,205,18.00\nd,636,55.75", sums.Traits{}, false},
		"one sum below names":       {"a,1205\nb,3101\nc,2055\nall,6361", sums.Traits{}, false},
		"one sum, and it says so":   {"a,1205\nb,3101\nc,2055\nTotal,6361", sums.Traits{Named: true}, true},
		"one sum below days":        {"2024-01-01,11205\n2024-01-02,3101\n2024-01-03,2055\nall,16361", sums.Traits{ValueFirst: true}, true},
		"sums and an average":       {"1,1204,9.5,20\n2,3101,8.1,31\n3,2052,7.9,40\nall,6357,8.5,91", sums.Traits{ValueFirst: true}, true},
		"small ones may be by luck": {"a,1,2\nb,1,1\nc,1,1\nd,3,4", sums.Traits{}, false},
	} {
		rows := rowsOf(c.text)
		last := len(rows) - 1
		above := new(sums.Above).With(slices.Values(rows[:last]))
		if got := above.SummedUpBy(rows[last], c.traits); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	var p sums.Parts
	rows := rowsOf("Wages,21000,22500\nSecurity,4300,4610\nTotal staff,25300,27110\nRent,800,900\nTotal,26100,28010\nTotal war,12,14")
	for i, want := range []bool{false, false, true, false, true, false} {
		if got, _ := p.See(rows[i], sums.Plain); got != want {
			t.Errorf("row %d is a sum: %v, want %v", i, got, want)
		}
	}
}

func TestLeading(t *testing.T) {
	t.Parallel()
	var l sums.Leading
	for i, cells := range rowsOf("North,310,46500\nKiel,120,18000\nLübeck,190,28500\nSouth,270,40500\nUlm,150,20500\nHof,120,20000") {
		if got, want := l.See(cells, i == 0 || i == 3), i == 0 || i == 3; got != want {
			t.Errorf("row %d may be a sum: %v, want %v", i, got, want)
		}
	}
	if !l.Found() {
		t.Error("two bold rows that sum up those below them are no sums")
	}
}
