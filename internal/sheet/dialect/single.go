package dialect

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/types"
)

// singleColumn distinguishes a text of one column, whose values contain the best delimiter, from a table: values such
// as 1,5 and 12:30, under a header without it. The returned delimiter is then one that does not occur in the text; in a
// text without any regularity, one that occurs in its first line; or any if it is "". The head has comments that the texts lack.
func singleColumn(texts []piece, head []byte, best Scored, h Hints) (delimiter string, ok bool) {
	if h.Delimiter != nil {
		return "", false
	}
	first := firstLine(texts[0].bytes)
	held := holdsTight(first, best.Delimiter) || best.Consistency >= someTable && bytes.Contains(first, []byte(best.Delimiter))
	if strings.TrimSpace(best.Delimiter) == "" && best.width >= Narrow && ListedNames(first, best.Quote, best.width, false) != nil {
		return "", false
	}
	isTable := func(text []byte) bool {
		return isOneTable(text, best.Delimiter) || areFewRecords(text, best.Delimiter) || areTwoColumns(text, best.Delimiter)
	}
	weak := best.isWeak(held) && !(len(texts) == 1 && !texts[0].cut && isTable(texts[0].bytes))
	if best.Delimiter == "," && isPaddedWithThousands(texts[0].bytes) {
		return "", true
	}
	alone := areDays(texts[0].whole, best.Delimiter) || areCodes(texts[0].bytes) ||
		!best.splitsWell() && areValues(texts[0].bytes, best.Delimiter)
	if !weak && !alone {
		return "", false
	}
	for _, delimiter := range UsualDelimiters {
		if count(texts, delimiter) == 0 && !bytes.Contains(head, []byte(delimiter)) || weak && holdsTight(first, delimiter) {
			return delimiter, true
		}
	}
	return "", weak
}

// isPaddedWithThousands reports whether the text is of fixed width, as most of its lines have runs of blanks, and each of its commas stands
// between the digits of a number and three more, which another one or none follows; or all lines have one, with two digits behind it.
func isPaddedWithThousands(text []byte) bool {
	lines, padded, decimal := 0, 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if lines++; bytes.Contains(line, []byte("   ")) {
			padded++
		}
		for i, c := range line {
			switch {
			case c != ',':
			case i > 0 && kind.LeadingDigits(line[i-1:i]) > 0 && kind.LeadingDigits(line[i+1:]) == thousands:
			case i > 0 && kind.LeadingDigits(line[i-1:i]) > 0 && kind.LeadingDigits(line[i+1:]) == cents && bytes.Count(line, []byte(",")) == 1:
				decimal++
			default:
				return false
			}
		}
	}
	return lines > Evidence && (decimal == 0 || decimal == lines) && Share(padded, lines) >= paddedLines
}

// holdsTight reports whether the line contains the delimiter, and not only as prose does.
func holdsTight(line []byte, delimiter string) bool {
	return bytes.Count(line, []byte(delimiter)) > bytes.Count(line, []byte(delimiter+" "))
}

// splitsWell reports whether the dialect results in several columns, and not those of a decimal comma or of a time.
func (s Scored) splitsWell() bool {
	return s.width > Narrow && s.Consistency > regularTable && slices.Contains(UsualDelimiters, s.Delimiter) && !s.SkipSpace
}

// asOneColumn returns the score of a dialect with that delimiter if the text has one column.
func (s Scored) asOneColumn(delimiter string) float64 {
	if s.SkipSpace || s.Delimiter != delimiter && (delimiter != "" || !slices.Contains(UsualDelimiters, s.Delimiter)) {
		return -1
	}
	return s.single
}

