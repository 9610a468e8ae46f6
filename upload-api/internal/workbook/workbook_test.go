package workbook

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// written returns the workbook that a test has written, as excelize reads it.
func written(t testing.TB, write func(*Writer)) *excelize.File {
	t.Helper()
	var out bytes.Buffer
	w := New(&out, []Style{{Bold: true}})
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	return book
}

// Whatever a text is, it comes back as it was, in its own cell and as no formula; one that is too long for a cell keeps its beginning.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{"", "=1+1", "</t></is></c>", "a\r\n\tb", "_x0041_", "_x005F_x0041_", "_x", "\x00\x0b", "\ufffe\uffff", "]]>&amp;", " x ", "𠮷", strings.Repeat("長", MaxText+1)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // the database has none
		}
		book := written(t, func(w *Writer) {
			w.BeginSheet("a", []Column{{Width: 10}})
			w.BeginRow()
			w.Text(0, text)
			w.Comment(text)
			w.Text(1, "next")
			w.EndRow()
			if err := w.EndSheet(); err != nil {
				t.Fatal(err)
			}
		})
		want := text
		if units := utf16.Encode([]rune(text)); len(units) > MaxText {
			want = strings.TrimSuffix(string(utf16.Decode(units[:MaxText-1])), "\ufffd") + "…"
		}
		got, err := book.GetCellValue("a", "A1")
		formula, _ := book.GetCellFormula("a", "A1")
		if next, _ := book.GetCellValue("a", "B1"); err != nil || got != want || formula != "" || next != "next" {
			t.Errorf("%.100q comes back as %.100q with the formula %q, beside %q, %v", text, got, formula, next, err)
		}
	})
}

// Sheets have names that Excel takes, each its own.
func TestSheetNames(t *testing.T) {
	t.Parallel()
	var taken []string
	for _, c := range []struct{ name, want string }{
		{"注文", "注文"}, {"注文", "注文 (2)"}, {"", "Sheet"}, {"a/b\\c[d]:e*f?", "a_b_c_d__e_f_"}, {"'q'", "q"}, {"history", "Sheethistory"},
		{"List", "List"}, {"LIST", "LIST (2)"}, {strings.Repeat("長", 40), strings.Repeat("長", 31)}, {strings.Repeat("長", 40), strings.Repeat("長", 27) + " (2)"},
		{strings.Repeat("𠮷", 16), strings.Repeat("𠮷", 15)}, {"a\tb", "a_b"},
	} {
		got := sheetName(c.name, taken)
		if got != c.want {
			t.Errorf("%q becomes %q, want %q", c.name, got, c.want)
		}
		taken = append(taken, got)
	}
	book := written(t, func(w *Writer) {
		for _, name := range taken {
			w.BeginSheet(name, nil)
			_ = w.EndSheet() // Close returns its error
		}
	})
	if list := book.GetSheetList(); !slices.Equal(list, taken) {
		t.Errorf("the sheets are %q, want %q", list, taken)
	}
}

// Comments stand at their cells, as many as a sheet can have.
func TestComments(t *testing.T) {
	t.Parallel()
	kept := 0
	book := written(t, func(w *Writer) {
		w.BeginSheet("a", []Column{{Width: 10}, {Width: 10, Hidden: true}})
		for i := range MaxComments + 1 {
			w.BeginRow()
			w.Skip()
			w.Blank(1)
			if w.Comment(fmt.Sprint("<", i, ">")) {
				kept++
			}
			w.EndRow()
		}
		_ = w.EndSheet() // Close returns its error
	})
	comments, err := book.GetComments("a")
	if err != nil || len(comments) != MaxComments || kept != MaxComments || comments[1].Cell != "B2" || comments[1].Text != "<1>" {
		t.Errorf("%d comments, %d kept, %v", len(comments), kept, err)
	}
}
