package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"sheetdrop/internal/sheet/decrypt"
	"sheetdrop/internal/sheet/grid"
)

const oneCell = `<row r="1"><c r="A1"><v>1</v></c></row>`

var oneCellRead = []string{"1 A=1:number"}

func TestSheets(t *testing.T) {
	t.Parallel()
	sheets := `<sheets><sheet name="A &amp; B" sheetId="7" r:id="rId1"/><sheet name="チャート" sheetId="2" r:id="c"/>` +
		`<sheet name="hidden" sheetId="3" state="hidden" r:id="h"/><sheet name="very" sheetId="4" state="veryHidden" r:id="v"/>` +
		`<sheet name="dialog" sheetId="5" r:id="d"/><sheet name="macro" sheetId="6" r:id="m"/><sheet name="lost" sheetId="8" r:id="none"/></sheets>`
	relations := ""
	for id, kind := range map[string]string{"c": "chartsheet", "h": "worksheet", "v": "worksheet", "d": "dialogsheet", "m": "xlMacrosheet"} {
		relations += `<Relationship Id="` + id + `" Type="` + officeRelations + "/" + kind + `" Target="worksheets/` + id + `.xml"/>`
	}
	file := workbookOf(oneCell, nil).with(
		"xl/workbook.xml", `<workbook xmlns="`+mainNamespace+`" xmlns:r="`+officeRelations+`">`+sheets+`<definedNames><definedName name="sheet">x</definedName></definedNames></workbook>`,
		"xl/_rels/workbook.xml.rels", strings.Replace(bookRelations, "</Relationships>", relations+"</Relationships>", 1),
		"xl/worksheets/h.xml", sheetOf(`<row r="2"><c r="B2"><v>2</v></c></row>`))
	b, err := openBytes(t, file.zip(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []grid.Sheet{
		{Number: 1, Name: "A & B", Kind: grid.Worksheet, Visibility: grid.Visible}, {Number: 2, Name: "チャート", Kind: grid.Chartsheet, Visibility: grid.Visible}, {Number: 3, Name: "hidden", Kind: grid.Worksheet, Visibility: grid.Hidden}, {Number: 4, Name: "very", Kind: grid.Worksheet, Visibility: grid.VeryHidden},
		{Number: 5, Name: "dialog", Kind: grid.Dialogsheet, Visibility: grid.Visible}, {Number: 6, Name: "macro", Kind: grid.Macrosheet, Visibility: grid.Visible}, {Number: 7, Name: "lost", Kind: grid.Worksheet, Visibility: grid.Visible},
	}
	if got := b.Sheets(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, err := dump(b, 3); err != nil || !slices.Equal(got, []string{"2 B=2:number"}) {
		t.Errorf("hidden sheet: %q, %v", got, err)
	}
	if got, err := dump(b, 1); err != nil || !slices.Equal(got, oneCellRead) {
		t.Errorf("first sheet after the third: %q, %v", got, err)
	}
	for _, number := range []int{4, 7} {
		if _, err := b.Rows(number); codeOf(err) != grid.DamagedFile {
			t.Errorf("sheet %d: %v", number, err)
		}
	}
	for _, number := range []int{0, 2, 8} {
		if _, err := b.Rows(number); err == nil || codeOf(err) != "" {
			t.Errorf("sheet %d, which is no worksheet: %v", number, err)
		}
	}
}

// Workbooks that other programs write, and that Excel opens, are read.
func TestOddPackages(t *testing.T) {
	t.Parallel()
	base := workbookOf(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, []string{"<si><t>x</t></si>"}, "14")
	renamed := func(from, to string, f files) files {
		f = slices.Clone(f)
		for i := range f {
			f[i].name = strings.ReplaceAll(f[i].name, from, to)
		}
		return f
	}
	replaced := func(part, from, to string) files {
		for _, p := range base {
			if p.name == part {
				return base.with(part, strings.ReplaceAll(p.text, from, to))
			}
		}
		return nil
	}
	prefixed := strings.NewReplacer("</", "</x:", "<?", "<?", "<", "<x:", `xmlns="`, `xmlns:x="`)
	inUTF16 := func(s string) string { return "\xff\xfe" + string(utf16LE(s)) }
	everywhere := func(change func(string) string) files {
		f := slices.Clone(base)
		for i := range f {
			f[i].text = change(f[i].text)
		}
		return f
	}
	for name, f := range map[string]files{
		"plain":              base,
		"backslashes":        renamed("/", `\`, base),
		"leading slashes":    renamed("xl/", "/xl/", base),
		"other case":         renamed("sheet1", "Sheet1", renamed("xl/", "XL/", base)),
		"absolute target":    replaced("xl/_rels/workbook.xml.rels", `"worksheets/`, `"/xl/worksheets/`),
		"dots in a target":   replaced("xl/_rels/workbook.xml.rels", `"worksheets/`, `"./../xl/worksheets/`),
		"target backslashes": replaced("xl/_rels/workbook.xml.rels", `worksheets/`, `worksheets\`),
		"target escaped":     replaced("xl/_rels/workbook.xml.rels", `worksheets/`, `worksheets%2F`),
		"strict": everywhere(func(s string) string {
			s = strings.ReplaceAll(s, officeRelations, "http://purl.oclc.org/ooxml/officeDocument/relationships")
			return strings.ReplaceAll(s, mainNamespace, "http://purl.oclc.org/ooxml/spreadsheetml/main")
		}),
		"prefixes":        everywhere(prefixed.Replace),
		"UTF-16":          everywhere(inUTF16),
		"byte order mark": everywhere(func(s string) string { return "\ufeff" + s }),
		"no root relations": slices.DeleteFunc(slices.Clone(base), func(p struct{ name, text string }) bool {
			return p.name == "_rels/.rels"
		}),
		"no relation to the strings": replaced("xl/_rels/workbook.xml.rels", "/sharedStrings\"", "/forgotten\""),
		"moved workbook": renamed("xl/", "data/", base).with("_rels/.rels", strings.Replace(rootRelations, "xl/", "data/", 1),
			"data/_rels/workbook.xml.rels", bookRelations),
		"a part twice that nobody reads": append(slices.Clone(base), base[0]),
		"folders":                        append(files{{"xl/", ""}, {"xl/worksheets/", ""}}, base...),
		"no styles": slices.DeleteFunc(slices.Clone(base), func(p struct{ name, text string }) bool {
			return p.name == "xl/styles.xml"
		}).with("xl/_rels/workbook.xml.rels", strings.Replace(bookRelations, "styles", "x", 1)),
		"external strings": base.with("xl/_rels/workbook.xml.rels", strings.Replace(bookRelations, "</Rel",
			`<Relationship Id="e" TargetMode="External" Type="`+officeRelations+`/sharedStrings" Target="http://localhost/a.xml"/></Rel`, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := read(t, f.zip(t), Options{})
			if err != nil || !slices.Equal(got, []string{"1 A=x"}) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	base := workbookOf(oneCell, nil)
	small := base.zip(t)
	without := func(name string) files {
		return slices.DeleteFunc(slices.Clone(base), func(p struct{ name, text string }) bool { return p.name == name })
	}
	const sheet1 = "xl/worksheets/sheet1.xml"
	for name, c := range map[string]struct {
		file []byte
		code grid.Code
		says string
	}{
		"empty":            {nil, grid.UnsupportedFormat, "not an Excel workbook"},
		"short":            {[]byte("PK"), grid.UnsupportedFormat, "not an Excel workbook"},
		"text":             {[]byte("a,b,c\n1,2,3\n"), grid.UnsupportedFormat, "not an Excel workbook"},
		"cut in half":      {small[:len(small)/2], grid.DamagedFile, "zip"},
		"no parts":         {files{}.zip(t), grid.PlainArchive, "a zip archive"},
		"any zip":          {files{{"a.csv", "1,2"}}.zip(t), grid.PlainArchive, "a zip archive"},
		"word":             {files{{"word/document.xml", "<a/>"}}.zip(t), grid.UnsupportedFormat, "Word"},
		"powerpoint":       {files{{"ppt/presentation.xml", "<a/>"}}.zip(t), grid.UnsupportedFormat, "PowerPoint"},
		"ods":              {files{{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}}.zip(t), grid.UnsupportedFormat, "OpenDocument"},
		"odt":              {files{{"mimetype", "application/vnd.oasis.opendocument.text"}}.zip(t), grid.UnsupportedFormat, "OpenDocument file"},
		"epub":             {files{{"mimetype", "application/epub+zip"}}.zip(t), grid.UnsupportedFormat, "some document"},
		"no XML":           {without("xl/workbook.xml").with("xl/workbook.bin", "x").zip(t), grid.DamagedFile, "sheets"},
		"no workbook":      {without("xl/workbook.xml").zip(t), grid.DamagedFile, "sheets"},
		"no relations":     {without("xl/_rels/workbook.xml.rels").zip(t), grid.DamagedFile, "workbook.xml.rels"},
		"no sheet":         {base.with("xl/workbook.xml", "<workbook/>").zip(t), grid.DamagedFile, "sheet"},
		"no worksheet":     {without(sheet1).zip(t), grid.DamagedFile, sheet1},
		"two worksheets":   {append(slices.Clone(base), struct{ name, text string }{"XL/worksheets/Sheet1.xml", sheetOf("")}).zip(t), grid.DamagedFile, "two parts"},
		"two workbooks":    {append(slices.Clone(base), base[2]).zip(t), grid.DamagedFile, "two parts"},
		"sheet breaks off": {base.with(sheet1, strings.TrimSuffix(sheetOf(oneCell), "</worksheet>")).zip(t), grid.DamagedFile, sheet1},
		"end tag missing":  {base.with(sheet1, sheetOf(`<row r="1"><c r="A1"><v>1</c></row>`)).zip(t), grid.DamagedFile, sheet1},
		"sheet is empty":   {base.with(sheet1, "").zip(t), grid.DamagedFile, sheet1},
		"entity bomb":      {base.with(sheet1, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`+sheetOf(oneCell)).zip(t), grid.DamagedFile, "document type"},
		"unknown entity":   {base.with(sheet1, sheetOf(`<row r="1"><c r="A1" t="str"><v>&bomb;</v></c></row>`)).zip(t), grid.DamagedFile, "entity"},
		"attribute":        {base.with(sheet1, sheetOf(`<row r="1"><c r=C1><v>1</v></c></row>`)).zip(t), grid.DamagedFile, "attributes"},
		"row's attribute":  {base.with(sheet1, sheetOf(`<row r=9><c><v>1</v></c></row>`)).zip(t), grid.DamagedFile, "attributes"},
		"strings":          {base.with("xl/sharedStrings.xml", "<sst><si></sst>").zip(t), grid.DamagedFile, "sharedstrings"},
		"styles":           {base.with("xl/styles.xml", "<styleSheet>").zip(t), grid.DamagedFile, "styles"},
		"wrong checksum":   {raw(t, base, sheet1, func(h *zip.FileHeader, _ []byte) { h.CRC32++ }), grid.DamagedFile, sheet1},
		"larger than said": {raw(t, base, sheet1, func(h *zip.FileHeader, _ []byte) { h.UncompressedSize64-- }), grid.DamagedFile, sheet1},
		"less than said":   {raw(t, base, sheet1, func(h *zip.FileHeader, _ []byte) { h.UncompressedSize64++ }), grid.DamagedFile, sheet1},
		"broken data":      {raw(t, base, sheet1, func(_ *zip.FileHeader, data []byte) { data[len(data)/2] ^= 0xFF }), grid.DamagedFile, sheet1},
		"unknown method":   {raw(t, base, sheet1, func(h *zip.FileHeader, _ []byte) { h.Method = 99 }), grid.DamagedFile, sheet1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := read(t, c.file, Options{})
			if codeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %s and %q", err, c.code, c.says)
			}
		})
	}
}

