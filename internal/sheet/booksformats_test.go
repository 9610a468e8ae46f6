package sheet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"sheetdrop/internal/sheet/grid"
)

// isDrawnAlone reports whether the sheet has nothing but what each program has, cells, merged ones, bold and coloured ones, and what these
// words say.
func (b drawnBook) isDrawnAlone(also ...string) bool {
	known := append([]string{"merge", "bold", "fill", "white"}, also...)
	return !slices.ContainsFunc(b.told, func(told string) bool {
		word, _, _ := strings.Cut(told, " ")
		return !slices.Contains(known, word)
	})
}

// levels returns how deep each row is grouped: a group raises its rows by one.
func (b drawnBook) levels() map[int]int {
	levels := map[int]int{}
	for _, told := range b.told {
		if rows, ok := strings.CutPrefix(told, "group "); ok {
			from, to, _ := strings.Cut(rows, ":")
			first, _ := strconv.Atoi(from)
			last, _ := strconv.Atoi(to)
			for row := first; row <= last; row++ {
				levels[row]++
			}
		}
	}
	return levels
}

// merged returns the merged ranges.
func (b drawnBook) merged() (list []grid.Range) {
	for _, told := range b.told {
		if word, rest, _ := strings.Cut(told, " "); word == "merge" {
			area, _ := grid.ParseRange(rest)
			list = append(list, area)
		}
	}
	return list
}

// looks are the words for how cells look, with the numbers of their styles.
var looks = map[string]int{"bold": boldStyle, "fill": filledStyle, "white": whiteStyle, "indent": indentedStyle, "share": shareStyle}

// styledColumns is how many columns of a row are bold or coloured, where a whole row is.
const styledColumns = 8

// styled returns the cells that look so: those of a range (fill A2:A8), or of a row (fill 3).
func styled(cells string) grid.Range {
	if area, ok := grid.ParseRange(cells); ok && area.Left > 0 {
		return area
	}
	row, _ := strconv.ParseInt(cells, 10, 64)
	return grid.Range{Left: 1, Right: styledColumns, Top: row, Bottom: row}
}

// style returns the number of the style of the cell in row r and column c, both from 0.
func (b drawnBook) style(r, c int) int {
	style := plainStyle
	for _, told := range b.told {
		word, rest, _ := strings.Cut(told, " ")
		if look, ok := looks[word]; ok {
			if a := styled(rest); a.Left <= c+1 && c+1 <= a.Right && a.Top <= int64(r+1) && int64(r+1) <= a.Bottom {
				style = look
			}
		}
	}
	return style
}

// drawnCell returns a cell's text, and its number or day if it is one.
func drawnCell(cell string) (text string, number float64, isNumber, isDay bool) {
	if day, ok := strings.CutPrefix(cell, "="); ok {
		at, err := time.Parse(time.DateOnly, day)
		return day, at.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24, false, err == nil
	}
	number, err := strconv.ParseFloat(cell, 64)
	return strings.TrimPrefix(cell, "'"), number, err == nil, false
}

// writeFODS writes the sheet as LibreOffice does.
func (b drawnBook) writeFODS() string {
	merged, levels := b.merged(), b.levels()
	var out strings.Builder
	out.WriteString(`<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:automatic-styles>` +
		`<style:style style:name="ce0"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="ce1" style:parent-style-name="ce0"/>` +
		`<style:style style:name="ce2"><style:table-cell-properties fo:background-color="#ddebf7"/></style:style>` +
		`<style:style style:name="ce3"><style:table-cell-properties fo:background-color="#ffffff"/></style:style></office:automatic-styles>` +
		`<office:body><office:spreadsheet><table:table table:name="Sheet1">`)
	for r, row := range b.rows {
		out.WriteString(strings.Repeat("<table:table-row-group>", max(0, levels[r+1]-levels[r])) + "<table:table-row>")
		for c, cell := range row {
			attributes := ""
			switch b.style(r, c) {
			case boldStyle:
				attributes = ` table:style-name="ce1"`
			case filledStyle:
				attributes = ` table:style-name="ce2"`
			case whiteStyle:
				attributes = ` table:style-name="ce3"`
			}
			for _, m := range merged {
				if m.Left == c+1 && m.Top == int64(r+1) {
					attributes += fmt.Sprintf(` table:number-columns-spanned="%d" table:number-rows-spanned="%d"`, m.Right-m.Left+1, m.Bottom-m.Top+1)
				}
			}
			text, number, isNumber, isDay := drawnCell(cell)
			switch {
			case cell == "":
				fmt.Fprintf(&out, "<table:table-cell%s/>", attributes)
			case isDay:
				fmt.Fprintf(&out, `<table:table-cell%s office:value-type="date" office:date-value="%s"/>`, attributes, text)
			case isNumber:
				kind := map[bool]string{true: "percentage", false: "float"}[b.style(r, c) == shareStyle]
				fmt.Fprintf(&out, `<table:table-cell%s office:value-type="%s" office:value="%s"/>`, attributes, kind, strconv.FormatFloat(number, 'g', -1, 64))
			default:
				fmt.Fprintf(&out, `<table:table-cell%s office:value-type="string"><text:p>%s</text:p></table:table-cell>`, attributes, html.EscapeString(text))
			}
		}
		out.WriteString("</table:table-row>" + strings.Repeat("</table:table-row-group>", max(0, levels[r+1]-levels[r+2])))
	}
	return out.String() + "</table:table></office:spreadsheet></office:body></office:document>"
}

