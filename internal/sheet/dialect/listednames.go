package dialect

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/kind"
)

// The names that a line lists with another delimiter than that of the rows.
const (
	longestListed = 40 // bytes of one
	listedWords   = 4  // of one: more are prose
	fewestListed  = 3  // that a comma with blanks, or runs of blanks separate, as both also stand in prose
)

// ListedNames returns the fields of a line, which may be a comment, that lists so many names of columns with a delimiter of its own, as it
// may stand above rows that another one separates; nil if it does not.
//
//	time;temperature;humidity
//	0.5,21.5,48
func ListedNames(line []byte, quote byte, width int, comment bool) []csv.Field {
	fields := csv.Names(line, quote, width)
	if width < fewestListed && !bytes.ContainsAny(line, ";\t|") && !listsTwo(line, fields, comment) {
		return nil
	}
	var names [][]byte
	for _, f := range fields {
		name := line[f.Start:f.End]
		again := func(other []byte) bool { return bytes.Equal(other, name) }
		if !MayName(name) || len(name) > longestListed || len(bytes.Fields(name)) > listedWords || slices.ContainsFunc(names, again) {
			return nil
		}
		names = append(names, name)
	}
	return fields
}

// listsTwo reports whether the two names have no blank, and either none stands between them, or two or more do in a comment.
func listsTwo(line []byte, names []csv.Field, comment bool) bool {
	for _, f := range names {
		if bytes.IndexByte(line[f.Start:f.End], ' ') >= 0 {
			return false
		}
	}
	return comment || bytes.IndexByte(line, ' ') < 0
}

// MayName reports whether the text may be the name of a column: it is no value.
func MayName(text []byte) bool {
	k := kind.SortOf(text)
	return k != kind.Empty && k != kind.Number && k != kind.Moment
}
