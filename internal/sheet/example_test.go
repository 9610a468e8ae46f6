package sheet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"sheetdrop/internal/sheet"
)

// A price list as somebody sent it: the delimiter is found, and the record that breaks off is told from the others.
func Example() {
	file := strings.NewReader("Article;Price\n\"Pipe 1/2\"\"\";12,50\nNut\nBolt;0,35\n")
	book, err := sheet.Open(context.Background(), file, sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		log.Fatal(err) // a *sheet.Refusal where the file is at fault
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for {
			rec, err := s.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				log.Fatal(err)
			}
			switch rec.Kind {
			case sheet.Row:
				fmt.Printf("row %d: %q\n", rec.No, rec.Cells)
			case sheet.Reject:
				e := rec.Errors[0]
				fmt.Printf("line %d, column %s: %s: %q\n", rec.Line, e.ColumnName, e.Code, rec.Raw)
			}
		}
	}
	// Output:
	// row 2: ["Pipe 1/2\"" "12,50"]
	// line 3, column Price: missing_cell: "Nut"
	// row 4: ["Bolt" "0,35"]
}
