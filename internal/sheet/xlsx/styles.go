package xlsx

import (
	"strconv"
)

// maxFormats exceeds the 65,490 cell formats that Excel allows.
const maxFormats = 1 << 16

// readStyles determines for each cell format how it displays a number. A workbook may have no styles.
func (b *Book) readStyles(part string) error {
	if part == "" {
		return nil
	}
	d, err := b.parts.document(part)
	if err != nil {
		return err
	}
	custom := map[int]format{}
	var ids []int
	err = d.root(func() error {
		return d.each(func(list []byte) error {
			switch string(list) {
			case "numFmts":
				return d.each(func([]byte) error {
					at := d.attributes()
					if code := at["formatCode"]; code != "" {
						custom[number(at["numFmtId"])] = formatOf(code)
					}
					return skipOne(d, len(custom))
				})
			case "cellXfs":
				return d.each(func([]byte) error {
					ids = append(ids, number(d.attributes()["numFmtId"]))
					return skipOne(d, len(ids))
				})
			}
			return d.Skip()
		})
	})
	b.formats = make([]format, len(ids))
	for i, id := range ids {
		f, ok := custom[id]
		if !ok {
			f = builtinFormat(id)
		}
		b.formats[i] = f
	}
	return err
}

// skipOne goes to the end of an element whose number of occurrences is limited.
func skipOne(d *document, count int) error {
	if count > maxFormats {
		return damaged("it has more than %d formats", maxFormats)
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
