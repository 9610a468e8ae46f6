package xlsx

import (
	"strings"
)

// sheet is a sheet and the part that stores it.
type sheet struct {
	Sheet
	part string
}

// readWorkbook reads the structure of the workbook.
func (b *Book) readWorkbook() error {
	part, err := b.parts.findWorkbook()
	if err != nil {
		return err
	}
	list, err := b.parts.relations(part)
	if err != nil {
		return err
	}
	d, err := b.parts.document(part)
	if err != nil {
		return err
	}
	if err := d.root(func() error { return b.readSheets(d, list) }); err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		return damaged("it has no sheets")
	}
	b.strings = b.parts.one(list, "sharedStrings", "xl/sharedstrings.xml")
	return b.readStyles(b.parts.one(list, "styles", "xl/styles.xml"))
}

// findWorkbook returns the name of the part with the list of sheets.
func (a *archive) findWorkbook() (string, error) {
	part := "xl/workbook.xml"
	if a.has("_rels/.rels") {
		list, err := a.relations("")
		if err != nil {
			return "", err
		}
		if found := a.one(list, "officeDocument", part); found != "" {
			part = found
		}
	}
	if !a.has(part) || strings.HasSuffix(part, ".bin") {
		return "", a.src.blame(a.refuseOther())
	}
	return part, nil
}

func (b *Book) readSheets(d *document, list map[string]relation) error {
	if string(d.Name()) != "workbook" {
		return b.parts.src.blame(b.parts.refuseOther())
	}
	return d.each(func(name []byte) error {
		switch string(name) {
		case "workbookPr":
			b.date1904 = isTrue(d.attributes()["date1904"])
		case "sheets":
			return d.each(func([]byte) error {
				b.addSheet(d.attributes(), list)
				if err := b.parts.checkParts(len(b.sheets)); err != nil {
					return err
				}
				return d.Skip()
			})
		}
		return d.Skip()
	})
}

func (b *Book) addSheet(at map[string]string, list map[string]relation) {
	s := sheet{Sheet: Sheet{Number: len(b.sheets) + 1, Name: at["name"], Kind: OtherSheet, Visibility: Visible}}
	switch at["state"] {
	case "hidden":
		s.Visibility = Hidden
	case "veryHidden":
		s.Visibility = VeryHidden
	}
	for name, id := range at {
		if !strings.HasSuffix(name, ":id") { // the namespace prefix is the writer's choice
			continue
		}
		s.part = list[id].part
		switch list[id].kind {
		case "worksheet", "": // a missing one is reported when it is read
			s.Kind = Worksheet
		case "chartsheet":
			s.Kind = Chartsheet
		case "dialogsheet":
			s.Kind = Dialogsheet
		case "xlMacrosheet", "xlIntlMacrosheet":
			s.Kind = Macrosheet
		}
	}
	b.sheets = append(b.sheets, s)
}

// isTrue parses an XML Schema boolean.
func isTrue(value string) bool { return value == "1" || value == "true" }
