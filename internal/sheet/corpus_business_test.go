package sheet_test

// businessFiles are texts as programs of offices, shops and banks export them: parts with titles, sums and results among the rows, lists of
// names with their values above them, and what they write below.
var businessFiles = []corpusFile{
	{"second-table-below-a-total", "utf-8", ",", 0, 1, counts{4, 5, 2}, "Run|Driver|Crates|Fuel|Toll", [2]string{"6 skip Total||171|97.30|10.50", "9 reject Shop|Crates|Credit"}},
}
