package csv_test

import (
	"fmt"
	"io"
	"strings"

	"sheetdrop/internal/sheet/csv"
)

func ExampleScanner() {
	text := "id,note\n" +
		`1,"a ""b"", c"` + "\n" +
		`2,"5 inch` + "\n" + // a stray quote costs its line, and nothing else
		`3,"6 inch"` + "\n"
	config := csv.Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 1 << 20, Fields: 100}
	scanner := csv.NewScanner(strings.NewReader(text), config)
	for {
		record, err := scanner.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, field := range record.Fields {
			cell := record.Raw[field.Start:field.End]
			if field.Escaped {
				cell = config.AppendText(nil, cell)
			}
			fmt.Printf("[%s] ", cell)
		}
		if record.Fault == csv.OpenAtQuote {
			fmt.Printf("fault in column %d", record.FaultColumn)
		}
		fmt.Println()
	}
	// Output:
	// [id] [note]
	// [1] [a "b", c]
	// [2] ["5 inch] fault in column 2
	// [3] [6 inch]
}