// areValues reports whether nearly every line is a number, a date or a time, under a header that does not contain the
// delimiter; below one of fewer words every line is a moment. A line right above the first value that holds the delimiter, and not as prose
// does, names two columns.
//
//	Paid at
//	2024-02-03 10:15:00 +0200
func areValues(text []byte, delimiter string) bool {
	values, lines, words, above := 0, 0, 0, []byte(nil)
	var seconds fractions
	for line := range linesOf(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		k := kind.SortOf(line)
		if k == kind.Moment {
			seconds.add(line)
		}
		if lines == 0 && k != kind.Moment && bytes.Contains(line, []byte(delimiter)) {
			if delimiter != " " {
				return false
			}
			words = len(bytes.Fields(line))
		}
		if words > 0 && lines > 0 && (k != kind.Moment || len(bytes.Fields(line)) <= words) {
			return false
		}
		lines++
		switch {
		case (k == kind.Number || k == kind.Moment && !areNumbers(line)) && !isPair(line, k):
			if values++; values == 1 && words == 0 && holdsTight(above, delimiter) {
				return false
			}
		case values == 0:
			above = line
		}
	}
	return values >= columnLines && Share(values, lines) >= linesOfValues && !seconds.areNumbers()
}

// linesOf returns the lines of a text that are not empty, however they end.
func linesOf(text []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' })
}

// areDays reports whether each line is a day that holds the delimiter, Monday, 5 February, 2024, under a header that does not.
func areDays(text []byte, delimiter string) bool {
	days := 0
	for line := range linesOf(text) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0 || days == 0 && !bytes.Contains(line, []byte(delimiter)):
		case !types.IsDay(line):
			return false
		default:
			days++
		}
	}
	return days >= columnLines
}

// fractions are the digits behind the commas of times.
type fractions struct {
	least, most int // digits
	padded      int // the most digits of one that ends with a zero
}

func (f *fractions) add(line []byte) {
	_, digits, found := bytes.Cut(line, []byte(","))
	n := kind.LeadingDigits(digits)
	if !found || n != len(digits) {
		return
	}
	if f.least == 0 || n < f.least {
		f.least = n
	}
	f.most = max(f.most, n)
	if n > 0 && digits[n-1] == '0' {
		f.padded = max(f.padded, n)
	}
}

// areNumbers reports whether they are numbers of their own and no fractions of a second, which all have as many digits or end with none
// that says nothing.
//
//	12:02:00,1540
//	12:03:00,140
//	12:04:00,90
func (f *fractions) areNumbers() bool { return f.least < f.most && f.padded > f.least }

// areNumbers reports whether a line that looks like a moment is several numbers, some of them with exponents: 400.0 1.2e-03 1.1e-05.
func areNumbers(line []byte) bool {
	for part := range bytes.FieldsSeq(line) {
		if kind.SortOf(part) != kind.Number {
			return false
		}
	}
	return true
}

// isPair reports whether a line that looks like a value is two of them with a comma in between: a day and a number, or a
// number with a sign behind the comma, or with a point and no groups of thousands before it.
//
//	2024-03-31,28
//	188001,-0.01
func isPair(line []byte, k kind.Kind) bool {
	first, second, found := bytes.Cut(line, []byte(","))
	switch {
	case !found || len(first) == 0 || len(second) == 0:
		return false
	case k == kind.Moment: // of a time the comma may begin the fraction of a second
		return !bytes.ContainsAny(first, ":：時")
	case second[0] < '0' || second[0] > '9':
		return true
	}
	return bytes.IndexByte(second, '.') >= 0 && len(bytes.TrimLeft(first, "+-")) > thousands
}

// isWeak reports whether the text may as well have one column with the delimiter in its values; held says whether the
// first line contains the delimiter.
func (s Scored) isWeak(held bool) bool {
	doubtful := isDoubtful(s.Delimiter)
	switch {
	case s.Consistency < noTable || doubtful && s.Consistency < doubtfulTable:
		return true
	case doubtful && s.width == 2:
		return !held || !s.HasValues()
	case doubtful && (!held || s.firstDiffers) && s.values < unheldValues:
		return true
	case !held && s.width == 2 && (s.SkipSpace && s.Delimiter != "\t" || strings.HasSuffix(s.Delimiter, " ")):
		return true
	}
	return !held && s.inRuns < severalTables &&
		(s.Consistency < someTable && (s.Delimiter == "," || s.Consistency < littleTable) || doubtful && s.Consistency < doubtfulUnheld)
}

