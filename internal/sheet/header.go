package sheet

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/table"
	"sheetdrop/internal/sheet/types"
)

// takeHeader takes a row of the header. If it cannot be read, the rows cannot be checked against it, so the file is
// refused.
func (s *Sheet) takeHeader(rec *Record, shape *shape) error {
	s.checkCells(rec, shape)
	// Everything on the line of a stray quote was read, so the columns have names.
	rec.Errors = slices.DeleteFunc(rec.Errors, func(e Error) bool { return e.Code == UnbalancedQuote })
	if len(rec.Errors) > 0 {
		e := rec.Errors[0]
		return e.refuse(e.Code, rec.No, badHeader)
	}
	if err := s.checkColumns(shape.width); err != nil {
		return err
	}
	rec.Kind = Header
	if s.grid {
		rec.Cells = rec.Cells[:shape.width]
	}
	cells := make([]string, len(rec.Cells))
	for i, cell := range rec.Cells {
		if len(cell) > maxLabelBytes {
			s.labels.add(LabelCut, rec.No, i+1)
		}
		cells[i] = cutLabel(cell)
	}
	if len(s.header) > 0 && (s.marked || hasCommentMark(cells)) { // units in a comment
		cells = uncommented(cells)
	}
	if refusal := s.tally.addHeader(cells); refusal != nil {
		return refusal
	}
	s.header = append(s.header, cells)
	names := labels(s.header)
	if s.rowNames {
		names = slices.Insert(slices.Clone(names), 0, "")
	}
	return s.setColumns(s.fitLabels(names))
}

// fitLabels adds the label that a header lacks, or removes empty ones at its end, where the records tell how many columns
// there are.
func (s *Sheet) fitLabels(names []string) []string {
	if len(names) == 0 {
		return names
	}
	if (s.marked || dialect.IsLogMark(names[0])) && len(names) == s.sheetInfo.columns+1 {
		return names[1:]
	}
	if list, ok := strings.CutPrefix(names[0], dialect.W3CFields+" "); ok {
		if names[0] = list; len(names) == 1 {
			names = strings.Fields(list)
		}
	} else if s.marked && s.declared[strings.TrimSpace(names[0])] == nil {
		names = uncommented(names)
	}
	for s.uniform && len(names) > s.sheetInfo.columns && strings.TrimSpace(names[len(names)-1]) == "" {
		names = names[:len(names)-1]
	}
	if missing := s.sheetInfo.columns - len(names); s.unlabelled && missing > 0 {
		return append(slices.Clone(names), make([]string, missing)...)
	}
	return names
}

// hasCommentMark reports whether a record begins with a mark that hardly anything but comments begins with.
func hasCommentMark(cells []string) bool {
	return len(cells) > 0 && (strings.HasPrefix(cells[0], "#") || strings.HasPrefix(cells[0], "//"))
}

// uncommented returns the names without the mark of a comment before the first one, unless others have it, too.
func uncommented(names []string) []string {
	hasMark := func(name string) bool { return csv.WithoutMark(name) != name }
	if len(names) == 0 {
		return names
	}
	if name := csv.WithoutMark(names[0]); name != "" && !slices.ContainsFunc(names[1:], hasMark) {
		names = slices.Clone(names)
		names[0] = name
	}
	return names
}

// cutLabel truncates a label that is too long, between characters.
func cutLabel[T string | []byte](label T) string {
	if len(label) <= maxLabelBytes {
		return string(label)
	}
	return strings.ToValidUTF8(string(label[:maxLabelBytes]), "")
}

// setColumns names the columns.
func (s *Sheet) setColumns(names []string) error {
	if refusal := s.tally.addColumns(len(names) - len(s.columns)); refusal != nil {
		return refusal
	}
	s.columns = newColumns(names)
	return nil
}

func (s *Sheet) checkColumns(width int) error {
	if width > s.limits.Columns {
		return wideHeader.refuse(width, s.limits.Columns)
	}
	return nil
}

// nameNoColumns creates the columns of a table without a header, as many as most records have cells.
func (s *Sheet) nameNoColumns(shape *shape) error {
	if s.names != nil {
		return s.setNames()
	}
	n := s.sheetInfo.columns
	if n == 0 {
		n = shape.width
	}
	if err := s.checkColumns(n); err != nil {
		return err
	}
	return s.setColumns(make([]string, n))
}

