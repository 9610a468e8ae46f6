package biff12

import "math"

// sharedStrings are the texts of cells, each of them once.
type sharedStrings struct {
	list  []string
	known map[string]int
	count int // of cells
}

func (s *sharedStrings) number(text string) int {
	if s.known == nil {
		s.known = map[string]int{}
	}
	s.count++
	n, ok := s.known[text]
	if !ok {
		n = len(s.list)
		s.known[text], s.list = n, append(s.list, text)
	}
	return n
}

func (s *sharedStrings) bytes() []byte {
	var out Stream
	out.Record(159, s.count, len(s.list))
	for _, text := range s.list {
		out.Record(19, byte(0), text)
	}
	out.Record(160)
	return out.Bytes()
}

// sheet returns the part of a worksheet.
func (b *Book) sheet(s *Sheet, strs *sharedStrings) []byte {
	var out Stream
	out.Record(129)
	width := 1
	for _, row := range s.Rows {
		width = max(width, len(row))
	}
	out.Record(148, Area{1, max(1, len(s.Rows)), 1, width}.fields()...)
	out.Record(133)
	out.Record(137, uint16(0x3DC), 0, 0, 0, 0x40, 100, 0, 0, 0)
	if s.Frozen > 0 {
		out.Record(151, 0.0, float64(s.Frozen), s.Frozen, 0, 2, byte(3))
	}
	out.Record(138)
	out.Record(134)
	out.Record(145)
	for r, row := range s.Rows {
		out.row(r, len(row), s.Levels[r+1])
		for c, cell := range row {
			out.cell(c, cell, b.Inline, strs)
		}
	}
	out.Record(146)
	if s.Filter != (Area{}) {
		out.Record(161, s.Filter.fields()...)
		out.Record(162)
	}
	if len(s.Merged) > 0 {
		out.Record(177, len(s.Merged))
		for _, m := range s.Merged {
			out.Record(176, m.fields()...)
		}
		out.Record(178)
	}
	if len(s.Tables) > 0 {
		out.Record(660, len(s.Tables))
		for i := range s.Tables {
			out.Record(661, "rId"+string(rune('1'+i)))
		}
		out.Record(662)
	}
	out.Record(130)
	return out.Bytes()
}

// row appends the record in front of a row's cells, with the columns that it has of each 1,024.
func (s *Stream) row(r, width, level int) {
	var spans []any
	for first := 0; first < width; first += 1024 {
		spans = append(spans, first, min(first+1024, width)-1)
	}
	s.Record(0, append([]any{r, 0, uint16(300), []byte{0, byte(level), 0}, len(spans) / 2}, spans...)...)
}

// noFormula is what stands behind a formula's result: its flags, and the formula 0.
var noFormula = []byte{0, 0, 3, 0, 0, 0, 0x1E, 0, 0, 0, 0, 0, 0}

// cell appends a cell, in the shortest record that has its value.
func (s *Stream) cell(column int, c Cell, inline bool, strs *sharedStrings) {
	put := func(id, resultID int, value ...any) {
		fields := append([]any{column, c.Style}, value...)
		if c.Formula {
			id, fields = resultID, append(fields, noFormula)
		}
		s.Record(id, fields...)
	}
	switch v := c.Value.(type) {
	case nil:
		if c.Style != 0 {
			put(1, 1)
		}
	case float64:
		if bits, ok := rk(v); ok && !c.Formula {
			put(2, 0, bits)
		} else {
			put(5, 9, v)
		}
	case Error:
		put(3, 11, byte(v))
	case bool:
		value := byte(0)
		if v {
			value = 1
		}
		put(4, 10, value)
	case string:
		if inline || c.Formula {
			put(6, 8, v)
		} else {
			put(7, 0, strs.number(v))
		}
	}
}

// rk returns a number in four bytes, if it fits: as an integer of 30 bits, perhaps of hundredths, or as the upper bits of the double.
func rk(v float64) (bits uint32, ok bool) {
	const most = 1 << 29
	whole := func(v float64) bool {
		return v == math.Trunc(v) && v >= -most && v < most && (v != 0 || !math.Signbit(v))
	}
	switch double := math.Float64bits(v); {
	case whole(v):
		return uint32(int32(v)<<2) | 2, true
	case whole(v*100) && v*100/100 == v:
		return uint32(int32(v*100)<<2) | 3, true
	case double&(1<<34-1) == 0:
		return uint32(double >> 32), true
	}
	return 0, false
}
