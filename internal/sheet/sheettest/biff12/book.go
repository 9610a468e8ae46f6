package biff12

import (
	"fmt"
	"strings"
)

// Book is a workbook.
type Book struct {
	Sheets   []Sheet
	Styles   []Style // by the numbers of cells' styles; the first one is that of cells without one
	Date1904 bool
	Inline   bool // texts stand in their cells; otherwise they are shared
}

// Style is how cells look.
type Style struct {
	Format int    // the id of the number format
	Code   string // of a format with an id from 164 on
	Bold   bool
	Filled bool
	White  bool // its ground is, which is no colour
	Indent int  // steps
}

// Sheet is a worksheet.
type Sheet struct {
	Name   string
	State  int // 1: hidden, 2: very hidden
	Rows   [][]Cell
	Merged []Area
	Levels map[int]int // how deep rows are grouped, by their numbers
	Tables []Table
	Filter Area // zero: none
	Frozen int  // rows
	Titles [2]int
}

// Cell is a cell. Its value is nil, a float64, a string, a bool or an Error; of a Formula it is the stored result.
type Cell struct {
	Value   any
	Style   int
	Formula bool
}

// Error is the number of an error.
type Error byte

// Area is a range of cells, its rows and columns from 1.
type Area struct{ Top, Bottom, Left, Right int }

// fields returns the area as a record has it.
func (a Area) fields() []any { return []any{a.Top - 1, a.Bottom - 1, a.Left - 1, a.Right - 1} }

// Table is what Excel calls a table, with a header.
type Table struct {
	Area
	Bare   bool // it has no header
	Totals int  // rows
}

const (
	packages  = "http://schemas.openxmlformats.org/package/2006/"
	documents = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	none      = uint32(0xFFFFFFFF)
)

func relation(id int, kind, target string) string {
	return fmt.Sprintf("<Relationship Id=%q Type=%q Target=%q/>", fmt.Sprint("rId", id), documents+kind, target)
}

func relations(list ...string) []byte {
	return []byte("<Relationships xmlns=\"" + packages + "relationships\">" + strings.Join(list, "") + "</Relationships>")
}

// Bytes returns the workbook.
func (b *Book) Bytes() []byte { return Zip(b.Files()) }

