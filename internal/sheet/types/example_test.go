package types_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// show reads each line as a column, whose cells stand with a bar between, and writes what it is and what its values are.
func show(columns ...string) {
	cells := make([][]string, len(columns))
	for i, text := range columns {
		cells[i] = strings.Split(text, "|")
	}
	for i, r := range observeAll(cells...) {
		fmt.Printf("%s %s:", r.Type, r.Format)
		c, err := types.NewConverter(r.Type, r.Format, r.Digits)
		if err != nil {
			fmt.Print(err)
		}
		for _, cell := range cells[i] {
			v, _ := c.Value([]byte(cell))
			b, err := json.Marshal(v)
			fmt.Printf(" %s", b)
			if err != nil {
				fmt.Print(err)
			}
		}
		fmt.Println()
	}
}

func Example() {
	t := types.NewTable(1)
	for i, cell := range []string{"1,200", "", "△50", "１５０", "ask", "980円"} {
		t.Add(int64(i+2), [][]byte{[]byte(cell)}) // the header is row 1
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	if err := out.Encode(t.Reports()[0]); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//  "type": "text",
	//  "nulls": 0,
	//  "empty": 1,
	//  "distinct": 5,
	//  "min": "1,200",
	//  "max": "１５０",
	//  "longest": 5,
	//  "examples": [
	//   "1,200",
	//   "△50",
	//   "１５０",
	//   "ask",
	//   "980円"
	//  ],
	//  "nearly": {
	//   "type": "integer",
	//   "format": "¥#,##0",
	//   "count": 1,
	//   "misfits": [
	//    {
	//     "row": 6,
	//     "value": "ask"
	//    }
	//   ]
	//  }
	// }
}

func ExampleTable_numbers() {
	show(
		"1|20|-3",
		"1,234|12,345|7",
		"0.5|12|1,234.25",
		"12,50|1.234,00",
		"△5|▲6|(7)|8-|－９|10",
		"¥1,200|300円",
		"12.5%|8%",
		"1.5E-7|2",
		"1234567890123456|7",
	)
	// Output:
	// integer 0: 1 20 -3
	// integer #,##0: 1234 12345 7
	// decimal #,##0.0: 0.5 12 1234.25
	// decimal #.##0,0: 12.50 1234.00
	// integer 0: -5 -6 -7 -8 -9 10
	// integer ¥#,##0: 1200 300
	// decimal 0.0%: 0.125 0.08
	// decimal 0.0: 1.5E-7 2
	// integer 0: "1234567890123456" "7"
}

func ExampleTable_dates() {
	show(
		"2024-01-31|2024-2-1|",
		"2024年1月31日|令和6年2月1日|R6.2.2",
		"20240131|99991231",
		"31/01/2024|01/02/2024",
		"5-Jan-2024|Jan 6, 2024",
		"2024/1/31 9:05|2024/2/1",
		"2024-01-31T09:05:00Z|2024-01-31 18:05:00+09:00",
		"9:05|午後3時30分|24:00",
		"9:05|27:30|-0:10",
	)
	// Output:
	// date YYYY-MM-DD: "2024-01-31" "2024-02-01" null
	// date YYYY年MM月DD日|era: "2024-01-31" "2024-02-01" "2024-02-02"
	// date YYYYMMDD: "2024-01-31" "9999-12-31"
	// date DD/MM/YYYY: "2024-01-31" "2024-02-01"
	// date month name: "2024-01-05" "2024-01-06"
	// timestamp YYYY/MM/DD hh:mm: "2024-01-31T09:05:00" "2024-02-01T00:00:00"
	// timestamp YYYY-MM-DD hh:mm:ss±hh:mm: "2024-01-31T09:05:00Z" "2024-01-31T18:05:00+09:00"
	// time hh:mm AM/PM: "09:05:00" "15:30:00" "24:00:00"
	// duration hh:mm: "PT9H5M" "PT27H30M" "-PT10M"
}

func ExampleTable_text() {
	show(
		"007|008",
		"1|2|N/A",
		"01/02/2024|03/04/2024",
		"昭和64年1月8日",
		"24/01/15",
		"(1)|(2)",
		"1E5",
		"¥5|$5",
	)
	// Output:
	// text : "007" "008"
	// integer 0: 1 2 null
	// text : "01/02/2024" "03/04/2024"
	// text : "昭和64年1月8日"
	// text : "24/01/15"
	// text : "(1)" "(2)"
	// text : "1E5"
	// text : "¥5" "$5"
}

// The columns of a sheet were written by the same habits: one that shows them decides for those that do not.
func ExampleTable_otherColumns() {
	show("01/02/2024|03/04/2024", "1.234|5.678", "31/12/2024", "12,5")
	// Output:
	// date DD/MM/YYYY: "2024-02-01" "2024-04-03"
	// integer #.##0: 1234 5678
	// date DD/MM/YYYY: "2024-12-31"
	// decimal 0,0: 12.5
}

func ExampleChecker() {
	var checks []*types.Check
	for _, text := range []string{"id:integer;required;unique", "price:decimal;min=0;max=1000", "colour:text;allowed=red|blue"} {
		rule, err := types.ParseRule(text)
		if err != nil {
			fmt.Println(err)
		}
		check, err := rule.Compile()
		if err != nil {
			fmt.Println(err)
		}
		checks = append(checks, check)
	}
	checker := types.NewChecker(checks, types.MaxUnique)
	for i, cells := range []string{"1|12.50|red", "2|△5|green", "1|7|blue", "|x|red"} {
		faults, err := checker.Check(int64(i+2), row(cells))
		for _, f := range faults {
			fmt.Printf("row %d, column %d: %s: %s\n", i+2, f.Column+1, f.Code, f.Message(false))
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// row 3, column 2: out_of_range: The value is less than 0.
	// row 3, column 3: not_allowed: The value is not one of those allowed: red, blue.
	// row 4, column 1: not_unique: The value also occurs in row 2, but the column is unique.
	// row 5, column 1: required_missing: The cell is empty, but the column is required.
	// row 5, column 2: type_mismatch: The value is not of the type decimal.
}
