package testbed

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Columns is how many columns all files have.
const Columns = 10

var (
	header = []string{"id", "code", "name", "price", "quantity", "day", "at", "active", "note", "share"}
	names  = []string{"㈱髙橋商店", "Müller GmbH", "Acme Ltd.", "佐々木製作所", "Schäfer & Söhne", "みどり薬局", "Weiß KG"}
	notes  = []string{"", "", "urgent", "deliver before noon, please", "前回と同じ", "a note of some length, as people write them"}
)

// appendCells appends the cells of the n-th row: numbers, dates, codes, names, texts, some of which have commas. -1 is the header.
func appendCells(cells []string, n int) []string {
	if n < 0 {
		return append(cells, header...)
	}
	return append(cells, strconv.Itoa(n), fmt.Sprintf("A-%06d", n%1_000_000), names[n%len(names)], fmt.Sprintf("%d.50", n%100_000),
		strconv.Itoa(n%97), fmt.Sprintf("2024-%02d-%02d", n%12+1, n%28+1), fmt.Sprintf("2024-01-%02d 10:%02d:00", n%28+1, n%60),
		strconv.FormatBool(n%3 == 0),
		notes[n%len(notes)], fmt.Sprintf("0.%04d", n%10_000))
}

// CSV makes a file of so many rows and a header, unless it is there, and returns its path.
func (s *Testbed) CSV(rows int) (string, error) {
	return s.file(fmt.Sprintf("rows-%d.csv", rows), func(w io.Writer) error {
		var cells []string
		var line []byte
		for n := -1; n < rows; n++ {
			cells = appendCells(cells[:0], n)
			line = appendCSV(line[:0], cells)
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
}

func appendCSV(line []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			line = append(line, ',')
		}
		if i == 8 { // the note, which may have commas
			line = append(append(append(line, '"'), cell...), '"')
		} else {
			line = append(line, cell...)
		}
	}
	return append(line, '\n')
}

// file makes a file, unless it is there.
func (s *Testbed) file(name string, write func(io.Writer) error) (path string, err error) {
	path = filepath.Join(s.Dir, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	if err := write(buffered); err != nil {
		return "", err
	}
	if err := buffered.Flush(); err != nil {
		return "", err
	}
	return path, f.Close()
}

// Workbook makes an xlsx file of so many rows and a header, with its texts in the table of shared strings or where they stand, and returns
// its path.
func (s *Testbed) Workbook(rows int, shared bool) (string, error) {
	return s.file(fmt.Sprintf("rows-%d-%t.xlsx", rows, shared), func(w io.Writer) error {
		book := zip.NewWriter(w)
		for name, content := range workbookParts {
			if err := writePart(book, name, func(w io.Writer) { fmt.Fprint(w, content) }); err != nil {
				return err
			}
		}
		texts := sharedTexts{numbers: map[string]int{}}
		err := writePart(book, "xl/worksheets/sheet1.xml", func(w io.Writer) { writeSheet(w, rows, shared, &texts) })
		if err == nil {
			err = writePart(book, "xl/sharedStrings.xml", texts.write)
		}
		if err != nil {
			return err
		}
		return book.Close()
	})
}

// writePart writes a part of a workbook; what its writer cannot take, Close of the archive reports.
func writePart(book *zip.Writer, name string, write func(io.Writer)) error {
	part, err := book.Create(name)
	if err == nil {
		write(part)
	}
	return err
}

const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	mainSpace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relations = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	typesOf   = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
)

// workbookParts are what stands around the sheet.
var workbookParts = map[string]string{
	"[Content_Types].xml": xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + typesOf + `sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + typesOf + `worksheet+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="` + typesOf + `sharedStrings+xml"/></Types>`,
	"_rels/.rels": xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	"xl/workbook.xml": xmlHead + `<workbook ` + mainSpace + ` xmlns:r="` + relations + `"><sheets><sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relations + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
}

// sharedTexts are the texts of a workbook, each once.
type sharedTexts struct {
	numbers map[string]int
	list    []string
}

func (t *sharedTexts) number(s string) int {
	n, known := t.numbers[s]
	if !known {
		n = len(t.list)
		t.numbers[s], t.list = n, append(t.list, s)
	}
	return n
}

func (t *sharedTexts) write(w io.Writer) {
	fmt.Fprint(w, xmlHead+`<sst `+mainSpace+`>`)
	for _, s := range t.list {
		fmt.Fprintf(w, "<si><t>%s</t></si>", escaped(s))
	}
	fmt.Fprint(w, "</sst>")
}

// escaped is for the texts of these files, of which one has an ampersand.
func escaped(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] == '&' {
			out = append(out, "&amp;"...)
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// writeSheet writes a header and rows: columns of numbers as numbers, the others as texts.
func writeSheet(w io.Writer, rows int, shared bool, texts *sharedTexts) {
	fmt.Fprint(w, xmlHead+`<worksheet `+mainSpace+`><sheetData>`)
	out := bufio.NewWriterSize(w, 1<<20)
	var cells []string
	for n := -1; n < rows; n++ {
		cells = appendCells(cells[:0], n)
		fmt.Fprintf(out, `<row r="%d">`, n+2)
		for i, cell := range cells {
			at := string(rune('A'+i)) + strconv.Itoa(n+2)
			switch number := n >= 0 && (i == 0 || i == 3 || i == 4 || i == 9); {
			case cell == "":
			case number:
				fmt.Fprintf(out, `<c r="%s"><v>%s</v></c>`, at, cell)
			case shared:
				fmt.Fprintf(out, `<c r="%s" t="s"><v>%d</v></c>`, at, texts.number(cell))
			default:
				fmt.Fprintf(out, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, escaped(cell))
			}
		}
		fmt.Fprint(out, `</row>`)
	}
	out.Flush()
	fmt.Fprint(w, `</sheetData></worksheet>`)
}
