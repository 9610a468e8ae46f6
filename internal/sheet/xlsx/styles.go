package xlsx

import (
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// readStyles reads the styles of cells. A workbook may have none.
func (b *Book) readStyles(part string) error {
	if part == "" {
		return nil
	}
	d, err := b.parts.Document(part)
	if err != nil {
		return err
	}
	return d.Root(func() error {
		return d.Each(func(list []byte) error {
			switch string(list) {
			case "numFmts":
				return d.Each(func([]byte) error {
					at := d.Attributes()
					if code := at["formatCode"]; code != "" {
						if err := b.styles.AddCode(number(at["numFmtId"]), code); err != nil {
							return err
						}
					}
					return d.Skip()
				})
			case "fonts":
				return d.Each(func([]byte) error { return b.readFont(d) })
			case "fills":
				return d.Each(func([]byte) error { return b.readFill(d) })
			case "cellXfs":
				return d.Each(func([]byte) error { return b.readStyle(d) })
			}
			return d.Skip()
		})
	})
}

func (b *Book) readStyle(d *container.Document) error {
	at := d.Attributes()
	format, font, fill, indent := number(at["numFmtId"]), number(at["fontId"]), number(at["fillId"]), 0
	err := d.Each(func(name []byte) error {
		if string(name) == "alignment" {
			indent = number(d.Attributes()["indent"])
		}
		return d.Skip()
	})
	if err != nil {
		return err
	}
	return b.styles.AddStyle(format, font, fill, indent)
}

func (b *Book) readFont(d *container.Document) error {
	bold := false
	err := d.Each(func(name []byte) error {
		if value, said := d.Attributes()["val"]; string(name) == "b" {
			bold = !said || isTrue(value)
		}
		return d.Skip()
	})
	if err != nil {
		return err
	}
	return b.styles.AddFont(bold)
}

func (b *Book) readFill(d *container.Document) error {
	coloured := false
	err := d.Each(func([]byte) error {
		coloured = d.Attributes()["patternType"] == "solid"
		return d.Each(func(name []byte) error {
			if string(name) == "fgColor" && isWhite(d.Attributes()) {
				coloured = false
			}
			return d.Skip()
		})
	})
	if err != nil {
		return err
	}
	return b.styles.AddFill(coloured)
}

// isWhite reports whether a colour is white, or the ground of all themes, with which sheets are painted to hide their lines.
func isWhite(colour map[string]string) bool {
	index, err := strconv.Atoi(colour["indexed"])
	isIndex := err == nil && grid.IsWhite(index)
	return isIndex || strings.HasSuffix(strings.ToUpper(colour["rgb"]), "FFFFFF") || colour["theme"] == "0" && colour["tint"] == ""
}

// number parses an id; it returns -1 if there is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
