package sheet_test

// structureFiles are texts in which the table is hard to tell from what stands around it.
var structureFiles = []corpusFile{
	{"header-one-cell-short-and-empty-cells-behind", "utf-8", ",", 0, 1, counts{4, 0, 0}, "Way|Day|Payee|Sum|Balance|Slip", [2]string{"2 row OUT|2024-04-02|Garage|-41.20|900.10|", ""}},
	{"trailing-delimiters-as-many-as-you-like", "utf-8", ";", 0, 1, counts{5, 0, 0}, "day|item|pieces", [2]string{"4 row 2024-04-04|rod|2", ""}},
	{"fixed-width-of-texts-alone", "utf-8", "", 0, 1, counts{4, 0, 0}, "SHIP NAME|HOME PORT|CREW OF|STATE", [2]string{"4 row Black Swan|Port Ellen|the West line|sold", ""}},
	{"fixed-width-below-one-drawn-line", "utf-8", "", 4, 1, counts{4, 0, 5}, "Ship Kind|Name of the Ship|Built", [2]string{"7 row Ketch|Albatross of Kirkwall|1911", ""}},
	{"fixed-width-underlined-as-by-a-client", "utf-8", "", 0, 1, counts{3, 0, 3}, "name|no|since", [2]string{"3 row stores|1|2024-03-01", ""}},
	{"runs-of-blanks-with-numbers-of-rows", "utf-8", "", 0, 1, counts{4, 0, 0}, "column_1|name|rank|wins|pct", [2]string{"2 row 1|alpha|1|31|77.5", ""}},
	{"header-groups-of-days-above-words", "utf-8", ";", 0, 2, counts{3, 0, 0}, "Depot|04.03.2024 a.m.|04.03.2024 p.m.|05.03.2024 a.m.|05.03.2024 p.m.", [2]string{"3 row north|3|4|1|0", ""}},
	{"header-one-cell-short-commas-between-numbers", "utf-8", ",", 0, 1, counts{4, 0, 0}, "column_1|Length|Width|Weight", [2]string{"2 row otter|0.9|0.3|8.5", ""}},
	{"header-that-counts-the-columns", "utf-8", ",", 3, 1, counts{3, 0, 3}, "column_1|1|2|3|4|5", [2]string{"5 row A|0.112|0.093|1.201|0.774|0.380", ""}},
	{"header-groups-whose-names-are-answers", "utf-8", ",", 0, 2, counts{4, 0, 0}, "Person|Asked on|Owns a car? Answer|Which ones? Van|Which ones? Coupe|Which ones? Other", [2]string{"3 row P-1|2024-04-02|yes|Van||Tractor", ""}},
	{"above-names-with-colons-and-gaps", "utf-8", ";", 2, 1, counts{3, 0, 2}, "Day|From|To|Break|Hours", [2]string{"4 row 02.05.|08:00|16:30|00:30|08:00", ""}},
	{"above-a-line-of-stars-in-each-cell", "utf-8", ",", 3, 1, counts{3, 0, 4}, "Date|Text|Amount|Balance", [2]string{"6 row 02/05/24|SHIP STORES|41.20|958.80", ""}},
	{"above-descriptions-of-more-than-five-lines", "utf-8", ";", 5, 1, counts{7, 0, 5}, "Region|North|South", [2]string{"7 row 2019|204|91", ""}},
	{"above-a-list-of-records-with-another-width", "utf-8", "|", 0, 0, counts{4, 2, 0}, "column_1|column_2|column_3|column_4|column_5", [2]string{"1 reject HDR|20240502|QUAY LTD|0007", "2 row PAY|1|FOX BROS|20240503|12.50"}},
	{"above-titles-with-a-delimiter-behind", "utf-8", ";", 13, 1, counts{4, 0, 13}, "#Day|#Text|#Sum", [2]string{"15 row 2024-05-02|Stores|-41,20", ""}},
	{"among-lists-of-a-report", "utf-8", "\t", 10, 1, counts{4, 0, 10}, "Peak|Minutes|Area|Remark", [2]string{"12 row 1|2.31|65971|", ""}},
	{"preamble-longer-than-a-short-table", "utf-8", ";", 14, 1, counts{3, 0, 18}, "Pos|Part|Pieces|Price", [2]string{"16 row 1|Pump P-201|2|1250.00", ""}},
	{"footer-settings-below-numbers", "utf-8", "\t", 0, 1, counts{6, 0, 4}, "nm|absorbance", [2]string{"7 row 425|0.120", "11 skip Device|V-730"}},
	{"among-titles-of-parts-above-codes", "utf-8", ",", 0, 1, counts{6, 0, 2}, "Receipt|Day|Sum|State", [2]string{"2 skip Customer: 10001 Meyer|||", "9 row R-1006|2024-05-07|3.00|open"}},
	{"among-balances-of-accounts", "utf-8", ";", 0, 1, counts{11, 0, 4}, "Account|Day|Text|Sum", [2]string{"6 skip Balance 1000|||100,00", ""}},
	{"footer-two-totals-in-place-of-a-day", "utf-8", ";", 0, 1, counts{4, 0, 3}, "Дата|Статья|Описание|Сумма|Валюта", [2]string{"7 skip Итого списаний|||-590,20|RUB", ""}},
	{"footer-extremes-and-mean-below-numbers", "utf-8", ",", 0, 1, counts{4, 0, 3}, "n|part|pieces|price", [2]string{"6 skip Min||2|0.10", ""}},
	{"footer-note-below-gaps-japanese", "utf-8", ",", 0, 1, counts{6, 0, 4}, "番号|品名|数量|金額", [2]string{"6 row 5|||", "11 skip 備考：納期2週間|||"}},
	{"comments-with-dashes", "utf-8", ",", 3, 1, counts{5, 0, 4}, "time|u|v", [2]string{"8 skip -- pump restarted", ""}},
}