// raw writes a zip archive whose entry of that name says or holds something else than is true.
func raw(t *testing.T, f files, name string, change func(h *zip.FileHeader, data []byte)) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range f {
		h := &zip.FileHeader{Name: p.name, CRC32: crc32.ChecksumIEEE([]byte(p.text)), CompressedSize64: uint64(len(p.text)), UncompressedSize64: uint64(len(p.text))}
		data := []byte(p.text)
		if p.name == name {
			change(h, data)
		}
		part, err := w.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// failing is a source that works up to a byte.
type failing struct {
	*bytes.Reader
	from int64
	err  error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, f.err
	}
	return f.Reader.ReadAt(p, off)
}

// A broken disk or network is never taken for a broken file, wherever it breaks, even if its error looks like the end of the file.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat(`<row><c t="s"><v>0</v></c><c><v>0.123456789</v></c></row>`, 1000)
	file := workbookOf(rows, []string{"<si><t>x</t></si>"}).zip(t)
	for _, file := range [][]byte{file, encrypted(t, "secret")} {
		for from := 0; from < len(file); from += 211 {
			for _, broken := range []error{fs.ErrPermission, io.EOF, io.ErrUnexpectedEOF} {
				b, err := Open(failing{bytes.NewReader(file), int64(from), broken}, int64(len(file)), Options{Limits: grid.DefaultLimits(), Decrypt: decrypt.With("secret")})
				if err == nil {
					_, err = dump(b, 1)
				}
				want := broken
				if broken == io.EOF { //nolint:errorlint // the very value
					want = io.ErrUnexpectedEOF
				}
				if !errors.Is(err, want) || codeOf(err) != "" {
					t.Fatalf("from byte %d: %v, want %v", from, err, want)
				}
			}
		}
	}
}

