package sheet_test

// readOtherwise are the files of testdata/unseen that the program reads otherwise than the person who wrote the answer, and what it does.
var readOtherwise = map[string]string{
	"mixed-column-late-text.csv":             "makes one bad value of 500 a column of text, with the warning nearly_number, in place of a reject",
	"inner-quotes-unescaped.csv":             "rejects a record in which a quote may open another cell",
	"broken-bar.txt":                         "reads a text of windows-1252 with two signs beyond ASCII as cp850",
	"chart-of-two-periods.csv":               "skips the second title above the same header, and so reads one table",
	"utf8-one-bad-byte.csv":                  "rejects the row with the broken character, which the person reads as windows-1252",
	"c04-regional-merged-and-subtotal.xlsx":  "does not fill merged cells down without fill_down",
	"bank-fixed-noheader-names.txt":          "reads amounts and their currency, which do not stand right below each other, as one column",
	"e05-side-remarks-unnamed-col-text.xlsx": "takes remarks behind an empty column for a column",
}

// typedOtherwise are those of which it tells the types otherwise.
var typedOtherwise = map[string]string{
	"b16-rent-roll.xlsx":           "whole numbers shown as 0.00 are decimals",
	"au-bank-noheader.csv":         "days that may as well have the month first are text",
	"ms-forms.csv":                 "likewise, of two digits a year",
	"perfmon-pdh.csv":              "likewise",
	"windows-events-multiline.csv": "likewise",
	"ambiguous-dmy.csv":            "likewise",
	"thousand-space-plain.csv":     "numbers that are all grouped by plain spaces are text",
}
