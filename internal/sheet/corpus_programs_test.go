package sheet_test

// programFiles are texts as libraries, instruments and mainframes write them.
var programFiles = []corpusFile{
	{"infinite-numbers-are-no-values", "utf-8", ",", 0, 1, counts{5, 0, 0}, "run|gain|loss", [2]string{"3 row 2|Inf|1.31", "4 row 3|0.61|-Inf"}},
	{"runs-of-blanks-with-numbers-too-wide", "utf-8", "", 0, 1, counts{5, 0, 0}, "step|time|energy", [2]string{"4 row 3|0.300|*********", ""}},
	{"stars-of-hotels-are-text", "utf-8", ",", 0, 1, counts{4, 0, 0}, "Hotel|Rating|Rooms", [2]string{"2 row Anchor|***|40", ""}},
	{"made-names-beside-a-title", "utf-8", ",", 1, 1, counts{3, 0, 1}, "Depot|Article|Pieces", [2]string{"1 skip Stock of 2024-12-31|...2|...3", "3 row North|bolt|120"}},
	{"made-names-below-groups", "utf-8", ",", 0, 2, counts{3, 0, 0}, "Item|2023 Plan|2023 Actual|2024 Plan|2024 Actual", [2]string{"3 row Rent|100|100|110|112", ""}},
	{"made-names-of-columns", "utf-8", ",", 0, 1, counts{3, 0, 0}, "Unnamed: 0|Unnamed: 1|city|people", [2]string{"2 row 0|a|Ulm|126", ""}},
	{"made-names-alone-above-texts", "utf-8", ",", 0, 1, counts{3, 0, 0}, "Unnamed: 0|Unnamed: 1|Unnamed: 2", [2]string{"2 row Ann|Ulm|cook", ""}},
	{"title-that-r-has-padded", "utf-8", ",", 2, 1, counts{3, 0, 2}, "Month|Adults|Children", [2]string{"1 skip Visitors by month|NA|NA", "4 row Jan|210|NA"}},
	{"names-that-r-has-not", "utf-8", ",", 0, 1, counts{3, 0, 0}, "x|NA|NA_2", [2]string{"2 row y|1|2", ""}},
	{"comment-with-commas-above-tabs", "utf-8", "\t", 1, 1, counts{4, 0, 1}, "time|flow [l/s]|temp", [2]string{"3 row 0|1.25|20.1", ""}},
	{"comment-with-blanks-above-commas", "utf-8", ",", 0, 1, counts{4, 0, 0}, "x|y|z", [2]string{"2 row 0.1|2.0|3.5", ""}},
	{"comment-with-a-sentence-above-tabs", "utf-8", "\t", 1, 0, counts{4, 0, 1}, "column_1|column_2|column_3", [2]string{"", "2 row 0|1.25|20.1"}},
	{"comment-with-words-above-numbers", "utf-8", ";", 1, 0, counts{4, 0, 1}, "column_1|column_2|column_3", [2]string{"1 skip # Station North Quay", ""}},
	{"runs-of-blanks-below-commas", "utf-8", "", 0, 1, counts{4, 0, 0}, "r|theta|phi|psi", [2]string{"2 row 0.100|1.570|0.000|0.337", ""}},
	{"windows-1252-broken-bars", "windows-1252", "¦", 0, 1, counts{3, 0, 0}, "Lot|Buyer|Price|Paid", [2]string{"3 row 2|Beck ¦ Co|£8.50|2025-01-05", ""}},
	{"windows-1252-section-signs", "windows-1252", "§", 0, 1, counts{3, 0, 0}, "Nr|Straße|Preis", [2]string{"2 row 1|Hauptstr. 5|12,50", ""}},
	{"cp852-zets-in-each-line", "cp852", ";", 0, 1, counts{3, 0, 0}, "NÁZEV|KUSŮ", [2]string{"2 row RŮŽE A ŽITO|12", ""}},
	{"dollar-signs-between-cells", "utf-8", "$", 0, 1, counts{3, 0, 0}, "sku|label|stock|price", [2]string{"2 row A-1|Cup, red|12|4.50", ""}},
	{"dollar-signs-before-amounts", "utf-8", ",", 0, 1, counts{3, 0, 0}, "item|US$|CA$", [2]string{"2 row Cup|$4.50|$5.50", ""}},
	{"fixed-width-told-by-its-header", "utf-8", "", 0, 1, counts{3, 0, 0}, "UNIT NAME|STATE|NEEDS|NOTE", [2]string{"", "4 row backup|waiting|net, disk|runs at night"}},
	{"fixed-width-names-of-two-lines", "utf-8", "", 2, 2, counts{3, 0, 3}, "ITEM NO.|DESCRIPTION|ON HAND QTY|UNIT PRICE", [2]string{"6 row 000101|HEX BOLT M8|120|0.35", ""}},
	{"fixed-width-pages-with-headings", "utf-8", "", 3, 1, counts{5, 0, 8}, "NAME|JOINED|STATUS", [2]string{"9 skip RUN DATE 03/02/25    MEMBERS    PAGE 2", "13 row DOVE MARY|2011-06-30|ACTIVE"}},
	{"fixed-width-rows-that-end-with-pages", "utf-8", "", 0, 1, counts{4, 0, 0}, "Topic|Copies|Place", [2]string{"2 row First steps|2|Page 2", ""}},
}
