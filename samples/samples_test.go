package samples_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/samples"
)

// want is what README.md promises of each sheet. Rejects and skipped records are written "record code code …", cells "record column text".
var want = []struct {
	file, sheet string
	rows        int
	others      []string
	cells       []string
}{
	{"orders.csv", "", 60, []string{
		"14 missing_cell", "27 extra_cell", "42 unbalanced_quote", "54 skipped", "59 invalid_character",
	}, []string{"2 得意先名 ㈱髙橋商店", "2 数量 １", "4 商品名 モニター 27\"", "4 備考 請求書は別送\r\n（経理部あて）", "9 得意先名 ㈱髙橋商店"}},
	{"prices.csv", "", 40, []string{
		"12 missing_cell", "24 skipped", "30 extra_cell", "39 invalid_encoding",
	}, []string{"2 Bezeichnung Schlüssel 5 mm", "2 Nettopreis 1,99", "4 Hersteller Ångström AB"}},
	{"stock.xlsx", "Stock", 25, []string{"12 skipped", "18 extra_cell"}, []string{
		"2 SKU 00100", "2 Counted on 2024-01-01", "3 Unit price 0.125", "3 Discount 0.05", "2 Discontinued TRUE", "3 Name 六角ナット",
	}},
	{"stock.xlsx", "Movements", 12, []string{"14 extra_cell"}, []string{"3 At 2024-06-03T10:05:00", "2 Change -50", "3 Remark first line\nsecond line"}},
	{"stock.xlsx", "Lists", 0, nil, nil},
}

// P5: the samples show rows, rejects and skipped records, each where README.md says.
func TestSamplesHoldWhatTheReadmeSays(t *testing.T) {
	t.Parallel()
	for _, w := range want {
		t.Run(w.file+" "+w.sheet, func(t *testing.T) {
			t.Parallel()
			s := open(t, w.file, w.sheet)
			rows, others, cells := 0, []string(nil), map[string]bool{}
			for {
				rec, err := s.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				switch rec.Kind {
				case sheet.Row:
					rows++
					for i, c := range s.Columns() {
						cells[fmt.Sprintf("%d %s %s", rec.No, c.Name, rec.Cells[i])] = true
					}
				case sheet.Skip:
					others = append(others, fmt.Sprint(rec.No, " skipped"))
				case sheet.Reject:
					others = append(others, fmt.Sprint(rec.No, codes(rec)))
				}
			}
			if rows != w.rows || fmt.Sprint(others) != fmt.Sprint(w.others) {
				t.Errorf("%d rows and %q; want %d and %q", rows, others, w.rows, w.others)
			}
			for _, cell := range w.cells {
				if !cells[cell] {
					t.Errorf("no cell %q", cell)
				}
			}
		})
	}
}

func codes(rec *sheet.Record) (list string) {
	for _, e := range rec.Errors {
		list += " " + string(e.Code)
	}
	return list
}

// open returns the sheet of that name.
func open(t *testing.T, file, name string) *sheet.Sheet {
	t.Helper()
	content, err := samples.Files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	for {
		s, err := book.Next()
		if err != nil {
			t.Fatalf("sheet %q: %v", name, err)
		}
		if s.Name() == name {
			return s
		}
	}
}

// The committed files are the generator's, so that a change of one is not lost by the next go generate.
func TestGeneratorMakesTheSamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "generate.exe") // a name that every system runs
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./generate").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"orders.csv", "prices.csv", "stock.xlsx"} {
		made, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if committed, err := samples.Files.ReadFile(name); err != nil || !bytes.Equal(made, committed) {
			t.Errorf("%s is not what the generator makes (%v)", name, err)
		}
	}
}