// labels joins the rows of a header: different texts above one another form one label. A name in an upper row applies to all columns that
// it spans: those behind it with empty cells, or with names that a library has made for these. It ends where a row above it begins another
// name, or where the names below it no longer come again as below the name before.
func labels(header [][]string) []string {
	if len(header) == 1 {
		return header[0]
	}
	width := 0
	for _, row := range header {
		width = max(width, len(row))
	}
	list := make([]string, width)
	groups := make([]string, len(header)) // per row: the name above the column
	ends := make([]int, len(header))      // and where no name spans a column any more
	for n := range header[1:] {
		ends[n] = endOfGroups(header[n], header[n+1])
	}
	for i := range list {
		var parts []string
		begins := false // a name in this row or one above
		for n, row := range header {
			name := ""
			if i < len(row) {
				name = strings.TrimSpace(row[i])
			}
			if table.IsMadeName([]byte(name), i) {
				name = ""
			}
			begins = begins || name != "" && name != groups[n] || i > 0 && i == ends[n]
			if n == len(header)-1 || begins || !isNamed(header[n+1:], i) {
				groups[n] = name
			}
			if name = groups[n]; name != "" && !strings.HasPrefix(name, surveyID) && !slices.Contains(parts, name) {
				parts = append(parts, name)
			}
		}
		list[i] = cutLabel(strings.Join(parts, " "))
	}
	return list
}

// endOfGroups returns the column behind the last group; 0 if that group goes on to the last column. It ends where its own name does, if
// each column of the others repeats theirs. Otherwise it ends where the names below it are those below the group before, unless all up to
// the last column are those of another group; or behind numbers or days below three groups.
//
//	,    Spring,,    Autumn,,    ,           ,    Mon,Tue,Wed,
//	line,plan,  done,plan,  done,remark      name,1,  2,  3,  hours
func endOfGroups(groups, names []string) int {
	starts, repeated, gaps := startsOfGroups(groups)
	if len(starts) < 2 {
		return 0
	}
	last, before := starts[len(starts)-1], starts[len(starts)-2]
	if repeated > 0 && gaps == 0 {
		return endOfGroup(groups, last)
	}
	if isValue(groups, names, last) && last+1 < len(names) && !isValue(names, names, last+1) &&
		isValue(groups, names, last-1) && isValue(groups, names, last-2) {
		return last + 1
	}
	end := 2*last - before
	if last == before+1 || end > len(names) || !slices.Equal(names[before:last], names[last:end]) || continuesAs(starts, names) {
		return 0
	}
	if end < len(names) && isNumber(names[end-1]) && isNumber(names[end]) { // further years
		return 0
	}
	return end
}

func isNumber(name string) bool { return kind.SortOf([]byte(name)) == kind.Number }

// startsOfGroups returns the columns in which groups begin, how many cells repeat the one before, and how many behind a group are empty,
// up to where the last one begins.
func startsOfGroups(groups []string) (starts []int, repeated, gaps int) {
	empty := 0
	for i, name := range groups {
		switch name = strings.TrimSpace(name); {
		case name == "":
			empty++
		case i > 0 && name == strings.TrimSpace(groups[i-1]):
			repeated++
		default:
			if len(starts) > 0 {
				gaps += empty
			}
			starts, empty = append(starts, i), 0
		}
	}
	return starts, repeated, gaps
}

// endOfGroup returns the column behind those that repeat the name of the group that begins in a column.
func endOfGroup(groups []string, start int) int {
	end := start + 1
	for end < len(groups) && strings.TrimSpace(groups[end]) == strings.TrimSpace(groups[start]) {
		end++
	}
	return end
}

// continuesAs reports whether all names from the last group on are those of another group.
func continuesAs(starts []int, names []string) bool {
	last := len(starts) - 1
	for i := range last {
		if slices.Equal(names[starts[i]:starts[i+1]], names[starts[last]:]) {
			return true
		}
	}
	return false
}

// isValue reports whether there is a group in column i, above a name that is a number or a day.
func isValue(groups, names []string, i int) bool {
	if i < 0 || i >= min(len(groups), len(names)) || strings.TrimSpace(groups[i]) == "" {
		return false
	}
	k := kind.SortOf([]byte(names[i]))
	return k == kind.Number || k == kind.Moment
}

