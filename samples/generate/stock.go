package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/xuri/excelize/v2"
)

// stock is a warehouse's workbook: what is there, what came and went, and a hidden list that its formulas need.
func stock() ([]byte, error) {
	book := excelize.NewFile()
	date, err := style(book, "yyyy-mm-dd")
	clock, err2 := style(book, "yyyy/mm/dd hh:mm")
	percent, err3 := style(book, "0.0%")
	errs := []error{err, err2, err3, book.SetSheetName("Sheet1", "Stock")}
	for _, name := range []string{"Movements", "Lists"} {
		_, err := book.NewSheet(name)
		errs = append(errs, err)
	}
	errs = append(errs,
		fillStock(book, date, percent), fillMovements(book, clock), fillLists(book), book.SetSheetVisible("Lists", false))
	var b bytes.Buffer
	errs = append(errs, book.Write(&b), book.Close())
	return b.Bytes(), errors.Join(errs...)
}

func style(book *excelize.File, format string) (int, error) {
	return book.NewStyle(&excelize.Style{CustomNumFmt: &format})
}

func row(book *excelize.File, sheet string, no int, cells ...any) error {
	return book.SetSheetRow(sheet, fmt.Sprintf("A%d", no), &cells)
}

func fillStock(book *excelize.File, date, percent int) error {
	bins := []string{"A-01", "A-02", "B-01", "倉庫２"}
	names := []string{"Hex bolt M8", "Washer", "六角ナット", "Split pin", "Thread tape"}
	errs := []error{row(book, "Stock", 1, "SKU", "Name", "Bin", "Quantity", "Unit price", "Counted on", "Discount", "Discontinued")}
	no := 2
	for i := range 25 {
		switch i {
		case 10:
			no++ // a row without anything
		case 15:
			errs = append(errs, row(book, "Stock", no, "00915", "Split pin", "B-01", 12, 0.35, nil, nil, false, "see note", "ask Ken"))
			no++
		}
		counted := time.Date(2024, time.Month(i%12+1), i+1, 0, 0, 0, 0, time.UTC)
		cells := []any{fmt.Sprintf("%05d", 100+i), pick(names, i, 2), pick(bins, i, 1), i * 37 % 500, float64(i*i%90) / 8, counted, 0.05 * float64(i%3), i%6 == 0}
		if i%4 == 3 {
			cells = cells[:5] // not counted, and nothing to say about it
		}
		errs = append(errs, row(book, "Stock", no, cells...))
		no++
	}
	errs = append(errs, book.SetCellStyle("Stock", "F2", "F28", date), book.SetCellStyle("Stock", "G2", "G28", percent))
	return errors.Join(errs...)
}

func fillMovements(book *excelize.File, clock int) error {
	errs := []error{row(book, "Movements", 1, "At", "SKU", "Change", "By", "Remark")}
	at := time.Date(2024, 6, 3, 8, 30, 0, 0, time.UTC)
	for i := range 12 {
		errs = append(errs, row(book, "Movements", i+2, at.Add(time.Duration(i)*95*time.Minute), fmt.Sprintf("%05d", 100+i*3%25), (i*5%11-5)*10,
			pick([]string{"佐藤", "Ken", "Zoë"}, i, 1), pick([]string{"", "first line\nsecond line", "return"}, i, 1)))
	}
	errs = append(errs,
		row(book, "Movements", 14, at.AddDate(0, 0, 2), "00103", 5, "Ken", "", "counted twice"),
		book.SetCellStyle("Movements", "A2", "A14", clock))
	return errors.Join(errs...)
}

func fillLists(book *excelize.File) error {
	return errors.Join(row(book, "Lists", 1, "Bin", "Zone"), row(book, "Lists", 2, "A-01", "dry"), row(book, "Lists", 3, "B-01", "cold"))
}
