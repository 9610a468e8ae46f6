package sheet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
)

// read returns all records of all sheets in a brief form: kind, number, cells, codes with their columns. A sheet of a workbook begins with
// its name; a file that is refused ends with the code.
func read(t *testing.T, content string, opt Options, lim Limits) (list []string) {
	t.Helper()
	book, err := Open(t.Context(), strings.NewReader(content), opt, lim)
	if err != nil {
		return []string{refusal(t, err)}
	}
	t.Cleanup(func() { book.Close() })
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			return append(list, refusal(t, err))
		}
		if format := book.Format(); format != "csv" && format != "json" {
			list = append(list, fmt.Sprintf("sheet %d %s visible=%v", s.Number(), s.Name(), s.Visible()))
		}
		for {
			rec, err := s.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return append(list, refusal(t, err))
			}
			list = append(list, brief(rec))
		}
	}
}

// openFirst opens the content, until the test ends, and returns its first sheet.
func openFirst(t *testing.T, content string, opt Options) (*Book, *Sheet) {
	t.Helper()
	book, err := Open(t.Context(), strings.NewReader(content), opt, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	s, err := book.Next()
	if err != nil {
		t.Fatal(err)
	}
	return book, s
}

// firstSheet is openFirst without the book.
func firstSheet(t *testing.T, content string, opt Options) *Sheet {
	t.Helper()
	_, s := openFirst(t, content, opt)
	return s
}

// recordsOf reads the sheet to its end.
func recordsOf(t *testing.T, s *Sheet) iter.Seq[*Record] {
	t.Helper()
	return func(yield func(*Record) bool) {
		for {
			rec, err := s.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(rec) {
				return
			}
		}
	}
}

func refusal(t *testing.T, err error) string {
	t.Helper()
	refused, ok := errors.AsType[*Refusal](err)
	if !ok {
		t.Fatalf("no refusal: %v", err)
	}
	if !strings.HasSuffix(refused.Message, ".") || !strings.HasSuffix(refused.MessageJA, "。") {
		t.Errorf("%s has no sentence for people: %q %q", refused.Code, refused.Message, refused.MessageJA)
	}
	return "refused " + string(refused.Code)
}

func brief(rec *Record) string {
	s := fmt.Sprint([...]string{Header: "header", Row: "row", Reject: "reject", Skip: "skip"}[rec.Kind], " ", rec.No, rec.Ref, ":")
	if rec.Kind != Skip {
		for i, cell := range rec.Cells {
			s += [...]string{" ", "|"}[min(i, 1)] + string(cell)
			if cell == nil {
				s += "NULL"
			}
		}
	}
	for _, e := range rec.Errors {
		s += fmt.Sprintf(" !%s %d", e.Code, e.ColumnNo)
		if e.LastColumn > e.ColumnNo {
			s += fmt.Sprintf("-%d", e.LastColumn)
		}
		s += " " + e.ColumnName
	}
	return s
}

func toCP932(t testing.TB, text string) string {
	t.Helper()
	s, err := japanese.ShiftJIS.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// small are limits that a test can reach.
var small = Limits{RecordBytes: 40, CellBytes: 20, Columns: 4, FileColumns: 40, HeaderBytes: 1 << 10, OutputBytes: 1 << 20, RejectBytes: 1 << 20, PatternWork: 1 << 20, Rows: 100, Cells: 100, Rejects: 10, PackageBytes: 1 << 20, UnzippedBytes: 1 << 20, UnzipRatio: 50, Parts: 50}

func TestReadCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"rows":                  {"a,b\n1,\n", []string{"header 1: a|b", "row 2: 1|"}},
		"header alone":          {"a,b", []string{"header 1: a|b"}},
		"one column":            {"a\n1\n\"\"\n", []string{"header 1: a", "row 2: 1", "row 3: "}},
		"blank lines":           {"\n \t\na,b\n\n1,2\n\n", []string{"skip 1:", "skip 2:", "header 3: a|b", "skip 4:", "row 5: 1|2", "skip 6:"}},
		"blank cells":           {"a\tb\n \t \n", []string{"header 1: a|b", "skip 2:"}},
		"empty cells":           {"a,b\n,\n", []string{"header 1: a|b", "skip 2:"}},
		"empty cells in quotes": {"a,b\n\"\",\"\"\n", []string{"header 1: a|b", "row 2: |"}},
		"missing cells":         {"a,b,c\n1\n", []string{"header 1: a|b|c", "reject 2: 1 !missing_cell 2-3 b"}},
		"extra cells":           {"a,b\n1,2,,\n", []string{"header 1: a|b", "reject 2: 1|2|| !extra_cell 3-4 "}},
		"stray quote": {"a,b\n1,\"2\n3,4\n\"5\",6\n", []string{
			"header 1: a|b", "reject 2: 1|\"2 !unbalanced_quote 2 b", "row 3: 3|4", "row 4: 5|6"}},
		"stray quote at the end": {"a,b\n1,2\n\"3,4\n", []string{"header 1: a|b", "row 2: 1|2", "reject 3: \"3|4 !unbalanced_quote 1 a"}},
		"zero character":         {"a,b\n1\x00,2\n", []string{"header 1: a|b", "reject 2: 1\x00|2 !invalid_character 1 a"}},
		"broken utf-8":           {"名,b\n\xe9,\"x\"\"\xff\"\n", []string{"header 1: 名|b", "reject 2: NULL|NULL !invalid_encoding 1 名 !invalid_encoding 2 b"}},
		"broken and ragged":      {"名,b\n\xff\n", []string{"header 1: 名|b", "reject 2: NULL !invalid_encoding 1 名 !missing_cell 2 b"}},
		"record too long": {"a,b\n1," + strings.Repeat("2", 40) + "\n3,4\n", []string{
			"header 1: a|b", "reject 2: 1 !record_too_long 0 ", "row 3: 3|4"}},
		"cell too long":           {"a,b\n1,123456789012345678901\n", []string{"header 1: a|b", "reject 2: 1|123456789012345678901 !cell_too_long 2 b"}},
		"too many columns":        {"a,b,c,d,e\n", []string{"refused too_many_columns"}},
		"far too many cells":      {"a,b\n1,2,3,4,5,6\n", []string{"header 1: a|b", "reject 2: 1|2|3|4 !extra_cell 3-6 "}},
		"nothing":                 {"", []string{"refused empty_file"}},
		"nothing but blank lines": {"\n\n \n", []string{"skip 1:", "skip 2:", "skip 3:", "refused empty_file"}},
		"a mark alone":            {"\xef\xbb\xbf", []string{"refused empty_file"}},
		"header with zero":        {"a\x00,b\n1,2\n", []string{"refused invalid_character"}},
		"header with open quote":  {"a,\"b\n1,2\n", []string{"header 1: a|\"b", "row 2: 1|2"}},
		"header broken":           {"名,\xff\xff\xff\n", []string{"refused invalid_encoding"}},
		"header too long":         {strings.Repeat("a", 41) + "\n1\n", []string{"refused record_too_long"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := read(t, c.content, Options{}, small); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestRejectsKeepTheirBytesAndPlace(t *testing.T) {
	t.Parallel()
	text := "名,b\r\n\"x\ny\",2\r\n東京\r\n1,\"2\r\n"
	utf16le := "\xff\xfe"
	for _, r := range text {
		utf16le += string([]byte{byte(r), byte(r >> 8)})
	}
	for name, c := range map[string]struct {
		content, encoding string
		raw               []string
	}{
		"utf-8":    {text, "utf-8", []string{"東京", "1,\"2"}},
		"with BOM": {"\xef\xbb\xbf" + text, "utf-8", []string{"東京", "1,\"2"}},
		"cp932":    {toCP932(t, text), "cp932", []string{toCP932(t, "東京"), "1,\"2"}},
		"utf-16":   {utf16le, "utf-16le", []string{"\x71\x67\xac\x4e", "1\x00,\x00\"\x002\x00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book, s := openFirst(t, c.content, Options{})
			var raw []string
			for rec := range recordsOf(t, s) {
				if want := []int64{1, 2, 4, 5}[rec.No-1]; rec.Line != want {
					t.Errorf("record %d in line %d, want %d", rec.No, rec.Line, want)
				}
				if rec.Kind == Reject {
					raw = append(raw, string(rec.Raw))
					if !strings.HasPrefix(c.content[rec.Offset:], string(rec.Raw)) {
						t.Errorf("record %d does not stand at %d", rec.No, rec.Offset)
					}
				}
			}
			if book.Encoding() != c.encoding || !slices.Equal(raw, c.raw) {
				t.Errorf("%s %q, want %s %q", book.Encoding(), raw, c.encoding, c.raw)
			}
		})
	}
}

func TestOptionsOverrideTheContent(t *testing.T) {
	t.Parallel()
	if got, want := read(t, "a;b,c\n1;2,3\n", Options{Delimiter: ","}, small), []string{"header 1: a;b|c", "row 2: 1;2|3"}; !slices.Equal(got, want) {
		t.Errorf("delimiter: %q", got)
	}
	if got, want := read(t, "a\n\xc3\xa9\n", Options{Encoding: "cp932"}, small), []string{"header 1: a", "row 2: ﾃｩ"}; !slices.Equal(got, want) {
		t.Errorf("cp932: %q", got)
	}
	if got, want := read(t, "\x00a\x00\n\x001", Options{Encoding: "utf-16be"}, small), []string{"header 1: a", "row 2: 1"}; !slices.Equal(got, want) {
		t.Errorf("utf-16be without a mark: %q", got)
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	_, s := openFirst(t, "a, a ,,b,a_2,a,\n1,,3,,,,7\n1\n2,,3,4,,,\n", Options{})
	for range recordsOf(t, s) {
	}
	want := []string{"a=a", "a_3= a ", "column_3=", "b=b", "a_2=a_2", "a_4=a", "column_7="}
	var got []string
	for _, c := range s.Columns() {
		got = append(got, c.Name+"="+c.Label)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A hostile header of one name many times costs no more than its size.
func TestManyColumnsOfOneName(t *testing.T) {
	t.Parallel()
	columns := newColumns(strings.Split(strings.Repeat("a,", 16_383), ","))
	names := map[string]bool{}
	for _, c := range columns {
		names[c.Name] = true
	}
	if len(names) != len(columns) || !names["a_16383"] {
		t.Errorf("%d names for %d columns", len(names), len(columns))
	}
}

// What is wrong with a record is a bounded list: cells that are missing or too many side by side are one reason, others up to a hundred.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("a,", 999) + "a\n"
	for row, want := range map[string]string{
		"1\n":                               "1 2-1000 999 cells are missing: the record has 1 cell, but the header has 1000.",
		strings.Repeat("1,", 5000) + "\n":   "1 1001-5001 4001 cells too many: the record has 5001 cells, but the header has 1000.",
		strings.Repeat("1,", 1000) + "\n":   "1 1001-1001 One cell too many: the record has 1001 cells, but the header has 1000.",
		strings.Repeat("\xff,", 999) + "\n": "100 1-1 The text is not valid utf-8: the byte at offset 2002 of the file cannot be decoded.",
	} {
		s := firstSheet(t, "é"+wide+row, Options{Encoding: "utf-8"})
		if rec, err := s.Read(); err != nil || rec.Kind != Header {
			t.Fatal(rec, err)
		}
		rec, err := s.Read()
		if err != nil || rec.Kind != Reject {
			t.Fatal(rec, err)
		}
		first := rec.Errors[0]
		if got := fmt.Sprintf("%d %d-%d %s", len(rec.Errors), first.ColumnNo, first.LastColumn, first.Message); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
