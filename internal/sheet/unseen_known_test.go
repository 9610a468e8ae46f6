package sheet_test

// readOtherwise are the files of testdata/unseen that the program reads otherwise than the person who wrote the answer, and what it does.
var readOtherwise = map[string]string{
	"mixed-column-late-text.csv":             "makes one bad value of 500 a column of text, with the warning nearly_number, in place of a reject",
	"chart-of-two-periods.csv":               "skips the second title above the same header, and so reads one table",
	"utf8-one-bad-byte.csv":                  "rejects the row with the broken character, which the person reads as windows-1252",
	"c04-regional-merged-and-subtotal.xlsx":  "does not fill merged cells down without fill_down",
	"bank-fixed-noheader-names.txt":          "reads amounts and their currency, which do not stand right below each other, as one column",
	"e05-side-remarks-unnamed-col-text.xlsx": "takes remarks behind an empty column for a column",
	"structure-ragged-ends.csv":              "rejects records with one empty cell too many, which may hide a comma",
	"ke03-three-parts.csv":                   "reads the rows of later parts as those of the first, whose cells are words alone",
	"lists-beside-titles.csv":                "reads three lists, each with a title and a number first, as one table",
	"list-continued-columns.csv":             "takes the padded number of members for a row",
	"odd-quotes-tsv.txt":                     "rejects records in which a quote opens a cell and none ends it",
	"tx01-names-noheader.csv":                "takes the first row of nothing but texts for the header",
	"tx05-words-noheader.txt":                "likewise",
	"kn08-ragged-ends.csv":                   "rejects records with one empty cell too many, which may hide a comma",
	"kn10-parts-words.csv":                   "takes parts whose cells are words alone for settings with their values",
	"b222-meter-diff-rows.xlsx":              "takes differences and shares below four readings, without a word for it, for rows",
	"sh04-fees-named.xlsx":                   "takes named fees, one of which has a word for a freight, for what is below the table",
	"lv46-bars-yen.txt":                      "reads broken bars and yen in a short text of windows-1252 as characters of Big5",
	"sm01-two-years.csv":                     "skips the second title above the same header, and so reads one table",
}

// typedOtherwise are those of which it tells the types otherwise.
var typedOtherwise = map[string]string{
	"b16-rent-roll.xlsx":               "whole numbers shown as 0.00 are decimals",
	"au-bank-noheader.csv":             "days that may as well have the month first are text",
	"ms-forms.csv":                     "likewise, of two digits a year",
	"perfmon-pdh.csv":                  "likewise",
	"windows-events-multiline.csv":     "likewise",
	"ambiguous-dmy.csv":                "likewise",
	"thousand-space-plain.csv":         "numbers that are all grouped by plain spaces are text",
	"b225-multi-branches-summary.xlsx": "whole numbers are integers, though another sheet has decimals there",
	"totals-kostenstellen-summen.csv":  "whole thousands with a point are decimals, where nothing else tells",
	"es-ine-tabla.csv":                 "likewise",
	"months-short-de.csv":              "likewise",
	"thermo-logger.txt":                "one day, whose parts may be in another order, is text",
	"semicolon-nbsp.csv":               "numbers that are all grouped by plain spaces are text",
	"na06-msvc.csv":                    "words that a C program writes for no number are values",
}
