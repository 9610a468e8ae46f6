package sheet

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// tallied is what became of a file: how many records of each kind, or why it was refused.
type tallied struct {
	header, rows, rejects, skipped int64
	codes                          string // of rejects, and of a refusal
	allocated                      uint64 // bytes
}

// tallyOf reads a file to its end and checks that whatever is refused is told in words, and that records are what they are said to be.
func tallyOf(t *testing.T, content []byte, opt Options, lim Limits) (o tallied) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	codes := map[string]bool{}
	err := eachRecord(t.Context(), content, opt, lim, func(s *Sheet, rec *Record) {
		switch rec.Kind {
		case Header:
			o.header++
		case Row:
			o.rows++
			if len(rec.Cells) != len(s.Columns()) || len(rec.Errors) > 0 {
				t.Errorf("row %d has %d cells in %d columns, and %d errors", rec.No, len(rec.Cells), len(s.Columns()), len(rec.Errors))
			}
		case Reject:
			o.rejects++
			if len(rec.Errors) == 0 || rec.Errors[0].Message == "" || rec.Errors[0].MessageJA == "" || rec.No == 0 {
				t.Errorf("reject %d at %q is not explained: %v", rec.No, rec.Ref, rec.Errors)
			}
			for _, e := range rec.Errors {
				codes[string(e.Code)] = true
			}
		case Skip:
			o.skipped++
		}
	})
	runtime.ReadMemStats(&after)
	o.allocated = after.TotalAlloc - before.TotalAlloc
	if err != nil {
		codes[refusal(t, err)] = true
	}
	o.codes = strings.Join(slices.Sorted(maps.Keys(codes)), " ")
	return o
}

