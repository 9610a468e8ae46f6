package xlsb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/grid/gridtest"
	"sheetdrop/internal/sheet/sheettest/biff12"
)

// openFiles opens a workbook of these parts.
func openFiles(files []biff12.File, o Options) (*Book, error) {
	if o.Limits == (grid.Limits{}) {
		o.Limits = grid.DefaultLimits()
	}
	content := biff12.Zip(files)
	a, err := container.Open(bytes.NewReader(content), int64(len(content)), nil, o.Limits)
	if err != nil {
		return nil, err
	}
	if !IsWorkbook(a) {
		return nil, a.RefuseOther()
	}
	return Open(a, o)
}

const sheetPart = "xl/worksheets/sheet1.bin"

// twoStrings is a workbook with one worksheet, the shared strings "zero" and "one", and the styles of a day and of a bold text.
func twoStrings() []biff12.File {
	book := biff12.Book{
		Sheets: []biff12.Sheet{{Name: "S", Rows: [][]biff12.Cell{{{Value: "zero"}, {Value: "one"}}}}},
		Styles: []biff12.Style{{}, {Format: 14}, {Bold: true}},
	}
	return book.Files()
}

// withCells is that workbook with other records of cells.
func withCells(write func(s *biff12.Stream)) []biff12.File {
	var s biff12.Stream
	s.Record(idBeginData)
	write(&s)
	s.Record(idEndData)
	return biff12.Replace(twoStrings(), sheetPart, s.Bytes())
}

// dump reads the first sheet into lines such as "3 A=text C=1.5", with the codes of faults and warnings, and how reading ended.
func dump(files []biff12.File, o Options) (lines []string) {
	b, err := openFiles(files, o)
	if err != nil {
		return []string{string(gridtest.Code(err))}
	}
	rows, err := b.Rows(1)
	for err == nil {
		var row *grid.Row
		if row, err = rows.Next(); err == nil {
			line := fmt.Sprint(row.No, row.Fault)
			for _, c := range row.Cells {
				line += fmt.Sprintf(" %s=%s%s%s", strings.TrimSuffix(grid.Reference(c.Column, 1), "1"), c.Text, c.Fault, c.Warning)
			}
			lines = append(lines, line)
		}
	}
	if !errors.Is(err, io.EOF) {
		lines = append(lines, string(gridtest.Code(err)))
	}
	if err := b.Close(); err != nil {
		lines = append(lines, err.Error())
	}
	return lines
}

