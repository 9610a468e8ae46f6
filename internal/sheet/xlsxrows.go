package sheet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// xlsxRows are a worksheet's rows. excelize gives a cell's value or its formatted text, and neither tells what the cell is; so the sheet
// is read twice in step, the second time with number formats that mark dates.
type xlsxRows struct {
	ctx            context.Context
	values, marked *excelize.Rows
	date1904       bool
	no             int
	text           []byte
}

func (x *xlsxRows) nextRecord(rec *Record) (shape, error) {
	if err := x.ctx.Err(); err != nil {
		return shape{}, err
	}
	if !x.values.Next() || !x.marked.Next() {
		if err := x.values.Error(); err != nil {
			return shape{}, atFault(err)
		}
		return shape{}, io.EOF
	}
	x.no++
	values, err := x.values.Columns(excelize.Options{RawCellValue: true})
	if err != nil {
		return shape{}, atFault(err)
	}
	marked, err := x.marked.Columns()
	if err != nil || len(marked) != len(values) {
		return shape{}, damaged(fmt.Sprintf("row %d is broken", x.no))
	}
	rec.No, rec.Offset = int64(x.no), -1
	rec.Ref = x.readCells(rec, values, marked)
	refuseNUL(rec)
	return shape{skip: len(rec.Cells) == 0, size: len(x.text), width: len(rec.Cells)}, nil
}

// readCells makes the row's cells up to the last one that is not empty and gives the place of the first.
func (x *xlsxRows) readCells(rec *Record, values, marked []string) (ref string) {
	for len(values) > 0 && values[len(values)-1] == "" {
		values = values[:len(values)-1]
	}
	x.text = x.text[:0]
	first := 1
	for i, value := range values {
		if value == "" {
			if first == i+1 {
				first++
			}
			rec.Cells = append(rec.Cells, nil)
			continue
		}
		start := len(x.text)
		x.text = append(x.text, cellText(value, marked[i], x.date1904)...)
		rec.Cells = append(rec.Cells, x.text[start:len(x.text):len(x.text)])
	}
	column, _ := excelize.ColumnNumberToName(first) // excelize gives no more columns than it can name
	return column + strconv.Itoa(x.no)
}

func (x *xlsxRows) raw(rec *Record) []byte { return bytes.Join(rec.Cells, []byte("\t")) }

// cellText gives the text of a cell's value: dates by their number format, TRUE and FALSE, numbers as the shortest text that means them.
// A value that looks the same either way is text, or a number that needs no change.
func cellText(value, marked string, date1904 bool) string {
	if value == marked {
		return value
	}
	if kind, ok := dateMarks[marked]; ok {
		if serial, err := strconv.ParseFloat(value, 64); err == nil {
			if text, ok := serialText(serial, kind, date1904); ok {
				return text
			}
		}
	}
	if marked == "TRUE" || marked == "FALSE" {
		return marked
	}
	if number, err := strconv.ParseFloat(value, 64); err == nil {
		return numberText(number)
	}
	return value
}
