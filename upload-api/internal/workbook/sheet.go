package workbook

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// BeginSheet begins a worksheet whose first row stays in view.
func (w *Writer) BeginSheet(name string, columns []Column) {
	w.sheets = append(w.sheets, sheetName(name, w.sheets))
	w.row, w.notes = 0, nil
	w.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.sheets)))
	selected := ""
	if len(w.sheets) == 1 {
		selected = ` tabSelected="1"`
	}
	w.write(`<worksheet xmlns="` + mainSpace + `" xmlns:r="` + relationType + `"><sheetViews><sheetView` + selected + ` workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`)
	for i, c := range columns {
		if i == 0 {
			w.write(`<cols>`)
		}
		hidden := ""
		if c.Hidden {
			hidden = ` hidden="1"`
		}
		w.write(fmt.Sprintf(`<col min="%d" max="%d" width="%d" customWidth="1" style="%d"%s/>`, i+1, i+1, c.Width, c.Style, hidden))
	}
	if len(columns) > 0 {
		w.write(`</cols>`)
	}
	w.write(`<sheetData>`)
}

// EndSheet ends the worksheet and writes its comments.
func (w *Writer) EndSheet() error {
	w.write(`</sheetData>`)
	if w.row > 0 { // numbers that are kept as text are no mistake
		w.write(fmt.Sprintf(`<ignoredErrors><ignoredError sqref="A1:%s" numberStoredAsText="1"/></ignoredErrors>`, Reference(max(1, len(w.names))-1, w.row)))
	}
	if len(w.notes) > 0 {
		w.write(`<legacyDrawing r:id="rId1"/>`)
	}
	w.write(`</worksheet>`)
	w.flush()
	if len(w.notes) > 0 {
		w.writeNotes()
	}
	return w.err
}

// BeginRow begins the sheet's next row and returns its number, from 1.
func (w *Writer) BeginRow() int {
	w.row++
	w.column = 0
	w.cells = append(strconv.AppendInt(append(w.cells[:0], `<row r="`...), int64(w.row), 10), `">`...)
	return w.row
}

// EndRow writes the row.
func (w *Writer) EndRow() {
	w.cells = append(w.cells, `</row>`...)
	if w.err == nil {
		_, w.err = w.part.Write(w.cells)
	}
}

// Skip leaves a cell empty.
func (w *Writer) Skip() { w.column++ }

// Blank writes a cell that has a style and no value.
func (w *Writer) Blank(style int) {
	w.open(style, "")
	w.cells = append(w.cells, `</c>`...)
}

// Number writes a number: decimal digits with a point and perhaps an exponent, of which Excel keeps 15 significant ones.
func (w *Writer) Number(style int, digits []byte) {
	w.open(style, "")
	w.cells = append(append(append(w.cells, `<v>`...), digits...), `</v></c>`...)
}

// Bool writes TRUE or FALSE.
func (w *Writer) Bool(style int, value bool) {
	w.open(style, ` t="b"`)
	digit := byte('0')
	if value {
		digit = '1'
	}
	w.cells = append(append(append(w.cells, `<v>`...), digit), `</v></c>`...)
}

// Text writes a text, and reports whether it had to be shortened: at MaxText, with … as its last character.
func (w *Writer) Text(style int, text string) (shortened bool) {
	if len(text) > MaxText {
		text, shortened = shorten(text)
	}
	w.open(style, ` t="inlineStr"`)
	w.cells = append(w.cells, `<is><t xml:space="preserve">`...)
	w.cells = appendText(w.cells, text)
	w.cells = append(w.cells, `</t></is></c>`...)
	return shortened
}

// open begins a cell.
func (w *Writer) open(style int, kind string) {
	for len(w.names) <= w.column {
		w.names = append(w.names, columnName(len(w.names)))
	}
	w.cells = append(append(w.cells, `<c r="`...), w.names[w.column]...)
	w.cells = strconv.AppendInt(w.cells, int64(w.row), 10)
	w.cells = append(w.cells, '"')
	if style > 0 {
		w.cells = append(strconv.AppendInt(append(w.cells, ` s="`...), int64(style), 10), '"')
	}
	w.cells = append(append(w.cells, kind...), '>')
	w.column++
}

// shorten cuts a text, of more bytes than a cell may have units, to the units that a cell may have.
func shorten(text string) (string, bool) {
	units, cut := 0, 0
	for i, r := range text {
		if units < MaxText {
			cut = i
		}
		if units += utf16.RuneLen(r); units > MaxText {
			return text[:cut] + "…", true
		}
	}
	return text, false
}

// Reference returns a cell's reference, such as B5, of its column, from 0, and its row, from 1.
func Reference(column, row int) string { return columnName(column) + strconv.Itoa(row) }

// columnName returns A for 0, AA for 26.
func columnName(column int) string {
	if column < 26 {
		return string(rune('A' + column))
	}
	return columnName(column/26-1) + string(rune('A'+column%26))
}

// maxSheetName is in characters.
const maxSheetName = 31

// sheetName returns a name that Excel accepts and that no earlier sheet has, in whatever case.
func sheetName(name string, taken []string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`[]:*?/\`, r) {
			return '_'
		}
		return r
	}, name), "'")
	if strings.TrimSpace(name) == "" || strings.EqualFold(name, "History") {
		name = "Sheet" + name
	}
	for n := 1; ; n++ {
		suffix := ""
		if n > 1 {
			suffix = fmt.Sprintf(" (%d)", n)
		}
		if free := firstUnits(name, maxSheetName-len(suffix)) + suffix; !containsFold(taken, free) {
			return free
		}
	}
}

// firstUnits returns the beginning of a text that has at most so many UTF-16 units.
func firstUnits(text string, units int) string {
	for i, r := range text {
		if units -= utf16.RuneLen(r); units < 0 {
			return text[:i]
		}
	}
	return text
}

func containsFold(list []string, name string) bool {
	for _, other := range list {
		if strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

// SheetName returns the name of the sheet that was begun last.
func (w *Writer) SheetName() string { return w.sheets[len(w.sheets)-1] }
