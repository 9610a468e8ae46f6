package xlsx

import (
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// sheet is a sheet and the part that stores it.
type sheet struct {
	grid.Sheet
	part     string
	filtered int64 // the row with the names of a filter's columns; 0 if there is none
	printed  int64 // the last row that is printed on each page; 0 if there is none
}

// readWorkbook reads the structure of the workbook.
func (b *Book) readWorkbook() error {
	part, err := findWorkbook(b.parts)
	if err != nil {
		return err
	}
	list, err := b.parts.Relations(part)
	if err != nil {
		return err
	}
	d, err := b.parts.Document(part)
	if err != nil {
		return err
	}
	if err := d.Root(func() error { return b.readSheets(d, list) }); err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		return grid.Damaged("it has no sheets")
	}
	b.strings = b.parts.Related(list, "sharedStrings", "xl/sharedstrings.xml")
	return b.readStyles(b.parts.Related(list, "styles", "xl/styles.xml"))
}

// findWorkbook returns the name of the part with the list of sheets.
func findWorkbook(a *container.Archive) (string, error) {
	part, err := a.Main("xl/workbook.xml")
	if err != nil {
		return "", err
	}
	if !a.Has(part) || strings.HasSuffix(part, ".bin") {
		return "", a.RefuseOther()
	}
	return part, nil
}

func (b *Book) readSheets(d *container.Document, list map[string]container.Relation) error {
	if string(d.Name()) != "workbook" {
		return b.parts.RefuseOther()
	}
	return d.Each(func(name []byte) error {
		switch string(name) {
		case "workbookPr":
			b.date1904 = isTrue(d.Attributes()["date1904"])
		case "sheets":
			return d.Each(func([]byte) error {
				b.addSheet(d.Attributes(), list)
				if err := b.parts.CheckParts(len(b.sheets)); err != nil {
					return err
				}
				return d.Skip()
			})
		case "definedNames": // which follow the sheets
			return b.readNames(d)
		}
		return d.Skip()
	})
}

func (b *Book) addSheet(at map[string]string, list map[string]container.Relation) {
	s := sheet{Sheet: grid.Sheet{Number: len(b.sheets) + 1, Name: at["name"], Kind: grid.OtherSheet, Visibility: grid.Visible}}
	switch at["state"] {
	case "hidden":
		s.Visibility = grid.Hidden
	case "veryHidden":
		s.Visibility = grid.VeryHidden
	}
	for name, id := range at {
		if !strings.HasSuffix(name, ":id") { // the namespace prefix is the writer's choice
			continue
		}
		s.part, s.Kind = list[id].Part, list[id].SheetKind()
	}
	b.sheets = append(b.sheets, s)
}

// isTrue parses an XML Schema boolean.
func isTrue(value string) bool { return value == "1" || value == "true" }
