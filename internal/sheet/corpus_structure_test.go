package sheet_test

// structureFiles are texts in which the table is hard to tell from what stands around it.
var structureFiles = []corpusFile{
	{"header-one-cell-short-and-empty-cells-behind", "utf-8", ",", 0, 1, counts{4, 0, 0}, "Way|Day|Payee|Sum|Balance|Slip", [2]string{"2 row OUT|2024-04-02|Garage|-41.20|900.10|", ""}},
	{"trailing-delimiters-as-many-as-you-like", "utf-8", ";", 0, 1, counts{5, 0, 0}, "day|item|pieces", [2]string{"4 row 2024-04-04|rod|2", ""}},
	{"fixed-width-of-texts-alone", "utf-8", "", 0, 1, counts{4, 0, 0}, "SHIP NAME|HOME PORT|CREW OF|STATE", [2]string{"4 row Black Swan|Port Ellen|the West line|sold", ""}},
	{"fixed-width-below-one-drawn-line", "utf-8", "", 4, 1, counts{4, 0, 5}, "Ship Kind|Name of the Ship|Built", [2]string{"7 row Ketch|Albatross of Kirkwall|1911", ""}},
	{"fixed-width-underlined-as-by-a-client", "utf-8", "", 0, 1, counts{3, 0, 3}, "name|no|since", [2]string{"3 row stores|1|2024-03-01", ""}},
	{"runs-of-blanks-with-numbers-of-rows", "utf-8", "", 0, 1, counts{4, 0, 0}, "column_1|name|rank|wins|pct", [2]string{"2 row 1|alpha|1|31|77.5", ""}},
}