// biff is a stream of records in the making ([MS-XLS]).
type biff struct{ bytes.Buffer }

// record appends a record of fields: int is two bytes, uint32 four, float64 eight, and string and []byte as they are.
func (b *biff) record(id int, fields ...any) {
	var data bytes.Buffer
	for _, f := range fields {
		switch v := f.(type) {
		case int:
			data.Write(binary.LittleEndian.AppendUint16(nil, uint16(v)))
		case uint32:
			data.Write(binary.LittleEndian.AppendUint32(nil, v))
		case float64:
			data.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		case string:
			data.WriteString(v)
		}
	}
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(id)))
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(data.Len())))
	b.Write(data.Bytes())
}

// The styles of cells, by their index.
const (
	plainStyle = iota
	boldStyle
	filledStyle
	dayStyle
	whiteStyle
	indentedStyle
	shareStyle
)

// writeXLS writes the sheet as Excel 97 does.
func (b drawnBook) writeXLS() string {
	merged := b.merged()
	const none, wide = uint32(0), "\x01"
	var globals, sheet biff
	style := func(out *biff, font, format int, fill uint32, colour, indent int) {
		out.record(0xE0, font, format, 0, 0, indent, none, fill<<26, colour) // at 14: the pattern of the ground
	}
	const sheetName = "Sheet1"
	write := func(offset int) {
		globals.Reset()
		globals.record(0x809, 0x600, 5, 0, 0, none, none)
		for font := range 6 { // the sixth has number 6, because none has number 4
			weight := 400
			if font == 5 {
				weight = 700
			}
			globals.record(0x31, 200, 0, 0x7FFF, weight, 0, none, "\x05\x00Arial")
		}
		for _, s := range [][5]int{{0, 0, 0}, {6, 0, 0}, {0, 0, 1}, {0, 14, 0}, {0, 0, 1, 9}, {0, 0, 0, 0, 1}, {0, 10, 0}} {
			style(&globals, s[0], s[1], uint32(s[2]), s[3], s[4])
		}
		globals.record(0x85, uint32(offset), 0, string(rune(len(sheetName)))+"\x00"+sheetName)
		globals.record(0x0A)
	}
	write(0)
	write(globals.Len())
	sheet.record(0x809, 0x600, 16, 0, 0, none, none)
	levels := b.levels()
	for r := range b.rows {
		sheet.record(0x208, r, 0, styledColumns, 255, 0, 0, uint32(levels[r+1]))
	}
	for r, row := range b.rows {
		for c, cell := range row {
			index := b.style(r, c)
			text, number, isNumber, isDay := drawnCell(cell)
			switch {
			case cell == "":
			case isDay:
				sheet.record(0x203, r, c, dayStyle, number)
			case isNumber:
				sheet.record(0x203, r, c, index, number)
			default:
				units := utf16.Encode([]rune(text))
				var encoded []byte
				for _, u := range units {
					encoded = binary.LittleEndian.AppendUint16(encoded, u)
				}
				sheet.record(0x204, r, c, index, len(units), wide, string(encoded))
			}
		}
	}
	areas := []any{len(merged)}
	for _, m := range merged {
		areas = append(areas, int(m.Top)-1, int(m.Bottom)-1, m.Left-1, m.Right-1)
	}
	sheet.record(0xE5, areas...)
	sheet.record(0x0A)
	return streamFile("Workbook", append(globals.Bytes(), sheet.Bytes()...))
}

// streamFile returns a compound file with one stream ([MS-CFB]): a header, the tables of sectors, the directory, and the stream.
func streamFile(name string, stream []byte) string {
	const sector, free, end, table = 512, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
	stream = append(stream, make([]byte, max(4096, (len(stream)+sector-1)/sector*sector)-len(stream))...)
	little := binary.LittleEndian
	header := append([]byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}, make([]byte, sector-8)...)
	for at, v := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		little.PutUint16(header[at:], v)
	}
	for at, v := range map[int]uint32{56: 4096, 60: end, 68: end} {
		little.PutUint32(header[at:], v)
	}
	for at := 76; at < sector; at += 4 {
		little.PutUint32(header[at:], free)
	}
	const perTable = sector / 4
	sectors := len(stream) / sector
	tables := 1
	for tables*perTable < tables+1+sectors {
		tables++
	}
	little.PutUint32(header[44:], uint32(tables))
	little.PutUint32(header[48:], uint32(tables))
	for i := range tables {
		little.PutUint32(header[76+4*i:], uint32(i))
	}
	var fat []byte
	for i := range tables * perTable {
		next := uint32(free)
		switch last := tables + sectors; {
		case i < tables:
			next = table
		case i == tables || i == last:
			next = end
		case i < last:
			next = uint32(i + 1)
		}
		fat = little.AppendUint32(fat, next)
	}
	directory := make([]byte, sector)
	entry := func(at int, name string, kind byte, child, start, size uint32) {
		e := directory[at*128:]
		for i, u := range utf16.Encode([]rune(name)) {
			little.PutUint16(e[2*i:], u)
		}
		little.PutUint16(e[64:], uint16(2*len(name)+2))
		e[66], e[67] = kind, 1
		for at, v := range map[int]uint32{68: free, 72: free, 76: child, 116: start, 120: size} {
			little.PutUint32(e[at:], v)
		}
	}
	entry(0, "Root Entry", 5, 1, end, 0)
	entry(1, name, 2, free, uint32(tables+1), uint32(len(stream)))
	return string(slices.Concat(header, fat, directory, stream))
}
