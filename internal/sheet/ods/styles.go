package ods

import (
	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// style is what of a style matters.
type style struct {
	hidden  bool   // of a table
	data    string // the name of the style that displays numbers
	elapsed bool   // it displays hours beyond a day
}

// styles are the styles by their names.
type styles map[string]style

// maxStyles exceeds what spreadsheet programs allow.
const maxStyles = 1 << 16

// read reads the styles that are children of the current element.
func (s styles) read(d *container.Document) error {
	return d.Each(func(name []byte) error {
		if len(s) > maxStyles {
			return grid.Damaged("it has more than %d styles", maxStyles)
		}
		switch string(name) {
		case "style":
			at := d.Attributes()
			made := style{data: at["style:data-style-name"]}
			err := d.Each(func(name []byte) error {
				if string(name) == "table-properties" && d.Attributes()["table:display"] == "false" {
					made.hidden = true
				}
				return d.Skip()
			})
			s[at["style:name"]] = made
			return err
		case "time-style":
			at := d.Attributes()
			s[at["style:name"]] = style{elapsed: at["number:truncate-on-overflow"] == "false"}
		}
		return d.Skip()
	})
}

// elapsed reports whether a cell of that style displays hours beyond a day.
func (s styles) elapsed(name string) bool { return s[s[name].data].elapsed }
