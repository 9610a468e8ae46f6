package ods

import (
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// style is what of a style matters.
type style struct {
	hidden  bool   // of a table
	data    string // the name of the style that displays numbers
	elapsed bool   // it displays hours beyond a day
	decimal bool   // it displays numbers with decimals
	strong  bool   // it is bold, or its ground has a colour
	parent  string // the style that it refines
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
			made := style{data: at["style:data-style-name"], parent: at["style:parent-style-name"]}
			err := d.Each(func(name []byte) error {
				made.add(string(name), d.Attributes())
				return d.Skip()
			})
			s[at["style:name"]] = made
			return err
		case "time-style":
			at := d.Attributes()
			s[at["style:name"]] = style{elapsed: at["number:truncate-on-overflow"] == "false"}
		case "number-style", "currency-style":
			id, made := d.Attributes()["style:name"], style{}
			err := d.Each(func(name []byte) error {
				places := d.Attributes()["number:decimal-places"]
				made.decimal = made.decimal || string(name) == "number" && places != "" && places != "0"
				return d.Skip()
			})
			s[id] = made
			return err
		}
		return d.Skip()
	})
}

// add adds what a style's properties say.
func (s *style) add(name string, at map[string]string) {
	switch name {
	case "table-properties":
		s.hidden = at["table:display"] == "false"
	case "text-properties":
		weight := at["fo:font-weight"]
		s.strong = s.strong || weight == "bold" || len(weight) == 3 && weight >= "600"
	case "table-cell-properties":
		ground := at["fo:background-color"]
		s.strong = s.strong || ground != "" && ground != "transparent" && !strings.EqualFold(ground, "#ffffff")
	}
}

// maxParents is how many styles a style may refine, one through the other.
const maxParents = 8

// strong reports whether a cell of that style, or of one that it refines, is bold, or its ground has a colour.
func (s styles) strong(name string) bool {
	for range maxParents {
		found, ok := s[name]
		if !ok || found.strong {
			return found.strong
		}
		name = found.parent
	}
	return false
}

// data returns the style by which a cell of that style displays its value; the zero style if there is none.
func (s styles) data(name string) style {
	for range maxParents {
		found, ok := s[name]
		if !ok || found.data != "" {
			return s[found.data]
		}
		name = found.parent
	}
	return style{}
}
