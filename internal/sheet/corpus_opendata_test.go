package sheet_test

// openDataFiles are texts as offices, weather stations, instruments and programs of science publish them.
var openDataFiles = []corpusFile{
	{"preamble-above-months-and-signed-numbers", "utf-8", ",", 4, 1, counts{14, 0, 4}, "Month|Level", [2]string{"6 row 201901|-0.42", ""}},
	{"preamble-above-days-and-counts", "utf-8", ",", 2, 1, counts{8, 0, 2}, "Woche|Heizung: (Norwegen)", [2]string{"4 row 2023-01-01|28", ""}},
	{"empty-cells-of-many-numbers-behind", "utf-8", ",", 0, 1, counts{15, 0, 0}, "League|Day|Home|Away|HG|AG|Odds1|OddsX|Odds2", [2]string{}},
	{"header-of-two-census-years", "utf-8", ",", 0, 1, counts{6, 0, 0}, "province|2001|2011", [2]string{"2 row Aland Coast|846|878", ""}},
	{"years-apart-are-values", "utf-8", ",", 0, 0, counts{6, 0, 0}, "column_1|column_2|column_3", [2]string{"1 row Larsen|1990|2000", ""}},
	{"header-one-cell-short-numbers-between-bars", "utf-8", "|", 3, 1, counts{5, 0, 3}, "Id|Account|Holder|Address|column_5", [2]string{"5 row 560|LR 290|VEGA ANA|ITALIA 1519|12.50", ""}},
	{"weather-with-years-of-months-above", "utf-8", ",", 16, 1, counts{144, 0, 20}, "time(UTC)|T2m|RH|G(h)", [2]string{"17 header time(UTC)|T2m|RH|G(h)", ""}},
	{"runs-of-blanks-without-header", "utf-8", "", 7, 0, counts{14, 0, 7}, "column_1|column_2|column_3|column_4|column_5|column_6", [2]string{"8 row 2021|1|2021.042|310.00|309.60|-1", ""}},
	{"runs-of-blanks-below-names-and-units", "utf-8", "", 4, 1, counts{12, 1, 5}, "yyyy|mm|tmax|tmin|af|rain|sun", [2]string{"5 header yyyy|mm|tmax|tmin|af|rain|sun", "19 reject 1961|1|10.5|1.7|1|42.3|69.1|Provisional"}},
	{"runs-of-blanks-of-four-records", "utf-8", "", 2, 0, counts{4, 0, 2}, "column_1|column_2|column_3|column_4|column_5|column_6|column_7|column_8|column_9", [2]string{}},
	{"sections-of-months-and-years-with-the-same-header", "utf-8", ",", 3, 1, counts{36, 7, 5}, "column_1|Market|Size|Value", [2]string{"5 row 201901|-0.30|2.30|1.50", "42 reject Annual Returns: January-December "}},
	{"header-three-rows-a-cell-short", "utf-8", ",", 2, 3, counts{8, 0, 2}, "Yr|Mn|Day code|CO2 [ppm]|seasonally adjusted [ppm]|fit line [ppm]|Sta", [2]string{}},
	{"runs-of-blanks-below-a-title-of-as-many-words", "utf-8", "", 1, 1, counts{14, 0, 1}, "Year|Mon|Observed|Adjusted|Absolute", [2]string{"4 row 2017|2|71.70|70.60|61.40", ""}},
	{"settings-above-numbers-of-an-instrument", "utf-8", ",", 11, 1, counts{14, 0, 11}, "Demod|column_2", [2]string{"12 header Demod|", "13 row 65172.85|0"}},
	{"settings-above-numbers-of-one-column", "utf-8", ";", 7, 1, counts{12, 0, 7}, "Reading", [2]string{"9 row 160226.61", ""}},
	{"names-above-numbers-are-rows", "utf-8", ",", 0, 1, counts{10, 0, 0}, "age|deaths", [2]string{"2 row all|812", ""}},
	{"short-rows-where-most-lack-the-last-cell", "utf-8", "\t", 0, 1, counts{15, 0, 0}, "code|place|zone|remark", [2]string{"2 row AD|+4230|Area/Andor|null", "4 row AQ|-6617|Base/Case|winter only"}},
	{"runs-of-blanks-below-names-that-run-on", "utf-8", "", 0, 1, counts{14, 0, 0}, "YR|MON|TOTAL|ClimAdjust|ANOM", [2]string{"2 row 2015|1|24.50|26.10|-1.60", ""}},
	{"sections-of-positions-without-a-blank", "utf-8", ",", 0, 1, counts{7, 6, 0}, "Ticket|Opened|Side|Size|Item|Price|Stop|Closed|Price_2|Fee|Profit", [2]string{"9 reject Open Positions:||||||||||", ""}},
	{"footer-total-in-the-state", "utf-8", ",", 0, 1, counts{4, 0, 1}, "município|casos|óbitos", [2]string{"6 skip TOTAL NO ESTADO|7642|307", ""}},
	{"names-like-total-of-stay", "utf-8", ",", 0, 1, counts{4, 0, 0}, "film|genre|year", [2]string{"5 row Total of Us|comedy|2006", ""}},
}
