package xlsx_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx"
)

func Example() {
	book, err := xlsx.Open(bytes.NewReader(priceList), int64(len(priceList)), xlsx.Options{Limits: grid.DefaultLimits()})
	if err != nil {
		log.Fatal(err) // an *grid.Error is the file's fault
	}
	defer book.Close()
	for _, sheet := range book.Sheets() {
		if sheet.Kind != grid.Worksheet || sheet.Visibility != grid.Visible {
			continue
		}
		rows, err := book.Rows(sheet.Number)
		if err != nil {
			log.Fatal(err)
		}
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				log.Fatal(err)
			}
			for _, cell := range row.Cells {
				fmt.Printf("%s %s %s%s\n", sheet.Name, grid.Reference(cell.Column, row.No), cell.Text, cell.Fault)
			}
		}
	}
	// Output:
	// Prices A1 article
	// Prices B1 price
	// Prices A2 橘子
	// Prices B2 0.1
}

var priceList = func() []byte {
	var file bytes.Buffer
	book := excelize.NewFile()
	defer book.Close()
	for _, err := range []error{
		book.SetSheetName("Sheet1", "Prices"),
		book.SetSheetRow("Prices", "A1", &[]any{"article", "price"}),
		book.SetSheetRow("Prices", "A2", &[]any{"橘子", 0.1}),
		book.Write(&file),
	} {
		if err != nil {
			log.Fatal(err)
		}
	}
	return file.Bytes()
}()
