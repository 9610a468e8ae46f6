package sheet_test

// businessFiles are texts as programs of offices, shops and banks export them: parts with titles, sums and results among the rows, lists of
// names with their values above them, and what they write below.
var businessFiles = []corpusFile{
	{"among-titles-without-delimiters-below-blanks", "utf-8", ",", 3, 1, counts{5, 0, 13}, "Date|Kind|Text|Reference|Debit|Credit", [2]string{"6 skip Fees", "10 skip Net movement|||||120.00"}},
	{"among-titles-alone-above-the-header-again", "utf-8", ",", 1, 1, counts{5, 0, 4}, "Bed|Plant|Rows|Sown", [2]string{"7 skip Garden: South", "10 row S-2|Squash|2|2024-05-11"}},
	{"among-results-of-several-parts", "utf-8", ",", 1, 1, counts{5, 0, 7}, "column_1|2022|2023", [2]string{"7 skip Gross Profit|6,310.00|6,830.75", "10 row Loss on sale of chairs|80.00|0.00"}},
	{"among-sums-marked-in-the-second-column", "utf-8", ",", 0, 1, counts{4, 0, 3}, "Part|Row|Kind|Currency|Symbol|Day|Quantity|Proceeds", [2]string{"4 skip Deals|SubTotal||EUR|AAA||6|-239.20", "8 skip Deals|Total||EUR||||-436.60"}},
	{"among-sums-of-months-in-a-ledger", "utf-8", ",", 3, 1, counts{6, 0, 6}, "日付|番号|相手科目|摘要|借方|貸方|残高", [2]string{"5 row |||前月繰越|||80,000", "9 skip |||3月度 月計|12,000|6,050|"}},
	{"among-totals-for-a-part-with-a-count", "utf-8", ",", 3, 1, counts{5, 0, 10}, "Day|Hour|Gate|Class|Length|Price", [2]string{"7 skip Total for car|||2 trips|0:09:55|£4.00", "13 row 28/06/2024|21:30|Old bridge|Van|0:03:02|£1.90"}},
	{"header-groups-above-a-blank-line", "utf-8", ",", 2, 2, counts{4, 0, 6}, "Branch|Books 2021|Books 2023|Films 2021|Films 2023", [2]string{"5 header Branch|2021|2023|2021|2023", "7 row Harbour|12,004|12,610|870|655"}},
	{"header-answers-below-questions", "utf-8", ",", 0, 2, counts{4, 0, 0}, "No|Sent|How was the food? Answer|How did you come? Bus|How did you come? Bike|How did you come? On foot|Anything else? Free text", [2]string{"3 row 501|2024-06-03 10:11|Good|Bus|||", ""}},
	{"second-table-below-a-total", "utf-8", ",", 0, 1, counts{4, 5, 2}, "Run|Driver|Crates|Fuel|Toll", [2]string{"6 skip Total||171|97.30|10.50", "9 reject Shop|Crates|Credit"}},
	{"above-pairs-that-end-with-a-delimiter", "utf-8", ";", 7, 1, counts{3, 0, 7}, "Vráceno|Kolo|Jméno|Dní|Cena", [2]string{"8 header Vráceno|Kolo|Jméno|Dní|Cena", "11 row 22.03.2024|K-12|Dvořák|2|290,00"}},
	{"footer-number-of-records", "utf-8", ",", 0, 1, counts{4, 0, 3}, "Number|Lot|Buyer|Title|Pieces|Price", [2]string{"7 skip 4|record(s) written|", "8 skip Seller : loft"}},
	{"footer-balance-with-a-delimiter-behind", "utf-8", ";", 4, 1, counts{4, 0, 6}, "Buchungstag|Valuta|Vorgang|Text|Umsatz", [2]string{"5 header Buchungstag|Valuta|Vorgang|Text|Umsatz", "11 skip Alter Kontostand|1.030,00 EUR|"}},
	{"commas-below-prose-and-above-a-drawn-line", "utf-8", ",", 4, 1, counts{4, 0, 9}, "No|Order|Time|Shop|Amount|Way", [2]string{"12 skip In:1 entry|20.00", ""}},
	{"fixed-width-two-lines-for-each-payment", "utf-8", "", 2, 1, counts{8, 0, 2}, "Day|Payment|Out|In|Holds", [2]string{"4 row 03/04/24|STANDING ORDER|120.00||2,310.00", "5 row |BERTH 14|null|null|null"}},
	{"among-sums-of-parts-in-an-unnamed-column", "utf-8", ",", 4, 1, counts{5, 0, 11}, "Date|Kind|No|Due|Open", [2]string{"9 skip Total for Elm House|||||$1,170.40", "13 skip Yew Bakery|||||"}},
	{"among-titles-of-three-cells-above-the-header-again", "utf-8", ",", 3, 1, counts{5, 0, 8}, "Slip|Day|Kind|Hirer|Days|Price|Paid|Open", [2]string{"3 skip Boat: ELSA|||4 berths||Mr Hale||", "10 skip Boat: IDA|||6 berths||Ms Rao||"}},
	{"above-days-of-a-form-and-units", "utf-8", ",", 2, 2, counts{4, 0, 2}, "Shift|Heat °C|Gas m3/h|Fill %", [2]string{"5 row 2025-03-03|1180|41.5|92", "8 row 2025-03-06|1182|41.9|90"}},
	{"second-table-below-titles-and-blanks-with-units-in-its-names", "utf-8", ",", 1, 1, counts{3, 5, 2}, "Week|t|Price", [2]string{"5 row 2025-W03|27|88.00", "7 reject Peat"}},
	{"second-table-of-two-rows-below-a-total", "utf-8", ",", 0, 1, counts{3, 3, 2}, "Gang|Quarry|Plan|Cut|Share", [2]string{"4 row Dusk|Q2|250|190|0.76", "7 reject Halts|Minutes|Cause||"}},
	{"fixed-width-underlined-left-of-numbers", "utf-8", "", 1, 1, counts{4, 0, 3}, "Name|Id|CPU(s)|Started", [2]string{"7 row Tide Gauge|12044|1.50|2025-02-14 13:12", ""}},
	{"windows-1252-cubic-metres", "windows-1252", ";", 0, 1, counts{4, 0, 0}, "Pos|Werk|Menge|Einheit", [2]string{"2 row 1|Erdarbeiten|120,5|m³", ""}},
	{"runs-of-blanks-below-names-behind-a-mark", "utf-8", "", 0, 1, counts{5, 0, 2}, "time|load|temp", [2]string{"3 row 0.0|1.50|20.1", "6 skip # pump on"}},
	{"fixed-width-names-of-rows-without-a-name", "utf-8", "", 0, 1, counts{4, 0, 0}, "column_1|mpg|cyl|disp", [2]string{"2 row Alpha One|21.0|6|160.0", ""}},
	{"fixed-width-above-a-closing-line", "utf-8", "", 0, 1, counts{4, 0, 2}, "ACCT|OPENED|TYPE|BALANCE", [2]string{"5 row 0003000|2022-08-30|LON|-150,000.00", "7 skip *** END OF REPORT ***"}},
}