// surveyID begins the cells of a header's row in which Qualtrics keeps numbers of its own.
const surveyID = `{"ImportId":`

// isNamed reports whether one of the header rows has a name for column i.
func isNamed(rows [][]string, i int) bool {
	return slices.ContainsFunc(rows, func(row []string) bool {
		return i < len(row) && strings.TrimSpace(row[i]) != "" && !table.IsMadeName([]byte(row[i]), i)
	})
}

// isDrawn reports whether the record, the first one below the header, is a line that underlines it, as programs draw it that print tables.
// At least one of its cells is a line. Every other one is a line, too, or as long as the column's name: dashes for missing values do not
// count. If the options set the number of header rows, the record below them is a row.
func (s *Sheet) isDrawn(rec *Record) bool {
	if s.noHeaderRule {
		return false
	}
	longest := 0
	for i, cell := range rec.Cells {
		if len(bytes.Trim(cell, "-=+_:| \t")) > 0 {
			return false
		}
		strokes := bytes.Count(cell, []byte("-")) + bytes.Count(cell, []byte("="))
		if len(bytes.TrimSpace(cell)) > 0 && i < len(s.columns) &&
			strokes < min(shortestLine, utf8.RuneCountInString(strings.TrimSpace(s.columns[i].Label))) {
			return false
		}
		longest = max(longest, strokes)
	}
	return longest >= shortestLine
}

// repeatsHeader reports whether the record repeats a row of the header, as in concatenated files: in capitals or not, and with blanks
// around the names. If a label was truncated, that is unknown.
func (s *Sheet) repeatsHeader(rec *Record) bool {
	if len(s.columns) < 2 && !s.nameIsNoValue || len(rec.Errors) > 0 || len(s.labels) > 0 {
		return false
	}
	return slices.ContainsFunc(s.header, func(row []string) bool { return sameCells(row, rec.Cells) })
}

func sameCells(header []string, cells [][]byte) bool {
	if len(header) != len(cells) {
		return false
	}
	for i, cell := range cells {
		if string(cell) != header[i] && !strings.EqualFold(strings.TrimSpace(string(cell)), strings.TrimSpace(header[i])) {
			return false
		}
	}
	return true
}

// Column is what is known about a column: its names, and what the accepted rows show about its values.
type Column struct {
	Name  string `json:"name"`  // unique within the sheet: the label, trimmed, with _2, _3 … if it repeats; column_3 if it is empty
	Label string `json:"label"` // the header's cell as in the file
	types.Report
}

// NewConverters returns a converter for each column, which returns the values of its cells in the column's type. It
// fails only for columns that no Sheet has returned.
func NewConverters(columns []Column) ([]types.Converter, error) {
	list := make([]types.Converter, len(columns))
	for i, c := range columns {
		var err error
		if list[i], err = types.NewConverter(c.Type, c.Format, c.Digits); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// newColumns makes the columns of a header.
func newColumns(header []string) []Column {
	columns := make([]Column, len(header))
	for i, name := range ColumnNames(header) {
		columns[i] = Column{Name: name, Label: header[i], Report: types.Report{Type: types.Text}}
	}
	return columns
}

// ColumnNames returns the unique names of the columns with these labels (see Column). A label that occurs once keeps its
// name even if an earlier repetition could have taken it.
func ColumnNames(labels []string) []string {
	names := make([]string, len(labels))
	taken := make(map[string]bool, len(labels))
	for i, label := range labels {
		if names[i] = strings.TrimFunc(label, isAround); names[i] == "" {
			names[i] = "column_" + strconv.Itoa(i+1)
		}
		taken[names[i]] = true
	}
	seen := make(map[string]int, len(labels)) // how often, or the number tried last
	for i, name := range names {
		if seen[name]++; seen[name] > 1 {
			names[i] = freeName(name, taken, seen)
		}
	}
	return names
}

// isAround reports whether a character around a name is none of it: white space, or a byte order mark or a space of no width, which nobody
// sees and nobody types.
func isAround(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' }

func freeName(name string, taken map[string]bool, tried map[string]int) string {
	for n := tried[name]; ; n++ {
		if free := name + "_" + strconv.Itoa(n); !taken[free] {
			tried[name] = n
			return free
		}
	}
}