func eachRecord(ctx context.Context, content []byte, opt Options, lim Limits, use func(*Sheet, *Record)) (err error) {
	book, err := Open(ctx, bytes.NewReader(content), opt, lim)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		for err == nil {
			var rec *Record
			if rec, err = s.Read(); err == nil {
				use(s, rec)
			}
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// P9: what hostile workbooks hold makes neither the engine's memory nor its work grow beyond measure, and they are read or refused for a
// reason.
func TestHostileWorkbooks(t *testing.T) {
	inline := func(ref, text string) string {
		return fmt.Sprintf(`<c r=%q t="inlineStr"><is><t>%s</t></is></c>`, ref, text)
	}
	head := text(1, "a", "b")
	shared := func(index string) string {
		return head + `<row r="2"><c r="A2" t="s"><v>` + index + `</v></c></row>`
	}
	var xfd strings.Builder
	for no := 2; no <= 2_001; no++ {
		fmt.Fprintf(&xfd, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, no, no)
	}
	deep := strings.Repeat("<x>", 100_000) + strings.Repeat("</x>", 100_000)
	for name, c := range map[string]struct {
		content string
		want    tallied
		memory  uint64 // bytes; 0: whatever the test of all has
	}{
		"last row alone":           {pack(t, parts(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`, nil)), tallied{header: 1, skipped: 1_048_575}, 24 << 20},
		"only XFD, unnamed":        {pack(t, parts(head+xfd.String(), nil)), tallied{header: 1, rejects: 2_000, codes: "extra_cell"}, 24 << 20},
		"long inline cell":         {storedParts(t, parts(head+"<row>"+inline("A2", strings.Repeat("x", 40<<20))+"</row>", nil)), tallied{header: 1, rejects: 1, codes: "cell_too_long"}, 80 << 20}, // the file itself has half of it
		"string -1":                {pack(t, parts(shared("-1"), nil)), tallied{header: 1, rejects: 1, codes: "missing_shared_string"}, 0},
		"string past the end":      {pack(t, parts(shared("7"), nil)), tallied{header: 1, rejects: 1, codes: "missing_shared_string"}, 0},
		"string beyond all":        {pack(t, parts(shared("99999999999999999999"), nil)), tallied{header: 1, rejects: 1, codes: "missing_shared_string"}, 0},
		"entity bomb":              {pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": entityBomb(head)})), tallied{codes: "refused damaged_file"}, 0},
		"two parts of a name":      {doubled(t, parts(head, nil)), tallied{codes: "refused damaged_file"}, 0},
		"zip bomb":                 {pack(t, parts(head+strings.Repeat(" ", 40<<20), nil)), tallied{codes: "refused unzip_ratio"}, 0},
		"out of order":             {pack(t, parts(`<row r="3"><c r="B3"><v>4</v></c><c r="A3"><v>3</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>`+head, nil)), tallied{header: 1, rows: 2}, 0},
		"out of order, far behind": {pack(t, parts(head+tableRows(1000, headRows)+text(2, "x")+tableRows(2000, 1), nil)), tallied{header: 1, rows: headRows + 2, skipped: 1798}, 0},
		"no references":            {pack(t, parts(`<row><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row>`, nil)), tallied{header: 1, rows: 1}, 0},
		"cells twice":              {pack(t, parts(head+`<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>`, nil)), tallied{header: 1, rejects: 1, codes: "duplicate_cell"}, 0},
		"rows twice":               {pack(t, parts(head+text(2, "x")+text(2, "y")+text(2, "z"), nil)), tallied{header: 1, rows: 1, rejects: 2, codes: "duplicate_row"}, 0},
		"cell of another row":      {pack(t, parts(head+`<row r="2"><c r="A9"><v>1</v></c></row>`, nil)), tallied{header: 1, rejects: 1, codes: "bad_reference"}, 0},
		"row of no number":         {pack(t, parts(head+`<row r="-1"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row>`, nil)), tallied{header: 1, rows: 1, rejects: 1, codes: "bad_reference"}, 0},
		"row beyond the last":      {pack(t, parts(head+`<row r="1048577"><c><v>1</v></c></row>`, nil)), tallied{header: 1, rejects: 1, codes: "bad_reference"}, 0},
		"U+0000":                   {pack(t, parts(head+text(2, "x_x0000_"), nil)), tallied{header: 1, rejects: 1, codes: "invalid_character"}, 0},
		"no boolean":               {pack(t, parts(head+`<row r="2"><c r="A2" t="b"><v>7</v></c></row>`, nil)), tallied{header: 1, rejects: 1, codes: "bad_value"}, 0},
		"deep nesting":             {pack(t, parts(head+"<row>"+deep+"</row>", nil)), tallied{header: 1, codes: "refused damaged_file"}, 0},
		"the sheet many times":     {pack(t, parts(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`, manySheets(300))), tallied{header: 300, skipped: maxBlanks}, 150 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			got := tallyOf(t, []byte(c.content), Options{}, DefaultLimits())
			most := max(c.memory, 16<<20)
			if got.allocated > most {
				t.Errorf("took %d KiB of memory", got.allocated>>10)
			}
			got.allocated = 0
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func entityBomb(rows string) string {
	entities := `<!ENTITY a0 "ha">`
	for i := range 30 {
		entities += fmt.Sprintf(`<!ENTITY a%d "&a%d;&a%d;">`, i+1, i, i)
	}
	return xmlHead + `<!DOCTYPE worksheet [` + entities + `]><worksheet ` + mainNS + `><sheetData>` + rows +
		`<row r="2"><c r="A2" t="inlineStr"><is><t>&a30;</t></is></c></row></sheetData></worksheet>`
}

// manySheets are so many sheets of one part.
func manySheets(n int) map[string]string {
	var sheets strings.Builder
	for i := range n {
		fmt.Fprintf(&sheets, `<sheet name="S%d" sheetId="%d" r:id="rId1"/>`, i, i+1)
	}
	return map[string]string{"xl/workbook.xml": xmlHead + `<workbook ` + mainNS + ` ` + relNS + `><sheets>` + sheets.String() + `</sheets></workbook>`}
}

// storedParts packs parts without compression.
func storedParts(t testing.TB, parts map[string]string) string {
	return packAs(t, zip.Store, parts, slices.Sorted(maps.Keys(parts)))
}

// doubled packs each part twice.
func doubled(t testing.TB, parts map[string]string) string {
	names := slices.Sorted(maps.Keys(parts))
	return packAs(t, zip.Deflate, parts, append(names, names...))
}

// P5: a workbook that is cut off anywhere is refused, or read as far as it is whole, but never panics and never runs on.
func TestTruncatedWorkbooks(t *testing.T) {
	t.Parallel()
	whole := pack(t, parts(text(1, "name", "kind", "price")+tableRows(2, 500), nil))
	for i := range 20 {
		if got := tallyOf(t, []byte(whole[:len(whole)*i/20]), Options{}, DefaultLimits()); !strings.HasPrefix(got.codes, "refused ") || got.rows > 0 {
			t.Errorf("%d of 20 parts: %+v", i, got)
		}
	}
}

// P9: the directory's word about a part's size is not taken.
func TestLyingSizes(t *testing.T) {
	t.Parallel()
	whole := storedParts(t, parts(text(1, "name", "kind", "price")+tableRows(2, 500), nil))
	for _, size := range []uint64{0, 1 << 10, 1 << 40} {
		in, err := zip.NewReader(strings.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		out := zip.NewWriter(&b)
		for _, f := range in.File {
			h := f.FileHeader
			raw, err := f.OpenRaw()
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(f.Name, "xl/worksheets/") {
				h.UncompressedSize64 = size
			}
			part, err := out.CreateRaw(&h)
			if err == nil {
				_, err = io.Copy(part, raw)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if got := tallyOf(t, b.Bytes(), Options{}, DefaultLimits()); !strings.HasPrefix(got.codes, "refused ") {
			t.Errorf("%d bytes: %+v", size, got)
		}
	}
}

// What a stranger wrote into names goes into messages and a database, whose text holds neither U+0000 nor what is no UTF-8.
func TestNamesCanBeStored(t *testing.T) {
	t.Parallel()
	const bad = "a\xff\x00b"
	long := strings.Repeat("x", 4095) + "é" // which is cut within its last character
	list := func(name string) map[string]string {
		return map[string]string{"xl/workbook.xml": xmlHead + `<workbook ` + mainNS + ` ` + relNS + `><sheets><sheet name="` + name + `" sheetId="1" r:id="rId1"/></sheets></workbook>`}
	}
	for what, content := range map[string]string{
		"a sheet's name":       pack(t, parts(text(1, "a"), list(bad))),
		"a long sheet's name":  pack(t, parts(text(1, "a"), list(long))),
		"a reference to zero":  pack(t, parts(text(1, "a"), list("a&#0;b"))),
		"a part's name":        pack(t, parts("", map[string]string{"xl/_rels/workbook.xml.rels": relsHead + `<Relationship Id="rId1" Type="` + relType + `worksheet" Target="` + bad + `.xml"/></Relationships>`})),
		"names in an archive":  archive(t, bad, "b"),
		"long names in one":    archive(t, strings.Repeat("x", maxNameBytes-1)+"é", "b"),
		"a broken part's name": pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": "<" + bad})),
	} {
		told := ""
		for _, opt := range []Options{{}, {Sheet: "none"}} {
			book, err := Open(t.Context(), strings.NewReader(content), opt, DefaultLimits())
			if err == nil {
				var s *Sheet
				if s, err = book.Next(); err == nil {
					told += s.Name()
				}
				if err := book.Close(); err != nil {
					t.Error(err)
				}
			}
			if refused, ok := errors.AsType[*Refusal](err); ok {
				told += refused.Message
			}
		}
		if len(told) > 10_000 || told == "" || !utf8.ValidString(told) || strings.ContainsRune(told, 0) {
			t.Errorf("%s: %q", what, told)
		}
	}
}