// Each kind of cell has its value, at its place.
func TestCells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want  string
		cells func(s *biff12.Stream)
	}{
		"shared":           {"5 B=one", func(s *biff12.Stream) { s.Record(idShared, 1, 0, 1) }},
		"text":             {"5 B=日本 😀", func(s *biff12.Stream) { s.Record(idText, 1, 0, "日本 😀") }},
		"escapes are none": {"5 B=a_x000D_b", func(s *biff12.Stream) { s.Record(idText, 1, 0, "a_x000D_b") }},
		"empty text":       {"", func(s *biff12.Stream) { s.Record(idText, 1, 0, "") }},
		"no text":          {"", func(s *biff12.Stream) { s.Record(idText, 1, 0, uint32(noText)) }},
		"rich text":        {"5 B=bold", func(s *biff12.Stream) { s.Record(idRichText, 1, 0, byte(1), "bold", 1, uint16(0), uint16(1)) }},
		"integer":          {"5 B=-7", func(s *biff12.Stream) { s.Record(idRK, 1, 0, uint32(int64(1)<<32-7<<2)|2) }},
		"hundredth":        {"5 B=12.34", func(s *biff12.Stream) { s.Record(idRK, 1, 0, 1234<<2|3) }},
		"upper bits":       {"5 B=0.5", func(s *biff12.Stream) { s.Record(idRK, 1, 0, 0x3FE00000) }},
		"number":           {"5 B=0.1", func(s *biff12.Stream) { s.Record(idReal, 1, 0, 0.1) }},
		"day":              {"5 B=2024-05-01", func(s *biff12.Stream) { s.Record(idReal, 1, 1, 45413.0) }},
		"style and flag":   {"5 B=2024-05-01", func(s *biff12.Stream) { s.Record(idReal, 1, 1|1<<24, 45413.0) }},
		"no such style":    {"5 B=45413", func(s *biff12.Stream) { s.Record(idReal, 1, 1<<20, 45413.0) }},
		"no day":           {"5 B=-1no_date", func(s *biff12.Stream) { s.Record(idReal, 1, 1, -1.0) }},
		"boolean": {"5 B=TRUE C=FALSE D=2bad_value", func(s *biff12.Stream) {
			s.Record(4, 1, 0, byte(1))
			s.Record(4, 2, 0, byte(0))
			s.Record(4, 3, 0, byte(2))
		}},
		"error":            {"5 B=#N/A C=#ERROR!", func(s *biff12.Stream) { s.Record(idError, 1, 0, byte(0x2A)); s.Record(idError, 2, 0, byte(0x99)) }},
		"results":          {"5 A=text B=1.5 C=TRUE D=#REF!", results},
		"short ones":       {"5 C=one D=0.5 F=1 G=TRUE H=x I=#N/A", short},
		"blank":            {"", func(s *biff12.Stream) { s.Record(idBlank, 1, 1) }},
		"not in order":     {"5 A=one B=zero", func(s *biff12.Stream) { s.Record(idShared, 1, 0, 0); s.Record(idShared, 0, 0, 1) }},
		"twice":            {"5 B=one B=zeroduplicate_cell", func(s *biff12.Stream) { s.Record(idShared, 1, 0, 1); s.Record(idShared, 1, 0, 0) }},
		"no such string":   {"5 B=2missing_shared_string", func(s *biff12.Stream) { s.Record(idShared, 1, 0, 2) }},
		"half a character": {"5 B=a\xed\xa0\x80binvalid_encoding", func(s *biff12.Stream) { s.Record(idText, 1, 0, 3, []byte{'a', 0, 0, 0xD8, 'b', 0}) }},
		"no character":     {"5 B=\x00invalid_character", func(s *biff12.Stream) { s.Record(idText, 1, 0, "\x00") }},
		"column too far":   {"5 =onebad_reference", func(s *biff12.Stream) { s.Record(idShared, 16384, 0, 1) }},
		"no column at all": {"5 =onebad_reference", func(s *biff12.Stream) { s.Record(idShared, uint32(0xFFFFFFFF), 0, 1) }},
		"behind the last":  {"5 =onebad_reference XFD=one", func(s *biff12.Stream) { s.Record(idShared, 16383, 0, 1); s.Record(idShortShared, 0, 1) }},
		"later version": {"5 B=one", func(s *biff12.Stream) {
			s.Record(idFutureBegin, 0)
			s.Record(idText, 0, 0, "x")
			s.Record(idFutureEnd)
			s.Record(idShared, 1, 0, 1)
		}},
		"unknown record":    {"5 B=one", func(s *biff12.Stream) { s.Record(1024, uint16(5)); s.Record(idShared, 1, 0, 1) }},
		"text breaks off":   {"damaged_file", func(s *biff12.Stream) { s.Record(idText, 1, 0, 9, []byte("abcd")) }},
		"text has 4 GiB":    {"damaged_file", func(s *biff12.Stream) { s.Record(idText, 1, 0, uint32(0xFFFFFFF0), []byte("abcd")) }},
		"number breaks off": {"damaged_file", func(s *biff12.Stream) { s.Record(idReal, 1, 0, 1) }},
		"cell breaks off":   {"damaged_file", func(s *biff12.Stream) { s.Record(idShared, 1) }},
		"record breaks off": {"damaged_file", func(s *biff12.Stream) { s.Head(idText, 200<<20) }},
		"size has no end":   {"damaged_file", func(s *biff12.Stream) { s.Write([]byte{idText, 0xFF, 0xFF, 0xFF, 0xFF}) }},
		"id has no end":     {"damaged_file", func(s *biff12.Stream) { s.Write([]byte{0xFF, 0xFF, 0, 0}) }},
	} {
		files := withCells(func(s *biff12.Stream) {
			s.Record(idRow, 4)
			c.cells(s)
		})
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if got := dump(files, Options{}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// results are the results of formulas.
func results(s *biff12.Stream) {
	formula := []byte{0, 0, 3, 0, 0, 0, 0x1E, 0, 0, 0, 0, 0, 0}
	s.Record(idTextResult, 0, 0, "text", formula)
	s.Record(idNumberResult, 1, 0, 1.5, formula)
	s.Record(idBoolResult, 2, 0, byte(1), formula)
	s.Record(427, 0, 0, 0, 0, formula) // one that several cells share
	s.Record(idErrorResult, 3, 0, byte(0x17), formula)
}

// short are cells that stand in the column behind the one before.
func short(s *biff12.Stream) {
	s.Record(idBlank, 1, 0)
	s.Record(idShortShared, 0, 1)
	s.Record(16, 0, 0.5)
	s.Record(idShortBlank, 0)
	s.Record(13, 0, 1<<2|2)
	s.Record(15, 0, byte(1))
	s.Record(17, 0, "x")
	s.Record(14, 0, byte(0x2A))
}

// Rows have their numbers, whatever their order.
func TestRows(t *testing.T) {
	t.Parallel()
	row := func(s *biff12.Stream, no uint32) {
		s.Record(idRow, no)
		s.Record(idShared, 0, 0, 1)
	}
	for name, c := range map[string]struct {
		want  []string
		write func(s *biff12.Stream)
	}{
		"none":             {nil, func(*biff12.Stream) {}},
		"last one alone":   {[]string{"1048576 A=one"}, func(s *biff12.Stream) { row(s, 1048575) }},
		"behind the last":  {[]string{"1 A=one", "1048577bad_reference A=one"}, func(s *biff12.Stream) { row(s, 0); row(s, 1048576) }},
		"no row at all":    {[]string{"4294967296bad_reference A=one"}, func(s *biff12.Stream) { row(s, 0xFFFFFFFF) }},
		"not in order":     {[]string{"3 A=one", "2 A=one"}, func(s *biff12.Stream) { row(s, 2); row(s, 1) }},
		"twice":            {[]string{"3 A=one", "3duplicate_row A=one"}, func(s *biff12.Stream) { row(s, 2); row(s, 2) }},
		"empty ones":       {[]string{"2 A=one"}, func(s *biff12.Stream) { s.Record(idRow, 0); row(s, 1); s.Record(idRow, 2) }},
		"cell without one": {[]string{"damaged_file"}, func(s *biff12.Stream) { s.Record(idShared, 0, 0, 1) }},
		"breaks off":       {[]string{"damaged_file"}, func(s *biff12.Stream) { s.Record(idRow, uint16(0)) }},
	} {
		if got := dump(withCells(c.write), Options{}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	missing := slices.DeleteFunc(twoStrings(), func(f biff12.File) bool { return f.Name == "xl/sharedStrings.bin" })
	if got := dump(missing, Options{}); !slices.Equal(got, []string{"damaged_file"}) {
		t.Errorf("without the part of its strings: %q", got)
	}
	var open biff12.Stream
	open.Record(idBeginData)
	row(&open, 0)
	if got := dump(biff12.Replace(twoStrings(), sheetPart, open.Bytes()), Options{}); !slices.Equal(got, []string{"damaged_file"}) {
		t.Errorf("cells without an end: %q", got)
	}
}

// Whatever is larger than allowed costs the cell, the row, or the workbook; a merged value is repeated where it is asked for.
func TestLimits(t *testing.T) {
	t.Parallel()
	files := withCells(func(s *biff12.Stream) {
		s.Record(idRow, 0)
		s.Record(idText, 0, 0, strings.Repeat("x", 100_000))
		s.Record(idText, 1, 0, "ok")
	})
	for name, c := range map[string]struct {
		want   string
		change func(l *grid.Limits)
	}{
		"none":          {"1 A=" + strings.Repeat("x", 100_000) + " B=ok", func(*grid.Limits) {}},
		"a cell's text": {"1 A=xxxcell_too_long B=ok", func(l *grid.Limits) { l.CellBytes = 3 }},
		"a row's text":  {"1record_too_long A=" + strings.Repeat("x", 100_000), func(l *grid.Limits) { l.RowBytes = 100_001 }},
		"columns":       {"1too_many_columns A=" + strings.Repeat("x", 100_000), func(l *grid.Limits) { l.Columns = 1 }},
		"cells":         {"too_many_cells", func(l *grid.Limits) { l.Cells = 1 }},
		"rows":          {"too_many_rows", func(l *grid.Limits) { l.Rows = 0 }},
		"parts":         {"too_many_parts", func(l *grid.Limits) { l.Parts = 3 }},
		"bytes":         {"unzipped_too_large", func(l *grid.Limits) { l.UnzippedBytes = 1000 }},
	} {
		l := grid.DefaultLimits()
		c.change(&l)
		if got := strings.Join(dump(files, Options{Limits: l}), "; "); got != c.want {
			t.Errorf("%s: %.80q, want %.80q", name, got, c.want)
		}
	}
	merged := biff12.Book{Sheets: []biff12.Sheet{{
		Name:   "S",
		Rows:   [][]biff12.Cell{{{Value: "a"}, {Value: 1.0}}, {{}, {Value: 2.0}}, {{}, {Value: 3.0}}},
		Merged: []biff12.Area{{Top: 1, Bottom: 2, Left: 1, Right: 1}},
	}}}
	if got := dump(merged.Files(), Options{FillDown: true}); !slices.Equal(got, []string{"1 A=a B=1", "2 A=a B=2", "3 B=3"}) {
		t.Errorf("merged: %q", got)
	}
	var many biff12.Stream
	for range grid.MaxMerged + 1 {
		many.Record(idMerged, 0, 1, 0, 0)
	}
	if got := dump(biff12.Replace(twoStrings(), sheetPart, many.Bytes()), Options{FillDown: true}); !slices.Equal(got, []string{"damaged_file"}) {
		t.Errorf("many merged ranges: %q", got)
	}
}
