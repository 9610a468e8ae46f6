package sheet

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/decrypt"
)

// One sheet is read where it is asked for, by its name or place, also a hidden one; the others are listed.
func TestChosenSheet(t *testing.T) {
	t.Parallel()
	content := workbookOfSheets(t)
	for sought, want := range map[string][]string{
		"":        {"First", "4"},
		"First":   {"First"},
		"first":   {"First"},
		"1":       {"First"},
		"Secret":  {"Secret"},
		"3":       {"Secret"},
		"4":       {"4"},
		"hidden!": {"First", "Secret", "4"}, // by the option
	} {
		opt := Options{Sheet: sought}
		if sought == "hidden!" {
			opt = Options{Hidden: true}
		}
		var read, all []string
		book, err := Open(t.Context(), strings.NewReader(content), opt, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for s, err := book.Next(); err == nil; s, err = book.Next() {
			all = append(all, s.Name())
			if rec, err := s.Read(); err == nil && rec.Kind == Header && !s.LeftOut() {
				read = append(read, string(rec.Cells[0]))
			}
		}
		if !slices.Equal(read, want) || !slices.Equal(all, []string{"First", "Secret", "4"}) {
			t.Errorf("%q: read %q of %q", sought, read, all)
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, sought := range []string{"2", "Chart", "5", "-1", "Secret "} {
		_, err := Open(t.Context(), strings.NewReader(content), Options{Sheet: sought}, DefaultLimits())
		refused, ok := errors.AsType[*Refusal](err)
		if !ok || refused.Code != NoSuchSheet || !strings.Contains(refused.Message, "1 First, 3 Secret, 4 4") {
			t.Errorf("%q: %v", sought, err)
		}
	}
}

// workbookOfSheets has a sheet, a chart, a hidden sheet, and one whose name is its place. Each has its name in A1.
func workbookOfSheets(t *testing.T) string {
	sheets := `<sheet name="First" sheetId="1" r:id="a"/><sheet name="Chart" sheetId="2" r:id="b"/>` +
		`<sheet name="Secret" sheetId="3" state="hidden" r:id="c"/><sheet name="4" sheetId="4" r:id="d"/>`
	relations := ""
	others := map[string]string{}
	for id, name := range map[string]string{"a": "First", "b": "", "c": "Secret", "d": "4"} {
		kind := "worksheet"
		if name == "" {
			kind = "chartsheet"
		}
		relations += `<Relationship Id="` + id + `" Type="` + relType + kind + `" Target="worksheets/` + id + `.xml"/>`
		others["xl/worksheets/"+id+".xml"] = xmlHead + `<worksheet ` + mainNS + `><sheetData>` + text(1, name) + `</sheetData></worksheet>`
	}
	others["xl/workbook.xml"] = xmlHead + `<workbook ` + mainNS + ` ` + relNS + `><sheets>` + sheets + `</sheets></workbook>`
	others["xl/_rels/workbook.xml.rels"] = relsHead + relations + `</Relationships>`
	return pack(t, parts("", others))
}

// A workbook may have more sheets than a message has room for.
func TestManySheetsInAMessage(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), strings.NewReader(pack(t, parts("", manySheets(300)))), Options{Sheet: "x"}, DefaultLimits())
	if refused, ok := errors.AsType[*Refusal](err); !ok || len(refused.Message) > 300 || !strings.HasSuffix(refused.Message, "20 S19, others.") {
		t.Error(err)
	}
}

func TestFillDown(t *testing.T) {
	t.Parallel()
	rows := text(1, "a", "b") + text(2, "x", "1") + text(3, "", "2") + text(4, "y", "3")
	sheet := xmlHead + `<worksheet ` + mainNS + `><sheetData>` + rows + `</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`
	content := pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": sheet}))
	for fill, want := range map[bool]string{false: "row 3B3: NULL|2", true: "row 3A3: x|2"} {
		if got := read(t, content, Options{FillDown: fill}, DefaultLimits()); len(got) != 5 || got[3] != want {
			t.Errorf("fill down %v: %q", fill, got)
		}
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	var b bytes.Buffer
	if err := errors.Join(book.SetCellValue("Sheet1", "A1", "secret"), book.Write(&b, excelize.Options{Password: "パス word"}), book.Close()); err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]Code{"": Encrypted, "wrong": WrongPassword, "パス word": ""} {
		open := decrypt.With(password)
		if password == "" {
			open = nil
		}
		opened, err := OpenEncrypted(t.Context(), bytes.NewReader(b.Bytes()), open, Options{}, DefaultLimits())
		refused, ok := errors.AsType[*Refusal](err)
		switch {
		case want != "":
			if !ok || refused.Code != want || refused.MessageJA == "" || strings.Contains(refused.Message, "wrong") {
				t.Errorf("%q: %v, want %s", password, err, want)
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		s, err := opened.Next()
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := s.Read(); err != nil || string(rec.Cells[0]) != "secret" {
			t.Error(rec, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Nothing of a rejected row is lost: what has no place of its own stands behind the others.
func TestRawOfRejectedRows(t *testing.T) {
	t.Parallel()
	for cells, want := range map[string]string{
		`<c r="A2"><v>1</v></c><c r="C2"><v>3</v></c><c r="E2"><v>5</v></c>`:                         "1\t\t3\t\t5",
		`<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c><c r="B2"><v>3</v></c>`:                         "1\t3\nA2\t2",
		`<c r="B2"><v>2</v></c><c r="B9"><v>9</v></c><c r="?"><v>0</v></c>`:                          "\t2\n\t9\n\t0",
		`<c r="A2" t="s"><v>77</v></c><c r="B2"><v>2</v></c>`:                                        "77\t2",
		`<c r="A2" t="str"><v>x_x0000_</v></c>`:                                                      "x\x00",
		`<c r="A2" t="inlineStr"><is><t>_xD800_</t></is></c>`:                                        "\xed\xa0\x80",
		`<c r="A2" t="str"><v>a</v></c><c r="D2" t="str"><v>d</v></c><c r="D2" t="str"><v>e</v></c>`: "a\t\t\td\nD2\te",
	} {
		content := pack(t, parts(text(1, "a", "b")+`<row r="2">`+cells+`</row>`, nil))
		rejects := 0
		err := eachRecord(t.Context(), []byte(content), Options{}, DefaultLimits(), func(_ *Sheet, rec *Record) {
			if rec.Kind != Reject {
				return
			}
			rejects++
			if string(rec.Raw) != want || rec.Offset != -1 || rec.Line != 0 {
				t.Errorf("%s: %q at %d, line %d; want %q", cells, rec.Raw, rec.Offset, rec.Line, want)
			}
		})
		if err != nil || rejects != 1 {
			t.Errorf("%s: %d rejects, %v", cells, rejects, err)
		}
	}
}

// What was read and may mean something else is counted, and its first cells are named.
func TestWarnings(t *testing.T) {
	t.Parallel()
	styles := xmlHead + `<styleSheet ` + mainNS + `><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
	relations := relsHead + `<Relationship Id="rId1" Type="` + relType + `worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relType + `styles" Target="styles.xml"/></Relationships>`
	rows := text(1, "a", "b")
	for no := 2; no < 10; no++ {
		rows += strings.ReplaceAll(`<row r="N"><c r="AN"><f>B1</f></c><c r="BN"><v>1</v></c></row>`, "N", string(rune('0'+no)))
	}
	rows += `<row r="10"><c r="B10" s="1"><v>-1</v></c></row>`
	content := pack(t, parts(rows, map[string]string{"xl/styles.xml": styles, "xl/_rels/workbook.xml.rels": relations}))
	var last *Sheet
	loaded := 0
	err := eachRecord(t.Context(), []byte(content), Options{}, DefaultLimits(), func(s *Sheet, rec *Record) {
		last = s
		if rec.Kind == Row && (rec.Cells[0] != nil || rec.Cells[1] == nil) {
			t.Errorf("row %d: %q", rec.No, rec.Cells)
		}
		if rec.Kind == Row {
			loaded++
		}
	})
	if err != nil || loaded != 9 {
		t.Fatal(loaded, err)
	}
	got := last.Warnings()
	if len(got) != 2 || got[0].Code != NoCachedValue || got[0].Count != 8 || !slices.Equal(got[0].Refs, []string{"A2", "A3", "A4", "A5", "A6"}) ||
		got[1].Code != NoDate || got[1].Count != 1 || !slices.Equal(got[1].Refs, []string{"B10"}) {
		t.Errorf("got %+v", got)
	}
}

// Options that say something of workbooks are read as those of texts are.
func TestWorkbookOptions(t *testing.T) {
	t.Parallel()
	got, err := ParseOptions(map[string][]string{"sheet": {"auto"}, "hidden": {"true"}, "fill_down": {"1"}})
	if err != nil || got.Sheet != "auto" || !got.Hidden || !got.FillDown {
		t.Errorf("got %+v, %v", got, err)
	}
	var stored Options
	if err := stored.UnmarshalJSON([]byte(`{"sheet":"tab","hidden":true}`)); err != nil || stored.Sheet != "tab" || !stored.Hidden || stored.FillDown {
		t.Errorf("got %+v, %v", stored, err)
	}
	for name, value := range map[string]string{"sheet": strings.Repeat("x", maxSheetName+1), "hidden": "perhaps", "fill_down": "2"} {
		if _, err := ParseOptions(map[string][]string{name: {value}}); err == nil {
			t.Errorf("%s=%s is no error", name, value)
		}
	}
}
