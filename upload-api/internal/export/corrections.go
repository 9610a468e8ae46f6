package export

import (
	"encoding/base64"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/workbook"
)

// The columns of a file of corrections before those of the sheet.
const (
	keyAt = iota
	lineAt
	reasonAt
	extraColumns
)

// correctionForm shows rejects as the records that they are: the cells under the sheet's columns, with the line and what is wrong, and
// the key by which the record, corrected, finds its place.
type correctionForm struct {
	sheetID  int64
	columns  []sheet.Column
	japanese bool

	cells [][]byte
}

// names returns the names of all columns.
func (f *correctionForm) names() []tableColumn {
	line, reason := "line", "reason"
	if f.japanese {
		line, reason = "行", "理由"
	}
	names := []tableColumn{
		{sheet.KeyColumn(f.columns), ofType(types.Text)}, {sheet.FreeColumnName(line, f.columns), ofType(types.Text)},
		{sheet.FreeColumnName(reason, f.columns), ofType(types.Text)},
	}
	for _, c := range f.columns {
		names = append(names, tableColumn{c.Name, ofType(types.Text)})
	}
	return names
}

// isRecord reports whether a reject is a record of its own, and not a further reason of one, in a task from before a reject had all of its
// reasons.
func isRecord(r postgres.RowReject) bool { return r.ErrorNo == 1 || r.Raw != nil || r.Cells != nil }

// split leaves out what is no record of its own.
func (f *correctionForm) split(r postgres.RowReject) []postgres.RowReject {
	if !isRecord(r) {
		return nil
	}
	return []postgres.RowReject{r}
}

// show returns the texts of a record, valid until the next call. It may have more cells than the sheet has columns.
func (f *correctionForm) show(r postgres.RowReject) [][]byte {
	f.cells = append(f.cells[:0], []byte(sheet.RejectKey{SheetID: f.sheetID, RowNo: r.RowNo, ErrorNo: r.ErrorNo}.String()),
		strconv.AppendInt(nil, lineOf(r), 10), []byte(f.reason(r)))
	f.cells = append(f.cells, r.Cells...)
	for len(f.cells) < extraColumns+len(f.columns) {
		f.cells = append(f.cells, nil)
	}
	return f.cells
}

func lineOf(r postgres.RowReject) int64 {
	if r.Line != nil {
		return *r.Line
	}
	return r.RowNo
}

// reason returns what is wrong with a record, a line for each error; of one whose cells are not known, also its bytes.
func (f *correctionForm) reason(r postgres.RowReject) string {
	var lines []string
	for _, e := range r.Errors {
		text := f.message(e)
		if e.ColumnName != "" {
			text = e.ColumnName + ": " + text
		}
		lines = append(lines, text)
	}
	switch {
	case r.Cells != nil || r.Raw == nil:
	case utf8.Valid(r.Raw):
		lines = append(lines, string(r.Raw))
	default:
		lines = append(lines, base64.StdEncoding.EncodeToString(r.Raw))
	}
	return strings.Join(lines, "\n")
}

func (f *correctionForm) message(e postgres.RejectError) string {
	if f.japanese && e.MessageJA != "" {
		return e.MessageJA
	}
	return e.Message
}

// The styles of a workbook of corrections, besides headerStyle and textStyle.
const (
	wrongStyle = iota + shortenedStyle
	reasonStyle
)

// correctionBook writes rejects as a workbook for people to correct: wrong cells are coloured, with the reason as a comment, and the
// column with the keys is hidden.
type correctionBook struct {
	form   *correctionForm
	title  string
	names  []tableColumn
	widths []int
	book   *workbook.Writer
	row    int
	marks  map[int]string // of the current record: what is wrong with a column, "" where a column before it says so
}

func newCorrectionBook(form *correctionForm, title string) *correctionBook {
	b := &correctionBook{form: form, title: title, names: form.names(), marks: map[int]string{}}
	for _, c := range b.names {
		b.widths = append(b.widths, displayWidth(c.name))
	}
	return b
}

func (b *correctionBook) inspectsAll() bool { return false }

func (b *correctionBook) inspect(r postgres.RowReject) {
	for i, cell := range b.form.show(r) {
		if i < len(b.widths) {
			b.widths[i] = max(b.widths[i], displayWidth(string(cell)))
		}
	}
}

func (b *correctionBook) settle() error { return checkWidth(len(b.names), workbook.MaxColumns) }

func (b *correctionBook) to(out io.Writer) {
	b.book = workbook.New(out, []workbook.Style{
		{Bold: true, Fill: "D9E1F2", Format: workbook.TextFormat}, {Format: workbook.TextFormat},
		{Format: workbook.TextFormat, Fill: "FFC7CE"}, {Format: workbook.TextFormat, Fill: "FFF2CC", Wrap: true},
	})
}

// reasonWidth is how wide the reasons are, in characters, before they are wrapped.
const reasonWidth = 60

func (b *correctionBook) begin() {
	columns := make([]workbook.Column, len(b.names))
	for i, width := range b.widths {
		columns[i] = workbook.Column{Width: min(max(width+2, 8), reasonWidth), Style: textStyle}
	}
	columns[keyAt].Hidden = true
	b.book.BeginSheet(b.title, columns)
	b.book.BeginRow()
	for _, c := range b.names {
		b.book.Text(headerStyle, c.name)
	}
	b.book.EndRow()
	b.row = 1
}

func (b *correctionBook) item(r postgres.RowReject) error {
	if len(b.form.split(r)) == 0 {
		return nil
	}
	if b.row == workbook.MaxRows {
		if err := b.book.EndSheet(); err != nil {
			return err
		}
		b.begin()
	}
	b.mark(r)
	b.row = b.book.BeginRow()
	cells := b.form.show(r)
	for i, cell := range cells[:min(len(cells), workbook.MaxColumns)] {
		b.cell(i, cell)
	}
	b.book.EndRow()
	return nil
}

// mark notes which columns are wrong, and why.
func (b *correctionBook) mark(r postgres.RowReject) {
	clear(b.marks)
	for _, e := range r.Errors {
		for column := e.ColumnNo; column > 0 && column <= max(e.ColumnNo, min(e.LastColumnNo, workbook.MaxColumns)); column++ {
			at := extraColumns + column - 1
			if column > e.ColumnNo {
				b.marks[at] += ""
			} else {
				b.marks[at] = strings.TrimSpace(b.marks[at] + "\n" + b.form.message(e))
			}
		}
	}
}

func (b *correctionBook) cell(column int, cell []byte) {
	comment, wrong := b.marks[column]
	style := textStyle
	switch {
	case column == reasonAt:
		style = reasonStyle
	case wrong:
		style = wrongStyle
	}
	switch {
	case len(cell) > 0:
		b.book.Text(style, string(cell))
	case wrong:
		b.book.Blank(style)
	default:
		b.book.Skip()
	}
	if comment != "" {
		b.book.Comment(comment)
	}
}

func (b *correctionBook) end(string) { _ = b.book.EndSheet() } // finish returns its error

func (b *correctionBook) Flush() error { return b.book.Flush() }

func (b *correctionBook) finish() error { return b.book.Close() }
