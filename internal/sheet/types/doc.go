// Package types determines the types of a table's columns, converts their values, and checks cells against declared columns.
//
// # Types from all values
//
// A Table is shown every row of a sheet, once and in any order. Each column begins with all the ways in which values can be read, and each
// value takes away those that cannot read it; what is left at the end reads every value, and the narrowest of it is the column's type. The
// text of the cells stays what it is: a type says how to read them, and can be wrong without anything being lost.
//
//	t := types.NewTable(len(columns))
//	for each row {
//		t.Add(number, cells)
//	}
//	for _, r := range t.Reports() {                                     // type, format, min, max, what nearly fits …
//		values, err := types.NewConverter(r.Type, r.Format, r.Digits) // Value(cell) for JSON
//	}
//
// The same values give the same report in any order, but for the examples and the rows of misfits, which are the first ones. Memory is
// bounded: at most some 8 KiB a column.
//
// # What is read as what
//
//	type       values                                                              format
//	integer    0 · -12 · 1,234 · △5 ▲5 · (5) 5- · ¥1,200 1,200円 · １２３ −５        0 · #,##0 · ¥#,##0 · # ##0
//	           12,34,567 · 1'000 · 1 000 beside others without the space           #,##0 · # ##0
//	           EUR 12 · 12 CHF, with the code of a currency and a space            €0 · CHF 0
//	           R 12.50 · RM 1,200 · TRY 12.50, with thousands or decimals          ZAR 0.0
//	           ₹12 · R$12 · 12 zł · 12 kr, with its sign                           INR 0 · kr 0
//	           1.234 where the column's other values show that the point groups    #.##0
//	decimal    0.5 · .5 · 1,234.56 · 1.5E-7                                        0.0 · #,##0.0
//	           1.234,56 · 0,5                                                      #.##0,0 · 0,0
//	           50. beside other numbers                                            0.0
//	           12.5% · 12 %: a hundredth of the number, 0.125, as in a workbook    0.0%
//	boolean    true false · wahr falsch · vrai faux · はい いいえ · ○ × · 有 無       true/false and so on
//	           yes no · ja nein · oui non · on off · y n · t f · あり なし:           yes/no and so on
//	           if the column has both; likewise sí no · sim não · ja nee · ja nej
//	           да нет · так ні · tak nie · ano ne · igen nem · evet hayır
//	           kyllä ei · ναι όχι · نعم لا · 是 否 · 예 아니요
//	           VERDADERO FALSO · WAAR ONWAAR · ИСТИНА ЛОЖЬ and so on · ✓ ✗         true/false
//	           da nu · da ne · áno nie · taip ne · jah ei · ya tidak and so on     yes/no
//	date       2024-01-31 · 2024/1/31 · 2024.1.31 · 2024年1月31日                   YYYY-MM-DD and so on
//	           令和6年1月31日 · 令和元年5月1日 · R6.1.31 · S64/1/7                   era
//	           5 January 2024 · 5-Jan-24 · Jan 5th, 2024 · Fri, 5. März 2024       month name
//	           31.1.2024 · 31. 1. 2024 · 31/1/2024 · 31-1-2024                     DD.MM.YYYY and so on
//	           1/31/2024 · 1-31-2024                                               MM/DD/YYYY · MM-DD-YYYY
//	           31.01.24 · 1/31/24 · 24-01-31, from 1969 to 2068                    DD.MM.YY and so on
//	           20240131 where each value is a day from 1900 to 2099 or 99991231    YYYYMMDD
//	time       9:05 · 09:05:30.25 · 9:05 p.m. · 9時5分 · 午後3時 · 오후 3:05 · 24:00   hh:mm · hh:mm:ss and so on
//	timestamp  a date and a time, with a T or spaces between                       YYYY-MM-DD hh:mm and so on
//	           the same with Z, +09:00, +0900, UTC, GMT, JST                       YYYY-MM-DD hh:mm±hh:mm
//	           9:05 Uhr · klo 9.05 · 9h05 · 9 AM · T09:05
//	           20240105T090507Z · Fri Jan 5 09:05:07 2024 · 05/Jan/2024:09:05:07
//	           20240105090507 where each value is such a moment, and one not in the first hour of its day
//	           2024-01-05T09:05:07+01:00[Europe/Berlin] · 2024-01-05-09.05.07 · 2024:01:05 09:05:07
//	duration   27:30:00 · -1:30, where a value is beyond 24 hours or negative      hh:mm:ss
//	           PT27H30M · P1DT2H                                                   PThHmMsS
//	text       everything else
//
// Full-width digits, signs and letters count as the ASCII ones, U+2212 as a minus, white space around a value as none. A column may mix
// ways that cannot be taken for one another, such as 2024-01-31 and R6.1.31; its format then names both, with a bar between.
//
// # What stays text, and why
//
//   - Codes: 007, 0123.5, +819012345678 (a plus and eight digits or more), 1E5 (an exponent needs a sign, or a point before it),
//     192.168.100.101, and anything of more than 1,024 bytes.
//   - NULL, N/A, - and other words for no value, in a column of text. Where everything else is of another type, they are no values: their
//     cells stay as they are, a Converter returns nil for them, and the report counts them as NullWords. The list is at nullWords.
//   - 01/02/2024 where every value could have the day or the month first, unless other columns of the sheet show which it is. The
//     report names both formats as Ambiguous, and a rule can declare one.
//   - 01/02/03 where every value could have the year first or last, and both readings lie about as far apart. 1-2-34 and 1.2.34, whose
//     parts have one digit: a code and a version, unless the column's other values are days such as 31.1.24.
//   - Columns of two currencies; columns where some numbers are percentages and some are not; (1) (2) (3), which are marks of a list,
//     and 9.30- 10.15- likewise, unless one has a comma and a point: 1.234,50-.
//   - Excel's serial dates, which are numbers like others: a workbook says which cells are dates, and its reader writes them as such.
//   - no, on, Y, F, なし and the like in a column that does not have their opposites too: NO may be Norway.
//
// 1 and 0 are integers; a declared boolean takes them. 1,234 and 1.234 have two meanings each: what the column's other values show
// decides, then what the sheet's other columns show, then the point is the decimal mark, or the comma where semicolons separate the cells,
// and the report names the other one as Ambiguous.
// Integers and decimals may have any number of digits; those of more than 15 are JSON strings, which lose nothing.
//
// Japanese eras and their limits are described, with their sources, at the table of eras: a date of an era outside that era is no date.
//
// # Declared columns
//
// A Rule says what a column's cells must be; Compile checks the rule, and a Checker the rows. Types and formats are those above; without a
// format a declared column takes what can be told apart cell by cell: the point as decimal mark, the year first.
package types