// Files returns the parts of the workbook.
func (b *Book) Files() []File {
	var files []File
	var strs sharedStrings
	types := `<Types xmlns="` + packages + `content-types">` +
		`<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
	part := func(name, kind string, content []byte) {
		types += fmt.Sprintf(`<Override PartName="/%s" ContentType="application/vnd.ms-excel.%s"/>`, name, kind)
		files = append(files, File{name, content})
	}
	var links []string
	tables := 0
	for i := range b.Sheets {
		s := &b.Sheets[i]
		links = append(links, relation(i+1, "worksheet", fmt.Sprintf("worksheets/sheet%d.bin", i+1)))
		part(fmt.Sprintf("xl/worksheets/sheet%d.bin", i+1), "worksheet", b.sheet(s, &strs))
		if len(s.Tables) == 0 {
			continue
		}
		var below []string
		for j, t := range s.Tables {
			tables++
			below = append(below, relation(j+1, "table", fmt.Sprintf("../tables/table%d.bin", tables)))
			part(fmt.Sprintf("xl/tables/table%d.bin", tables), "table", s.table(t, tables))
		}
		files = append(files, File{fmt.Sprintf("xl/worksheets/_rels/sheet%d.bin.rels", i+1), relations(below...)})
	}
	part("xl/styles.bin", "styles", b.styles())
	links = append(links, relation(len(b.Sheets)+1, "styles", "styles.bin"))
	if len(strs.list) > 0 {
		part("xl/sharedStrings.bin", "sharedStrings", strs.bytes())
		links = append(links, relation(len(b.Sheets)+2, "sharedStrings", "sharedStrings.bin"))
	}
	return append([]File{
		{"[Content_Types].xml", []byte(types + "</Types>")},
		{"_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.bin"))},
		{"xl/_rels/workbook.bin.rels", relations(links...)},
		{"xl/workbook.bin", b.workbook()},
	}, files...)
}

// workbook returns the list of sheets, and the names of what is filtered and printed.
func (b *Book) workbook() []byte {
	var s Stream
	s.Record(131)
	flags := 0x120
	if b.Date1904 {
		flags |= 1
	}
	s.Record(153, flags, 0x28c0d, 0)
	s.Record(143)
	for i, sheet := range b.Sheets {
		s.Record(156, sheet.State, i+1, fmt.Sprintf("rId%d", i+1), sheet.Name)
	}
	s.Record(144)
	s.Record(353)
	s.Record(357)
	all := []any{len(b.Sheets)}
	for i := range b.Sheets {
		all = append(all, 0, i, i)
	}
	s.Record(362, all...)
	s.Record(354)
	for i, sheet := range b.Sheets {
		if sheet.Filter != (Area{}) {
			s.name(i, "_FilterDatabase", sheet.Filter)
		}
		if sheet.Titles[1] > 0 {
			s.name(i, "Print_Titles", Area{sheet.Titles[0], sheet.Titles[1], 1, 1 << 14})
		}
	}
	s.Record(132)
	return s.Bytes()
}

// name appends a name that Excel itself makes, of a range of that sheet.
func (s *Stream) name(sheet int, name string, a Area) {
	const builtin, area3D, areaBytes = 0x20, byte(0x3B), 15
	s.Record(39, builtin, byte(0), sheet, name,
		areaBytes, area3D, uint16(sheet), a.Top-1, a.Bottom-1, uint16(a.Left-1), uint16(a.Right-1), 0, none)
}

// styles returns the looks of cells: a font and a fill for each.
func (b *Book) styles() []byte {
	list := b.Styles
	if len(list) == 0 {
		list = []Style{{}}
	}
	var s Stream
	s.Record(278)
	var codes Stream
	n := 0
	for _, style := range list {
		if style.Code != "" {
			codes.Record(44, uint16(style.Format), style.Code)
			n++
		}
	}
	if n > 0 {
		s.Record(615, n)
		s.Write(codes.Bytes())
		s.Record(616)
	}
	s.Record(611, len(list))
	for _, style := range list {
		weight := uint16(400)
		if style.Bold {
			weight = 700
		}
		s.Record(43, uint16(220), uint16(0), weight, []byte{0, 0, 0, 2, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0xFF, 2}, "Calibri")
	}
	s.Record(612)
	s.Record(603, len(list)+2)
	for i := range len(list) + 2 { // the first two are Excel's own: none, and a pattern
		pattern, ground := 0, []byte{3, 0x40, 0, 0, 0, 0, 0, 0xFF}
		switch {
		case i == 1:
			pattern = 17
		case i > 1 && list[i-2].Filled:
			pattern, ground = 1, []byte{5, 0xFF, 0, 0, 0xDD, 0xEB, 0xF7, 0xFF}
		case i > 1 && list[i-2].White:
			pattern, ground = 1, []byte{5, 0xFF, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}
		}
		s.Record(45, pattern, ground, []byte{3, 0x41, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}, make([]byte, 48))
	}
	s.Record(604)
	s.Record(613, 1)
	s.Record(46, byte(0), make([]byte, 50))
	s.Record(614)
	s.Record(626, 1)
	s.Record(47, []byte{0xFF, 0xFF}, make([]byte, 10), []byte{0x10, 0x10, 0, 0})
	s.Record(627)
	s.Record(617, len(list))
	for i, style := range list {
		s.Record(47, uint16(0), uint16(style.Format), uint16(i), uint16(i+2), uint16(0), uint16(style.Indent<<8), []byte{0x10, 0x10, 7, 0})
	}
	s.Record(618)
	s.Record(619, 1)
	s.Record(48, 0, uint16(1), []byte{0, 0xFF}, "Normal")
	s.Record(620)
	s.Record(279)
	return s.Bytes()
}

// table returns the part of a table.
func (s *Sheet) table(t Table, id int) []byte {
	var out Stream
	name, header := fmt.Sprintf("Table%d", id), 1
	if t.Bare {
		header = 0
	}
	out.Record(343, append(t.fields(), 0, id, header, t.Totals, make([]byte, 4), none, none, none, none, none, none, 0,
		name, name, none, none, none, none)...)
	out.Record(345, t.Right-t.Left+1)
	for i := range t.Right - t.Left + 1 {
		title := fmt.Sprintf("Column%d", i+1)
		if row := s.Rows[t.Top-1]; t.Left-1+i < len(row) {
			if text, ok := row[t.Left-1+i].Value.(string); ok {
				title = strings.TrimSpace(text)
			}
		}
		out.Record(347, i+1, 0, none, none, none, 0, none, title, none, none, none, none)
		out.Record(348)
	}
	out.Record(346)
	out.Record(344)
	return out.Bytes()
}
