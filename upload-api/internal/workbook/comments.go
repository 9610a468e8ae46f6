package workbook

import "fmt"

// MaxComments is how many comments a sheet can have: they are kept until its end, and Excel becomes slow with more.
const MaxComments = 2000

// note is a comment, of a cell at a column and a row from 0.
type note struct {
	column, row int
	text        string
}

// Comment adds a comment to the cell that was written last, and reports whether the sheet can have it.
func (w *Writer) Comment(text string) bool {
	if len(w.notes) == MaxComments {
		return false
	}
	w.notes = append(w.notes, note{w.column - 1, w.row - 1, firstUnits(text, MaxText)})
	return true
}

// writeNotes writes the comments of the sheet that has just ended: their texts, and their shapes, without which Excel shows none.
func (w *Writer) writeNotes() {
	no := len(w.sheets)
	w.noted[no-1] = true
	w.file(fmt.Sprintf("xl/worksheets/_rels/sheet%d.xml.rels", no), fmt.Sprintf(relationsXML, fmt.Sprintf(
		`<Relationship Id="rId1" Type="%[1]s/vmlDrawing" Target="../drawings/vmlDrawing%[2]d.vml"/>`+
			`<Relationship Id="rId2" Type="%[1]s/comments" Target="../comments%[2]d.xml"/>`, relationType, no)))
	w.begin(fmt.Sprintf("xl/comments%d.xml", no))
	w.write(`<comments xmlns="` + mainSpace + `"><authors><author>sheetdrop</author></authors><commentList>`)
	for _, n := range w.notes {
		w.write(`<comment ref="` + Reference(n.column, n.row+1) + `" authorId="0"><text><t xml:space="preserve">`)
		w.write(string(appendText(nil, n.text)))
		w.write(`</t></text></comment>`)
	}
	w.write(`</commentList></comments>`)
	w.flush()
	w.begin(fmt.Sprintf("xl/drawings/vmlDrawing%d.vml", no))
	w.write(`<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">` +
		`<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>`)
	for i, n := range w.notes {
		w.write(fmt.Sprintf(`<v:shape id="_x0000_s%d" type="#_x0000_t202" style="position:absolute;width:240pt;height:80pt;visibility:hidden" `+
			`fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/>`+
			`<x:SizeWithCells/><x:AutoFill>False</x:AutoFill><x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape>`,
			1025+i, n.row, n.column))
	}
	w.write(`</xml>`)
	w.flush()
}
