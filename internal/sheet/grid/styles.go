package grid

import "math"

// Styles are the styles of a workbook's cells, by their numbers from 0: how a cell displays a number, whether it stands out, and how far
// its text is indented. The zero value has none.
type Styles struct {
	codes        map[int]Format // of number formats with a code, by their ids
	displays     map[int]Shown  // likewise
	bold, filled []bool         // by the numbers of fonts and of fills
	ids          []int          // of number formats, by the numbers of styles
	formats      []Format       // likewise, once they are asked for
	strong       []bool         // likewise
	indents      []uint8        // likewise
	shown        []Shown        // likewise
}

// MaxFormats is the maximum number of styles, fonts, fills and number formats each: more than the 65,490 styles that Excel allows.
const MaxFormats = 1 << 16

// AddCode adds a number format with a code. Like all that is added, more than Excel allows is an *Error.
func (s *Styles) AddCode(id int, code string) error {
	if s.codes == nil {
		s.codes, s.displays = map[int]Format{}, map[int]Shown{}
	}
	s.codes[id], s.displays[id] = FormatOf(code), ShownBy(code)
	return checkFormats(len(s.codes))
}

// AddFont adds the next font.
func (s *Styles) AddFont(bold bool) error {
	s.bold = append(s.bold, bold)
	return checkFormats(len(s.bold))
}

// AddFill adds the next fill, the ground of cells; coloured is whether it has a colour, and is not white.
func (s *Styles) AddFill(coloured bool) error {
	s.filled = append(s.filled, coloured)
	return checkFormats(len(s.filled))
}

// IsWhite reports whether a ground of that number among Excel's colours is white.
func IsWhite(index int) bool {
	const white, firstWhite, background = 9, 1, 65
	return index == white || index == firstWhite || index == background
}

// AddStyle adds the next style: the id of its number format, the numbers of its font and its fill, and by how many steps its texts are
// indented.
func (s *Styles) AddStyle(format, font, fill, indent int) error {
	s.ids = append(s.ids, format)
	s.indents = append(s.indents, uint8(max(0, min(indent, math.MaxUint8))))
	s.strong = append(s.strong, isSet(s.bold, font) || isSet(s.filled, fill))
	return checkFormats(len(s.ids))
}

func isSet(list []bool, i int) bool { return i >= 0 && i < len(list) && list[i] }

func checkFormats(count int) error {
	if count > MaxFormats {
		return Damaged("it has more than %d formats", MaxFormats)
	}
	return nil
}

// Format returns how a style displays a number. Nothing is added to the styles afterwards.
func (s *Styles) Format(style int) Format {
	if s.formats == nil {
		s.decide()
	}
	if style < 0 || style >= len(s.formats) {
		return PlainFormat
	}
	return s.formats[style]
}

func (s *Styles) decide() {
	s.formats, s.shown = make([]Format, len(s.ids)), make([]Shown, len(s.ids))
	for i, id := range s.ids {
		f, ok := s.codes[id]
		if s.shown[i] = s.displays[id]; !ok {
			f, s.shown[i] = BuiltinFormat(id), builtinShown(id)
		}
		s.formats[i] = f
	}
}

// Show tells the cell what its style displays its number as. Format has been called.
func (s *Styles) Show(c *Cell, style int) {
	if c.Kind == Number && style > 0 && style < len(s.shown) {
		c.Shown = s.shown[style]
	}
}

// Strong reports whether a cell of that style is bold, or its ground has a colour.
func (s *Styles) Strong(style int) bool { return isSet(s.strong, style) }

// Indent returns by how many steps the texts of that style are indented.
func (s *Styles) Indent(style int) uint8 {
	if style < 0 || style >= len(s.indents) {
		return 0
	}
	return s.indents[style]
}
