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
}
