package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// hint is a line that says what a value may mean besides, or what kept a column from its type.
var hint = regexp.MustCompile(`(?m)^  .* (is not \w+ for \d+ value|could also be |\(\w+\): \d).*$`)

// The hints before an upload are those after it.
func TestAllCommandsPrintTheSameHints(t *testing.T) {
	t.Parallel()
	running, _ := runLocal(t)
	doubtful, uncalculated := filepath.Join(t.TempDir(), "doubtful.csv"), filepath.Join(t.TempDir(), "uncalculated.xlsx")
	write(t, doubtful, "item;day;amount\na;01/02/2024;1\nb;03/04/2024;open\nc;05/06/2024;3\n")
	writeUncalculated(t, uncalculated)
	for file, hints := range map[string]int{
		filepath.Join("samples", "orders.csv"): 0, filepath.Join("samples", "prices.csv"): 0, filepath.Join("samples", "stock.xlsx"): 0,
		doubtful: 2, uncalculated: 1,
	} {
		_, sniffed := run(t, "sniff", file)
		want := hint.FindAllString(sniffed.out.String(), -1)
		if len(want) != hints {
			t.Errorf("sniff of %s has the hints %q, want %d", file, want, hints)
		}
		_, parsed := run(t, "parse", file)
		_, uploaded := run(t, "upload", "--url", running.APIURL, file)
		for command, p := range map[string]*program{"parse": parsed, "upload": uploaded} {
			if got := hint.FindAllString(p.out.String(), -1); !slices.Equal(got, want) {
				t.Errorf("%s of %s has the hints\n%s\nand sniff\n%s", command, file, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// writeUncalculated writes a workbook with a formula that has no value, as programs do that do not calculate.
func writeUncalculated(t *testing.T, path string) {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	err := book.SetSheetCol("Sheet1", "A1", &[]any{"net", 1, 2})
	if err == nil {
		err = book.SetSheetCol("Sheet1", "B1", &[]any{"gross", 1.19})
	}
	if err == nil {
		err = book.SetCellFormula("Sheet1", "B3", "A3*1.19")
	}
	if err == nil {
		err = book.SaveAs(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
