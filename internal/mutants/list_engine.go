package main

// engineMutants are mistakes in the engine that reads files.
var engineMutants = []mutant{
	{
		"a zero byte of a later record rejects this one",
		"internal/sheet/csv/cut.go",
		"bytes.IndexByte(w.text[:end], 0)",
		"bytes.IndexByte(w.text, 0)",
		"./internal/sheet/csv",
	},
	{
		"a quote that is text swallows lines",
		"internal/sheet/csv/quoted.go",
		"\tcase s.fieldBegins(w, i):\n\t\treturn opens",
		"\tcase false && s.fieldBegins(w, i):\n\t\treturn opens",
		"./internal/sheet/csv",
	},
	{
		"a file of quotes takes for ever",
		"internal/sheet/csv/scanner.go",
		"s.quotesEndInLine = s.reread >",
		"s.quotesEndInLine = false && s.reread >",
		"./internal/sheet/csv",
	},
	{
		"UTF-8 with a third of broken bytes is UTF-8",
		"internal/sheet/charset/thresholds.go",
		"goodPerBad = 10 //",
		"goodPerBad = 3 //",
		"./internal/sheet/charset",
	},
	{
		"odd bytes are taken for UTF-16",
		"internal/sheet/charset/thresholds.go",
		"unitsPerBad = 50 //",
		"unitsPerBad = 5 //",
		"./internal/sheet/charset",
	},
	{
		"a header is loaded as a row",
		"internal/sheet/dialect/header.go",
		"return other >= same",
		"return other > same",
		"./internal/sheet -run Border|Layout",
	},
	{
		"a page of text below a table is taken away",
		"internal/sheet/dialect/thresholds.go",
		"maxFooter = 8 //",
		"maxFooter = 80 //",
		"./internal/sheet -run Border|Layout",
	},
	{
		"day and month are decided by a majority",
		"internal/sheet/types/decide.go",
		"h.dayFirst > 0 && h.monthFirst == 0",
		"h.dayFirst > h.monthFirst",
		"./internal/sheet ./internal/sheet/types",
	},
	{
		"a value like the header is lost",
		"internal/sheet/header.go",
		"len(s.columns) < 2 || ",
		"",
		"./internal/sheet -run Border|ReadCSV",
	},
	{
		"cells grow beyond their limit",
		"internal/sheet/read.go",
		"if len(cell) > s.limits.CellBytes {",
		"if len(cell) > 2*s.limits.CellBytes {",
		"./internal/sheet -run Border|Limit",
	},
	{
		"an archive fills the disk",
		"internal/sheet/unpack.go",
		"b.written > b.limits.UnzippedBytes",
		"b.written < 0",
		"./internal/sheet",
	},
	{
		"Reiwa begins a day late",
		"internal/sheet/types/era.go",
		"date{2019, 5, 1}",
		"date{2019, 5, 2}",
		"./internal/sheet/types",
	},
}
