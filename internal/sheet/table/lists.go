package table

// belowEndedList returns the width of a table of four columns or more below a blank record and a list of names with their values, which
// have a delimiter behind them, as the table's header has not; 0 if there is none. Titles may stand above the list.
//
//	Account export;
//	Account;123456;
//	From;01.01.2024;
//	Balance;8200,00;
//
//	Day;Partner;Amount;Currency
//	02.01.2024;Dvorak;-1500,00;CZK
func belowEndedList(rows []row) int {
	first := 0
	for first < len(rows) && first < maxTitles && rows[first].filled <= 1 {
		first++
	}
	n := first
	var list []row
	for n < len(rows) && rows[n].width == listCells+1 && rows[n].filled == listCells && !rows[n].broken && !rows[n].lastText {
		r := rows[n]
		r.dropTrailing(r.width, 1)
		list = append(list, r)
		n++
	}
	head := pastBlank(rows, n)
	if len(list) < evidence || head == n || head == len(rows) || !rows[head].lastText || !isList(list) {
		return 0
	}
	return wideBelow(rows[head:], listCells+1).width
}

// amongLists returns the width of a table that stands among lists of names and values, as programs write the parts of a report: it has a
// header, three columns or more, and as many records as the longest list. It is 0 if there is none.
//
//	Sample,S-1
//	Operator,Lee
//
//	Peak,Time,Area
//	1,2.31,659
//	2,4.58,312
//	3,5.44,396
func amongLists(rows []row) int {
	longest, width, most, n := 0, 0, 0, 0
	for i, r := range rows {
		if r.blank || r.broken || i > 0 && r.width != rows[i-1].width {
			n = 0
		}
		if r.blank || r.broken {
			continue
		}
		if n++; r.width == listCells {
			longest = max(longest, n)
		}
		if r.width <= listCells || n <= max(most, evidence) {
			continue
		}
		if columnKinds(rows[i-n+2:i+1], r.width).isUnlike(rows[i-n+1]) {
			width, most = r.width, n
		}
	}
	if most < longest {
		return 0
	}
	return width
}