// held is a source that keeps whoever reads the block at an offset waiting, once it is told to.
type held struct {
	*bytes.Reader
	at      int64
	release chan struct{}
}

func (h *held) ReadAt(p []byte, off int64) (int, error) {
	if h.release != nil && off == h.at {
		<-h.release
	}
	return h.Reader.ReadAt(p, off)
}

// The caller may close its file behind Close: nobody reads it any more.
func TestCloseWaitsForTheSource(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat(`<row><c><v>0.123456789</v></c></row>`, 5*sourceBlock/36)
	content := workbookOf(rows, nil).zip(t, zip.Store)
	synctest.Test(t, func(t *testing.T) {
		src := &held{Reader: bytes.NewReader(content), at: 2 * sourceBlock, release: make(chan struct{})}
		b, err := Open(src, int64(len(content)), Options{Limits: grid.DefaultLimits()})
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := b.Rows(1)
		for i := 0; err == nil && i < 6*sourceBlock/5/36; i++ { // into the second block, so that the third is asked for
			_, err = sheet.Next()
		}
		if err != nil {
			t.Fatal(err)
		}
		closed := false
		go func() { err, closed = b.Close(), true }()
		synctest.Wait()
		if closed {
			t.Error("Close did not wait for the block that was asked for")
		}
		close(src.release)
		synctest.Wait()
		if !closed || err != nil {
			t.Error("Close did not end:", err)
		}
	})
}

// sourceBlock is how much of a file package container reads at once.
const sourceBlock = 1 << 20
