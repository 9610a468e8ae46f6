package xlsx

import (
	"strconv"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// maxFormats exceeds the 65,490 cell formats that Excel allows.
const maxFormats = 1 << 16

// readStyles determines for each cell format how it displays a number. A workbook may have no styles.
func (b *Book) readStyles(part string) error {
	if part == "" {
		return nil
	}
	d, err := b.parts.Document(part)
	if err != nil {
		return err
	}
	custom := map[int]grid.Format{}
	var ids []int
	var bold, filled []bool
	err = d.Root(func() error {
		return d.Each(func(list []byte) error {
			switch string(list) {
			case "numFmts":
				return d.Each(func([]byte) error {
					at := d.Attributes()
					if code := at["formatCode"]; code != "" {
						custom[number(at["numFmtId"])] = grid.FormatOf(code)
					}
					return skipOne(d, len(custom))
				})
			case "fonts":
				return d.Each(func([]byte) error {
					bold = append(bold, false)
					if len(bold) > maxFormats {
						return skipOne(d, len(bold))
					}
					return d.Each(func(name []byte) error {
						if value, said := d.Attributes()["val"]; string(name) == "b" {
							bold[len(bold)-1] = !said || isTrue(value)
						}
						return d.Skip()
					})
				})
			case "fills":
				return d.Each(func([]byte) error {
					filled = append(filled, false)
					if len(filled) > maxFormats {
						return skipOne(d, len(filled))
					}
					return d.Each(func([]byte) error {
						filled[len(filled)-1] = d.Attributes()["patternType"] == "solid"
						return d.Skip()
					})
				})
			case "cellXfs":
				return d.Each(func([]byte) error {
					at := d.Attributes()
					font, fill := number(at["fontId"]), number(at["fillId"])
					b.strong = append(b.strong, font >= 0 && font < len(bold) && bold[font] || fill >= 0 && fill < len(filled) && filled[fill])
					ids = append(ids, number(at["numFmtId"]))
					return skipOne(d, len(ids))
				})
			}
			return d.Skip()
		})
	})
	b.formats = make([]grid.Format, len(ids))
	for i, id := range ids {
		f, ok := custom[id]
		if !ok {
			f = grid.BuiltinFormat(id)
		}
		b.formats[i] = f
	}
	return err
}

// skipOne goes to the end of an element whose number of occurrences is limited.
func skipOne(d *container.Document, count int) error {
	if count > maxFormats {
		return grid.Damaged("it has more than %d formats", maxFormats)
	}
	return d.Skip()
}

// number parses an id; it returns -1 if there is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
