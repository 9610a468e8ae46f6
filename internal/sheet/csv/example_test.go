package csv_test

import (
	"errors"
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
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		var cells []string
		for _, field := range record.Fields {
			cell := record.Raw[field.Start:field.End]
			if field.Escaped {
				cell = config.AppendText(nil, cell)
			}
			cells = append(cells, string(cell))
		}
		fmt.Printf("%q", cells)
		if record.Fault == csv.OpenAtQuote {
			fmt.Printf(" has an unbalanced quote in column %d", record.FaultColumn)
		}
		fmt.Println()
	}
	// Output:
	// ["id" "note"]
	// ["1" "a \"b\", c"]
	// ["2" "\"5 inch"] has an unbalanced quote in column 2
	// ["3" "6 inch"]
}
