package sheet_test

// publicFiles are texts as they lie in public repositories: code lists, outputs of instruments and of programs, footnotes of yearbooks.
var publicFiles = []corpusFile{
	{"names-like-total-of-codes", "utf-8", ",", 0, 1, counts{16, 0, 0}, "Label|Code|Parent|Order", [2]string{"5 row All regions|W1||4", "9 row Total ferries|R2||8"}},
	{"windows-1252-signs-of-units", "windows-1252", ",", 0, 1, counts{5, 0, 0}, "Taken|Temperature (deg C)|Dust 10 (µg/m3)|Dust 2.5 (µg/m3)|Model", [2]string{"2 row 2024-01-05 00:05|-2|0.6|4.5|AirLog®", ""}},
	{"windows-1252-apostrophes", "windows-1252", ",", 0, 1, counts{4, 0, 0}, "Office|Remark", [2]string{"2 row Fell|It is the office’s own list", ""}},
	{"footer-lettered-notes-without-a-gap", "utf-8", ",", 1, 1, counts{8, 0, 6}, "Kind|2019|2020|2021a|2022", [2]string{"10 row   Buses|192|186|179|161", "11 skip +Does not reach half of the unit, which is rounded down||||"}},
	{"footer-total-below-a-gap-that-is-official", "utf-8", ",", 0, 1, counts{6, 0, 2}, "Precinct|Cast|Ash|Birch|Cole", [2]string{"9 skip Official Totals|175|69|26|80", ""}},
	{"header-of-a-year-above-decimals", "utf-8", ";", 0, 1, counts{9, 0, 0}, "Region|Code|2010", [2]string{"2 row Arden|ARD|26.27252158", ""}},
	{"header-of-numbers-from-nought", "utf-8", ",", 0, 1, counts{5, 0, 0}, "bin|0|1|2|3|4", [2]string{"2 row AGE2011|1.0259|0.5597|0.9448|0.9681|0.9728", ""}},
	{"header-of-numbers-above-an-index", "utf-8", ",", 0, 1, counts{4, 0, 0}, "column_1|0|1|2|3", [2]string{"2 row 0|0.1415|-0.7207|1.2011|0.3300", ""}},
	{"header-none-exponents-of-three-digits", "utf-8", ",", 0, 0, counts{7, 0, 0}, "column_1|column_2", [2]string{"1 row 3.991926e+002|-9.079000e-002", ""}},
	{"header-none-pairs-of-codes", "utf-8", "\t", 0, 0, counts{7, 0, 0}, "column_1|column_2", [2]string{"1 row 0101010Q0BDACAA|0101010Q0BDACAG", ""}},
	{"parts-of-a-row-above-strokes", "utf-8", ",", 21, 2, counts{9, 0, 21}, "Part (No.)|Distance (Metres)|Elapsed (HH:MM:SS)|Split (/500)|Rate (SPM)|Stroke (Strokes)", [2]string{"25 row 1|9.1|00:00:08.5|00:02:32.9|24.0|2", ""}},
	{"settings-that-are-comments-above-numbers", "utf-8", "\t", 7, 0, counts{8, 0, 7}, "column_1|column_2", [2]string{"7 skip #Acquired=|16.12.2019 09:57:07", "8 row 46.6417|37"}},
	{"runs-of-blanks-below-a-title-and-years", "utf-8", "", 1, 1, counts{4, 0, 2}, "column_1|1950|1951|1952|1953", [2]string{"3 row CMB|0.1705275E+02|0.1741288E+02|0.1778208E+02|0.1815127E+02", ""}},
	{"header-of-years-that-lacks-the-first-cell", "utf-8", ",", 1, 1, counts{6, 0, 1}, "column_1|1998|1999|2000|2001|2002", [2]string{"3 row $29999 or less|6.5|5.7|5.7|-|2.1", ""}},
	{"second-table-that-lacks-the-first-name-too", "utf-8", ",", 1, 1, counts{4, 5, 3}, "column_1|John Ash (RED)|Wanda Birch (BLUE)", [2]string{"6 row Bevis|8410|6120", "11 reject Corra|1794|2509"}},
	{"second-table-whose-header-comes-again", "utf-8", ",", 2, 1, counts{4, 7, 3}, "Line#|Location|Sample|Injected|Method|Result", [2]string{"9 reject Line#|Compound|Sample|Inj#|RT [min]|Area", ""}},
	{"runs-of-blanks-with-words-for-no-number", "utf-8", "", 2, 1, counts{7, 0, 2}, "date|time|type|port|C|stdev|N", [2]string{"4 row 230130|104930|air|8|nan|nan|nan", ""}},
	{"trailing-delimiter-of-a-header-and-two-rows", "utf-8", ";", 5, 1, counts{2, 0, 5}, "Bestand|WKN|Name|Kurs|Frei", [2]string{"7 row 10,00|W1|Anleihe|11,00|ja", ""}},
	{"times-and-counts-behind-a-comma", "utf-8", ",", 0, 0, counts{10, 0, 0}, "column_1|column_2", [2]string{"4 row 2026-03-02 06:03:00|75", ""}},
	{"comments-below-the-one-with-names", "utf-8", ",", 1, 1, counts{4, 0, 3}, "# day|depth [m]|by", [2]string{"4 row 2026-05-01|4.15|Lee", "5 skip # after the storm"}},
	{"runs-of-blanks-pairs-below-comments", "utf-8", "", 2, 1, counts{8, 0, 2}, "angle|counts", [2]string{"4 row 10.0000|120.5010", ""}},
	{"short-tables-above-the-table", "utf-8", ",", 11, 1, counts{4, 0, 11}, "Well|Filter|Day|Level (cm)|Ground (cm)|Remark", [2]string{"13 row W-17|01|14-06-2024|275|35|", ""}},
	{"short-tables-above-a-single-row", "utf-8", ";", 11, 1, counts{1, 0, 11}, "Card|Day|Booked|Amount|Currency|Text", [2]string{"13 row *7428|2026-07-06|2026-07-08|-4,50|EUR|Bakery", ""}},
	{"list-above-two-rows", "utf-8", ";", 5, 1, counts{2, 0, 5}, "Day|Text|Amount|Currency", [2]string{"8 row 2026-01-06|Fuel|-47,10|EUR", ""}},
}