func firstLine(text []byte) []byte {
	text = bytes.TrimLeft(text, "\r\n \t")
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// doubtNames lowers the score of a colon that separates names from values above a table only: the lines below hold another delimiter
// and no colon, and those above hold no such delimiter.
func doubtNames(scored []Scored, text []byte) {
	for i := range scored {
		below := func(delimiter string) bool { return isTableBelowNames(text, delimiter) }
		if strings.HasPrefix(scored[i].Delimiter, ":") && slices.ContainsFunc(UsualDelimiters, below) {
			scored[i].Score = 0
		}
	}
}

// isOneTable reports whether all lines with the delimiter stand below one another, four or more, each with as many of them, two or more:
// however many lines of prose are around it, it is a table. So are two or three between blank lines that have more than prose has commas.
// Commas also stand in prose, so that lines with a few of them are none of its records and these have more, and blanks and colons even more
// so.
func isOneTable(text []byte, delimiter string) bool {
	few := 0
	switch delimiter {
	case ";", "\t", "|":
	case ",":
		few = proseCommas
	default:
		return false
	}
	records, each, ended, apart, last := 0, 0, false, false, []byte(nil)
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		n, above := countUnquoted(line, delimiter), last
		last = line
		switch {
		case n <= few && records > 0 && !ended:
			ended, apart = true, apart && len(line) == 0
		case n <= few:
		case ended || n < Narrow || each > 0 && n != each:
			return false
		default:
			apart = apart || records == 0 && len(above) == 0
			records, each = records+1, n
		}
	}
	return records > Evidence || apart && isHeaderWithRow(records, each)
}

// areTwoColumns reports whether the lines with the usual delimiter stand below one another, and the first one has two names, and the others
// a number behind the delimiter. If blanks follow it, they have a number, a day or a time before it, too, and are three or more. Above are
// titles.
//
//	Film 3
//	nm, A
//	800.0, 0.0010
//	799.5, 0.0012
//	799.0, 0.0011
func areTwoColumns(text []byte, delimiter string) bool {
	if !slices.Contains(UsualDelimiters, delimiter) {
		return false
	}
	records, ended, spaced := 0, false, false
	for line := range linesOf(text) {
		first, second, found := bytes.Cut(line, []byte(delimiter))
		a, b := kind.SortOf(first), kind.SortOf(second)
		spaced = spaced || bytes.HasPrefix(second, []byte(" "))
		switch {
		case !found:
			ended = records > 0
		case ended || records == 0 && (a != kind.Word || b != kind.Word):
			return false
		case records > 0 && (b != kind.Number || spaced && a != kind.Number && a != kind.Moment):
			return false
		default:
			records++
		}
	}
	return records > Evidence || records >= Narrow && !spaced
}

// countUnquoted counts the delimiters of a line that stand outside its quotes.
func countUnquoted(line []byte, delimiter string) int {
	n := bytes.Count(line, []byte(delimiter))
	for i, part := range bytes.Split(line, []byte(`"`)) {
		if i%2 == 1 {
			n -= bytes.Count(part, []byte(delimiter))
		}
	}
	return n
}

// isHeaderWithRow reports whether there are two records or more with so many delimiters each that they are no prose.
func isHeaderWithRow(records, each int) bool { return records >= Narrow && each > proseCommas }

// isTableBelowNames reports whether the text is lines with a colon, and below them four or more with the delimiter instead, each as often.
// There may be a colon, too, below three lines or more where each has two or more; and a few lines without the delimiter may stand at the
// end.
func isTableBelowNames(text []byte, delimiter string) bool {
	names, records, each, closing := 0, 0, 0, 0
	for line := range bytes.Lines(text) {
		n, colon := countUnquoted(line, delimiter), bytes.IndexByte(line, ':') >= 0
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case records == 0 && (n == 0 || colon && n < Narrow):
			names++
		case n == 0:
			if closing++; closing > maxClosing {
				return false
			}
		case closing > 0 || colon && (n < Narrow || names < Evidence) || each > 0 && n != each:
			return false
		default:
			records, each = records+1, n
		}
	}
	return names > 0 && (records > Evidence || isHeaderWithRow(records, each))
}

// HasValues reports whether enough cells are values for two columns that the delimiter may have made of one.
func (s Scored) HasValues() bool { return s.values >= doubtfulValues }
