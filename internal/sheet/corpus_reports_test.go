package sheet_test

// reportFiles are texts as programs of all trades export them: logs, statements, surveys, reports.
var reportFiles = []corpusFile{
	{"log-with-tabs-below-blanks", "utf-8", "\t", 1, 1, counts{3, 0, 1}, "date|time|edge|bytes|status", [2]string{"2 header #Fields: date time edge bytes status", "5 row 2024-03-07|08:00:09|CDG1|7730|200"}},
	{"log-with-commas", "utf-8", ",", 2, 1, counts{3, 0, 2}, "at|peer|verdict|size", [2]string{"4 row 2024-03-07T08:00:01Z|10.1.0.3|accepted|2048", ""}},
	{"log-of-two-starts", "utf-8", " ", 2, 1, counts{4, 2, 6}, "date|time|uri|status", [2]string{"8 skip #Fields:|date|time|uri|status", "12 reject #Fields:|date|time|uri|status|ms"}},
	{"comments-with-as-many-commas", "utf-8", ",", 2, 1, counts{4, 0, 3}, "article|unit|price", [2]string{"3 header article|unit|price", "6 skip ; the rest| from the old shop| unchecked"}},
	{"comments-among-readings", "utf-8", ";", 0, 1, counts{5, 0, 2}, "day|rain|wind", [2]string{"4 skip # gauge emptied", "6 skip # mast lowered| no wind below"}},
	{"hash-begins-a-short-record", "utf-8", ",", 0, 1, counts{4, 1, 0}, "tag|owner|count", [2]string{"3 reject #summer", ""}},
	{"header-three-rows-of-unequal-depth", "utf-8", ";", 0, 3, counts{4, 0, 0}, "Messung|Luft Tag °C|Luft Nacht °C|Regen mm", [2]string{"4 row 03.03.2024|9,5|1,0|0,0", ""}},
	{"header-groups-of-texts", "utf-8", ",", 0, 2, counts{4, 0, 0}, "Driver Given|Driver Family|Car Make|Car Model|Car Plate", [2]string{"3 row Ida|Berg|Volvo|V60|ABC 12", ""}},
	{"header-lacks-names-of-texts", "utf-8", ",", 0, 1, counts{4, 0, 0}, "First|Second|Third|column_4|column_5", [2]string{"2 row ash|oak|elm|fir|yew", ""}},
	{"header-years-apart-below-groups", "utf-8", ";", 0, 2, counts{4, 0, 0}, "Stadt|Betten 2012|Betten 2019|Gäste 2012|Gäste 2019", [2]string{"3 row Aalen|1204|1390|20110|24902", ""}},
	{"header-years-apart-below-a-padded-title", "utf-8", ",", 2, 2, counts{4, 0, 2}, "County|Rooms 2001|Rooms 2021|Guests 2001|Guests 2021", [2]string{"5 row Kerry|1904|2250|20110|24902", ""}},
	{"years-of-events-below-unnamed-columns", "utf-8", ",", 0, 1, counts{4, 0, 0}, "Club|Founded|column_3|Merged|column_5", [2]string{"2 row Rovers|1901|1911|1950|1970", ""}},
	{"survey-with-import-ids", "utf-8", ",", 0, 3, counts{3, 0, 0}, "StartDate Start Date|Finished|ResponseId Response ID|Q3 How often do you cycle?|Q4_TEXT Why?", [2]string{"4 row 2024-05-02 08:10:11|1|R_7hK|Daily|Cheap, quick", ""}},
	{"header-with-two-delimiters-more", "utf-8", ";", 0, 1, counts{4, 0, 0}, "code|shelf|count", [2]string{"2 row A-1|12|4", ""}},
	{"form-with-numbered-columns", "utf-8", ";", 0, 1, counts{3, 0, 1}, "Л.с.|Плательщик|Начислено|Срок", [2]string{"2 skip 1|2|3|4", ""}},
	{"rows-that-count-are-values", "utf-8", ";", 0, 1, counts{4, 0, 0}, "a|b|c", [2]string{"2 row 1|2|3", ""}},
	{"bank-closing-balance-below-a-blank", "utf-8", ";", 0, 1, counts{3, 0, 2}, "Tag|Wert|Text|Betrag|Stand", [2]string{"6 skip Stand am 31.01.2024|801,01 EUR|||", ""}},
	{"bank-closing-balance-on-the-right", "utf-8", ";", 0, 1, counts{3, 0, 2}, "#Data|#Opis|#Kwota|#Saldo", [2]string{"6 skip ||#Saldo końcowe|2980,00", ""}},
	{"ledger-italian-totals-and-balance", "utf-8", ";", 0, 1, counts{4, 0, 2}, "Giorno|Causale|Uscite|Entrate", [2]string{"6 skip Totali||788,40|1510,00", "7 skip Saldo finale|||721,60"}},
	{"last-tasks-below-a-blank-stay", "utf-8", ",", 0, 1, counts{4, 0, 1}, "job|who|hours|place", [2]string{"6 row ask the neighbour|||garden", ""}},
}
