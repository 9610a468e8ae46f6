package export

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/workbook"
)

// The styles of a table's workbook; those of the columns follow.
const (
	headerStyle = iota + 1
	textStyle
	shortenedStyle
)

// sheetWriter writes a list as a workbook: a worksheet, and another one for what a worksheet cannot hold.
type sheetWriter[T any] struct {
	table   table[T]
	book    *workbook.Writer
	formats []columnFormat
	row     int

	styles     []int    // of the columns
	shortened  []string // references of texts that were cut, the first ones
	shortenedN int
}

func newSheetWriter[T any](t table[T]) itemWriter[T] {
	w := &sheetWriter[T]{table: t, formats: make([]columnFormat, len(t.columns))}
	for i, c := range t.columns {
		w.formats[i] = newColumnFormat(c)
	}
	return w
}

// inspectsAll is false: the first page shows how wide the columns are, and how many decimal places they have.
func (w *sheetWriter[T]) inspectsAll() bool { return false }

func (w *sheetWriter[T]) inspect(item T) {
	_ = w.table.records(item, func(part T) error {
		for i, v := range w.table.values(part) {
			w.formats[i].see(v)
		}
		return nil
	})
}

func (w *sheetWriter[T]) settle() error { return checkWidth(len(w.table.columns), workbook.MaxColumns) }

// checkWidth returns the problem of more columns than a format can have.
func checkWidth(columns, limit int) error {
	if columns <= limit {
		return nil
	}
	return problem.New(problem.TooManyColumns, "The table would have %d columns; this format can have %d. CSV and NDJSON have no such limit.",
		columns, limit)
}

func (w *sheetWriter[T]) to(out io.Writer) {
	styles := []workbook.Style{
		{Bold: true, Fill: "D9E1F2", Format: workbook.TextFormat}, {Format: workbook.TextFormat}, {Format: workbook.TextFormat, Fill: "FFEB9C"},
	}
	known := map[string]int{}
	for _, f := range w.formats {
		code := f.code()
		if known[code] == 0 {
			styles = append(styles, workbook.Style{Format: code})
			known[code] = len(styles)
		}
		w.styles = append(w.styles, known[code])
	}
	w.book = workbook.New(out, styles)
}

func (w *sheetWriter[T]) begin() {
	columns := make([]workbook.Column, len(w.formats))
	for i, f := range w.formats {
		columns[i] = workbook.Column{Width: f.displayWidth(), Style: w.styles[i]}
	}
	w.book.BeginSheet(w.table.title, columns)
	w.book.BeginRow()
	for _, c := range w.table.columns {
		w.book.Text(headerStyle, c.name)
	}
	w.book.EndRow()
	w.row = 1
}

func (w *sheetWriter[T]) item(item T) error {
	return w.table.records(item, func(part T) error {
		if w.row == workbook.MaxRows {
			if err := w.book.EndSheet(); err != nil {
				return err
			}
			w.begin()
		}
		w.row = w.book.BeginRow()
		for i, v := range w.table.values(part) {
			w.cell(i, v)
		}
		w.book.EndRow()
		return nil
	})
}

func (w *sheetWriter[T]) cell(column int, v value) {
	style := w.styles[column]
	switch {
	case v.null || v.kind != types.Boolean && v.text == "":
		w.book.Skip()
	case v.kind == types.Boolean:
		w.book.Bool(style, v.truth)
	case v.kind == types.Text:
		w.text(column, v.text)
	default:
		if number, ok := v.excelNumber(); ok {
			w.book.Number(style, number)
		} else {
			w.text(column, v.text)
		}
	}
}

// maxShortened is how many shortened texts are listed.
const maxShortened = 1000

func (w *sheetWriter[T]) text(column int, text string) {
	style := textStyle
	if len(text) > workbook.MaxText && utf8.RuneCountInString(text) > workbook.MaxText/2 {
		style = shortenedStyle
	}
	if !w.book.Text(style, text) {
		return
	}
	w.shortenedN++
	if len(w.shortened) < maxShortened {
		w.shortened = append(w.shortened, fmt.Sprintf("%s!%s", w.book.SheetName(), workbook.Reference(column, w.row)))
	}
}

func (w *sheetWriter[T]) end(string) {
	_ = w.book.EndSheet() // finish returns its error
	if w.shortenedN == 0 {
		return
	}
	w.book.BeginSheet("Shortened", []workbook.Column{{Width: 60, Style: textStyle}})
	for _, line := range append([]string{fmt.Sprintf("%d texts are longer than the %d characters that a cell can have. They end with … here; CSV, NDJSON and "+
		"Parquet have them whole.", w.shortenedN, workbook.MaxText)}, w.shortened...) {
		w.book.BeginRow()
		w.book.Text(textStyle, line)
		w.book.EndRow()
	}
	_ = w.book.EndSheet()
}

func (w *sheetWriter[T]) Flush() error { return w.book.Flush() }

func (w *sheetWriter[T]) finish() error { return w.book.Close() }

// columnFormat is how a worksheet shows a column.
type columnFormat struct {
	tableColumn
	width  int // of the widest value seen, in characters of a Latin letter's width
	places int // decimal places of the numbers seen
}

func newColumnFormat(c tableColumn) columnFormat {
	return columnFormat{tableColumn: c, width: displayWidth(c.name)}
}

func (f *columnFormat) see(v value) {
	f.width = max(f.width, displayWidth(v.text))
	if v.kind != types.Decimal {
		return
	}
	if _, fraction, found := strings.Cut(v.text, "."); found && !strings.ContainsAny(fraction, "eE") {
		f.places = max(f.places, len(fraction))
	}
}

// maxPlaces is how many decimal places a number format shows: Excel has no more digits.
const maxPlaces = 15

// code returns the column's number format.
func (f *columnFormat) code() string {
	switch f.Type {
	case types.Integer, types.Decimal:
		return f.numberCode()
	case types.Date:
		return "yyyy-mm-dd"
	case types.Time:
		return "hh:mm:ss" + f.fraction()
	case types.Timestamp:
		return "yyyy-mm-dd hh:mm:ss" + f.fraction()
	case types.Duration:
		return "[h]:mm:ss"
	case types.Boolean:
		return ""
	}
	return workbook.TextFormat
}

func (f *columnFormat) fraction() string {
	if strings.Contains(f.Format, ".fff") {
		return ".000"
	}
	return ""
}

func (f *columnFormat) numberCode() string {
	code, places, percent := "0", min(f.places, maxPlaces), ""
	if strings.Contains(f.Format, "#") {
		code = "#,##0"
	}
	if strings.HasSuffix(f.Format, "%") {
		percent, places = "%", max(0, places-2)
	}
	if places > 0 {
		code += "." + strings.Repeat("0", places)
	}
	if sign, size := utf8.DecodeRuneInString(f.Format); size > 0 && strings.ContainsRune("¥$€£", sign) {
		code = `"` + string(sign) + `"` + code
	}
	return code + percent
}

// displayWidth returns the width at which a column shows what has been seen, within reason.
func (f *columnFormat) displayWidth() int { return min(max(f.width+2, 8), 60) }

// displayWidth returns how wide the widest line of a text is: East Asian characters take two places.
func displayWidth(text string) (width int) {
	line := 0
	for _, r := range text {
		switch {
		case r == '\n':
			line = 0
		case r >= 0x1100 && (r < 0xFF61 || r > 0xFF9F):
			line += 2
		default:
			line++
		}
		width = max(width, line)
	}
	return width
}
