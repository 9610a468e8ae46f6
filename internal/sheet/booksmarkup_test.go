package sheet

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/grid"
)

// mergedAt returns the merged range that has the cell, and whether another cell of it has the value.
func mergedAt(merged []grid.Range, column int, row int64) (m grid.Range, covered bool) {
	for _, m := range merged {
		if m.Left <= column && column <= m.Right && m.Top <= row && row <= m.Bottom {
			return m, m.Left != column || m.Top != row
		}
	}
	return grid.Range{Left: column, Right: column, Top: row, Bottom: row}, false
}

// writeHTML writes the sheet as a page.
func (b drawnBook) writeHTML() string {
	merged := b.merged()
	var out strings.Builder
	out.WriteString("<html><body><table>")
	for r, row := range b.rows {
		out.WriteString("<tr>")
		for c, cell := range row {
			m, covered := mergedAt(merged, c+1, int64(r+1))
			if covered {
				continue
			}
			tag, attributes := "td", ""
			switch b.style(r, c) {
			case boldStyle:
				tag = "th"
			case filledStyle:
				attributes = ` bgcolor="#ddebf7"`
			}
			text, _, _, _ := drawnCell(cell)
			fmt.Fprintf(&out, `<%s colspan="%d" rowspan="%d"%s>%s</%s>`, tag, m.Right-m.Left+1, m.Bottom-m.Top+1, attributes, html.EscapeString(text), tag)
		}
		out.WriteString("</tr>")
	}
	return out.String() + "</table></body></html>"
}

// writeXML writes the sheet in Excel's XML of 2003.
func (b drawnBook) writeXML() string {
	merged := b.merged()
	var out strings.Builder
	out.WriteString(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles>` +
		`<Style ss:ID="bold"><Font ss:Bold="1"/></Style><Style ss:ID="s1" ss:Parent="bold"/><Style ss:ID="s2"><Interior ss:Color="#DDEBF7" ss:Pattern="Solid"/></Style>` +
		`<Style ss:ID="s3"><Interior ss:Color="#FFFFFF" ss:Pattern="Solid"/></Style>` +
		`<Style ss:ID="day"><NumberFormat ss:Format="Short Date"/></Style></Styles><Worksheet ss:Name="Sheet1"><Table>`)
	for r, row := range b.rows {
		fmt.Fprintf(&out, `<Row ss:Index="%d">`, r+1)
		for c, cell := range row {
			m, covered := mergedAt(merged, c+1, int64(r+1))
			if cell == "" || covered {
				continue
			}
			kind, style := "String", map[int]string{boldStyle: "s1", filledStyle: "s2", whiteStyle: "s3"}[b.style(r, c)]
			text, number, isNumber, isDay := drawnCell(cell)
			if isDay {
				style, kind, text = "day", "DateTime", text+"T00:00:00.000"
			}
			if isNumber {
				kind, text = "Number", strconv.FormatFloat(number, 'g', -1, 64)
			}
			fmt.Fprintf(&out, `<Cell ss:Index="%d" ss:MergeAcross="%d" ss:MergeDown="%d" ss:StyleID="%s"><Data ss:Type="%s">%s</Data></Cell>`,
				c+1, m.Right-m.Left, m.Bottom-m.Top, style, kind, html.EscapeString(text))
		}
		out.WriteString("</Row>")
	}
	return out.String() + "</Table></Worksheet></Workbook>"
}
