package sheet

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// dateKind is what a number format shows of a serial date.
type dateKind uint8

const (
	notDate dateKind = iota
	dateOnly
	timeOnly
	dateTime
	elapsed // [h]:mm, hours beyond 24
)

// dateMarks are the texts that stand for a cell's value once markDates has been there.
var dateMarks = map[string]dateKind{"\x01date": dateOnly, "\x01time": timeOnly, "\x01datetime": dateTime, "\x01elapsed": elapsed}

// unformatted is a number format's id that no workbook has: excelize gives such a cell's number as it is.
const unformatted = 1 << 30

// markDates replaces the number formats of the workbook in memory, so that the text of a cell with a date is its mark and the text of
// any other cell is its value.
func markDates(book *excelize.File) error {
	if book.Styles == nil || book.Styles.CellXfs == nil {
		return nil
	}
	codes := map[int]string{}
	if book.Styles.NumFmts != nil {
		for _, f := range book.Styles.NumFmts.NumFmt {
			codes[f.NumFmtID] = f.FormatCode
		}
	}
	formats := book.Styles.CellXfs.Xf
	marks := map[dateKind]int{notDate: unformatted}
	for mark, kind := range dateMarks {
		code := `"` + mark + `"`
		style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &code})
		if err != nil {
			return err
		}
		marks[kind] = *book.Styles.CellXfs.Xf[style].NumFmtID
	}
	for i := range formats {
		kind := notDate
		if id := formats[i].NumFmtID; id != nil {
			kind = formatKind(*id, codes[*id])
		}
		id := marks[kind]
		book.Styles.CellXfs.Xf[i].NumFmtID = &id
	}
	return nil
}

// formatKind tells what a number format shows: one of the formats that Excel has built in, or a code as ECMA-376 part 1, 18.8.31,
// describes it, whose first section decides.
func formatKind(id int, code string) dateKind {
	if code == "" {
		return builtinKind(id)
	}
	letters, isElapsed := formatLetters(strings.ToLower(code))
	hasTime := strings.ContainsAny(letters, "hs")
	hasDate := strings.ContainsAny(letters, "ydegb") || strings.Contains(letters, "m") && !hasTime
	switch {
	case isElapsed:
		return elapsed
	case hasDate && hasTime:
		return dateTime
	case hasDate:
		return dateOnly
	case hasTime:
		return timeOnly
	}
	return notDate
}

// noDateWords hold letters that mean nothing of a date.
var noDateWords = strings.NewReplacer("general", "", "e+", "", "e-", "")

// formatLetters strips the first section of a number format's code of literals, colours and conditions, and tells whether it has an
// elapsed time such as [h].
func formatLetters(code string) (letters string, isElapsed bool) {
	var b strings.Builder
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch code[i] {
		case '"':
			literal, _, _ := strings.Cut(code[i+1:], `"`)
			i += len(literal) + 1
		case '[':
			inner, _, _ := strings.Cut(code[i+1:], "]")
			isElapsed = isElapsed || inner != "" && strings.Trim(inner, "hms") == ""
			i += len(inner) + 1
		case '\\', '_', '*':
			i++
		default:
			b.WriteByte(code[i])
		}
	}
	return noDateWords.Replace(b.String()), isElapsed
}

// builtinKind knows the built-in formats, and those that a Japanese Excel has built in.
func builtinKind(id int) dateKind {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58:
		return dateOnly
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47:
		return timeOnly
	case id == 22:
		return dateTime
	case id == 46:
		return elapsed
	}
	return notDate
}
