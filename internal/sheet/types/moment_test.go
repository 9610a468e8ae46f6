package types_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/sheet/types"
)

func TestDates(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"2024-01-31|2024-2-1", types.Date, "YYYY-MM-DD", `"2024-01-31"|"2024-02-01"`},
		{"2024/01/31|2024/2/1", types.Date, "YYYY/MM/DD", `"2024-01-31"|"2024-02-01"`},
		{"2024.01.31|2024.2.1", types.Date, "YYYY.MM.DD", `"2024-01-31"|"2024-02-01"`},
		{"2024年1月31日|２０２４年 2月 1日", types.Date, "YYYY年MM月DD日", `"2024-01-31"|"2024-02-01"`},
		{"2024-01-31|2024/2/1|R6.2.2", types.Date, "YYYY-MM-DD|YYYY/MM/DD|era", `"2024-01-31"|"2024-02-01"|"2024-02-02"`},
		{"31.1.2024|01.02.2024", types.Date, "DD.MM.YYYY", `"2024-01-31"|"2024-02-01"`},
		{"31/1/2024|1/2/2024", types.Date, "DD/MM/YYYY", `"2024-01-31"|"2024-02-01"`},
		{"31-01-2024|1-2-2024", types.Date, "DD-MM-YYYY", `"2024-01-31"|"2024-02-01"`},
		{"31/1/2024|1.2.2024", types.Date, "DD/MM/YYYY|DD.MM.YYYY", `"2024-01-31"|"2024-02-01"`},
		{"1/31/2024|2/1/2024", types.Date, "MM/DD/YYYY", `"2024-01-31"|"2024-02-01"`},
		{"01-31-2024|2-1-2024", types.Date, "MM-DD-YYYY", `"2024-01-31"|"2024-02-01"`},
		{"5 January, 2024|Friday, 5 Jan, 2024", types.Date, "month name", `"2024-01-05"|"2024-01-05"`},
		{"5 January 2024|05-JAN-2024|Jan 5, 2024|jan 5 2024|5 sep 2024", types.Date, "month name",
			`"2024-01-05"|"2024-01-05"|"2024-01-05"|"2024-01-05"|"2024-09-05"`},
		{"5. Januar 2024|12. März 2024|05. Okt. 2024|3. MAI 2024", types.Date, "month name", `"2024-01-05"|"2024-03-12"|"2024-10-05"|"2024-05-03"`},
		{"1er janvier 2024|12 février 2024|3 août 2024|05-déc.-2023", types.Date, "month name", `"2024-01-01"|"2024-02-12"|"2024-08-03"|"2023-12-05"`},
		{"5 de enero de 2024|12 ene 2024|3-ago-2024", types.Date, "month name", `"2024-01-05"|"2024-01-12"|"2024-08-03"`},
		{"5 de março de 2024|7 de outubro de 2024", types.Date, "month name", `"2024-03-05"|"2024-10-07"`},
		{"1º gennaio 2024|15 giugno 2024", types.Date, "month name", `"2024-01-01"|"2024-06-15"`},
		{"3 maart 2024|24 augustus 2023", types.Date, "month name", `"2024-03-03"|"2023-08-24"`},
		{"3 maj 2024|3 juni 2024|30 desember 2023", types.Date, "month name", `"2024-05-03"|"2024-06-03"|"2023-12-30"`},
		{"5 stycznia 2024|3 PAŹDZIERNIKA 2024|11 listopada 2024", types.Date, "month name", `"2024-01-05"|"2024-10-03"|"2024-11-11"`},
		{"5. ledna 2024|3. září 2024|17. listopadu 2024", types.Date, "month name", `"2024-01-05"|"2024-09-03"|"2024-11-17"`},
		{"5 января 2024|30 МАЯ 2024|24 декабря 2023 г.", types.Date, "month name", `"2024-01-05"|"2024-05-30"|"2023-12-24"`},
		{"3rd June 2024|1st of May 2024|22nd sept 2024", types.Date, "month name", `"2024-06-03"|"2024-05-01"|"2024-09-22"`},
		{"5-Jan-24|05-FEB-99|1. März 24|05/jan/2024", types.Date, "month name", `"2024-01-05"|"1999-02-05"|"2024-03-01"|"2024-01-05"`},
		{"2024-Jan-05|2024. január 5.|05Jan2024", types.Date, "month name", `"2024-01-05"|"2024-01-05"|"2024-01-05"`},
		{"January 5th, 2024|Sept 3, 2024|Mar. 1, 2024", types.Date, "month name", `"2024-01-05"|"2024-09-03"|"2024-03-01"`},
		{"Friday, January 5, 2024|Fri 5 Jan 2024|Mi., 3. Juli 2024|пт, 5 января 2024", types.Date, "month name", `"2024-01-05"|"2024-01-05"|"2024-07-03"|"2024-01-05"`},
		{"5 Ocak 2024|12 Şubat 2024", types.Date, "month name", `"2024-01-05"|"2024-02-12"`},
		{"5 січня 2024|5 Ιανουαρίου 2024|5. tammikuuta 2024|5 ianuarie 2024", types.Date, "month name", `"2024-01-05"|"2024-01-05"|"2024-01-05"|"2024-01-05"`},
		{"Fr, 05.01.2024|So 7.1.2024", types.Date, "DD.MM.YYYY", `"2024-01-05"|"2024-01-07"`},
		{"5. 1. 2024|14. 12. 2024.|5.1.2024", types.Date, "DD.MM.YYYY", `"2024-01-05"|"2024-12-14"|"2024-01-05"`},
		{"2024. 01. 05.|2024.1.5.|2024. 1. 5", types.Date, "YYYY.MM.DD", `"2024-01-05"|"2024-01-05"|"2024-01-05"`},
		{"2024/01/05(金)|2024/1/6 (土)|2024/01/07（日曜日）", types.Date, "YYYY/MM/DD", `"2024-01-05"|"2024-01-06"|"2024-01-07"`},
		{"2024/01/08(月)|2024/1/7（日）|2024/01/06(土)", types.Date, "YYYY/MM/DD", `"2024-01-08"|"2024-01-07"|"2024-01-06"`},
		{"2024年1月8日(月)|2024年1月7日（日）", types.Date, "YYYY年MM月DD日", `"2024-01-08"|"2024-01-07"`},
		{"29 февр. 2024|1 нояб. 2024", types.Date, "month name", `"2024-02-29"|"2024-11-01"`},
		{"2024年1月5日(金)|2024年1月8日月曜日|2024년 1월 5일", types.Date, "YYYY年MM月DD日", `"2024-01-05"|"2024-01-08"|"2024-01-05"`},
		{"20240131|19000101|20991231|99991231", types.Date, "YYYYMMDD", `"2024-01-31"|"1900-01-01"|"2099-12-31"|"9999-12-31"`},
		{"0001-01-01|9999-12-31", types.Date, "YYYY-MM-DD", `"0001-01-01"|"9999-12-31"`},
		{"2024-02-29|2000-02-29", types.Date, "YYYY-MM-DD", `"2024-02-29"|"2000-02-29"`},
		{" 2024-01-31 ", types.Date, "YYYY-MM-DD", `"2024-01-31"`},
	})
}

func TestNoDates(t *testing.T) {
	t.Parallel()
	textColumns(t,
		"2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-01", "2024-01-00", "0000-01-01", "00000000",
		"2024-01", "2024年1月", "2024-1-5-6", "2024-1/5", "2024/1-5", "24/01/15", "1/2/24", "12024-01-01", "2024-001-01", "1/2/12024",
		"2024年1月5", "2024年1/5", "5 Janu 2024", "5-Jan 2024", "5-Jan,-2024", "5, Jan 2024", "Jan 5", "Jan5, 2024", "32 Jan 2024", "5 Jan 20245", "5 Jan 2", "Jan-24", "Foo, 5 Jan 2024", "31/13/2024", "1/31.2024",
		"1.31.2024", "5. listopada 2024", "5 Smarch 2024", "5 smart 2024", "5. 1. 24", "32. März 2024", "5März 2024", "2024-01-31x", "2024-01-31T", "X6.1.31", "R6", "R 6.1", "R0.1.1", "R100.1.1", "R元", "R6.1.31x", "R6.1", "r6.1.31",
	)
	if r := column("31/01/2567|14/02/2567"); r.Type != types.Text {
		t.Errorf("days of the Buddhist calendar are %s of %s", r.Type, r.Min)
	}
	if r := column("2024-01-31|2500-12-31"); r.Type != types.Date {
		t.Errorf("a day in the far future makes days %s", r.Type)
	}
	if r := column("20240131|20241301"); r.Type != types.Integer {
		t.Errorf("one value that is no day makes integers of days: %s", r.Type)
	}
	if r := column("18991231|21000101"); r.Type != types.Integer {
		t.Errorf("days of other centuries are %s", r.Type)
	}
}

// What is a day, and which day comes after which, is what the calendar says.
func TestCalendar(t *testing.T) {
	t.Parallel()
	dates, err := types.NewConverter(types.Date, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, year := range []int{1, 4, 100, 400, 1900, 2000, 2023, 2024, 2100, 9999} {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				if _, ok := dates.Value([]byte(text)); ok != (err == nil) {
					t.Errorf("%s is a day: %v", text, ok)
				}
			}
		}
	}
	for day := time.Date(2023, 12, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2026; day = day.AddDate(0, 0, 1) {
		midnight := types.Rule{Type: types.Timestamp, Min: day.Format(time.RFC3339)}
		evening := day.Add(-time.Second).Format("2006-01-02T15:04:05")
		for cell, want := range map[string]types.Code{
			evening: types.OutOfRange, evening + "-00:01": "", day.Format("2006/01/02"): "", day.Format("2006-01-02T15:04:05+00:01"): types.OutOfRange,
		} {
			if got := check(t, midnight, cell); got != want {
				t.Errorf("%s against %s: %q", cell, midnight.Min, got)
			}
		}
	}
}

// Day and month are told apart by all values, then by other columns; else the column stays text.
func TestDayOrMonthFirst(t *testing.T) {
	t.Parallel()
	const open, dayFirst, monthFirst = "1/2/2024|3/4/2024", "13/1/2024", "1/13/2024"
	for _, tt := range []struct {
		others    string
		format    string
		ambiguous string
	}{
		{"", "", "DD/MM/YYYY MM/DD/YYYY"},
		{dayFirst, "DD/MM/YYYY", ""},
		{monthFirst, "MM/DD/YYYY", ""},
		{"13.1.2024", "DD/MM/YYYY", ""},
		{dayFirst + "|" + monthFirst, "", "DD/MM/YYYY MM/DD/YYYY"},
		{"1/13/2024 10:00", "MM/DD/YYYY", ""},
		{open, "", "DD/MM/YYYY MM/DD/YYYY"},
	} {
		columns := [][]string{strings.Split(open, "|")}
		for cells := range strings.SplitSeq(tt.others, "|") {
			columns = append(columns, []string{cells})
		}
		r := observeAll(columns...)[0]
		if got := strings.Join(r.Ambiguous, " "); r.Format != tt.format || got != tt.ambiguous {
			t.Errorf("beside %s it is %q or %q", tt.others, r.Format, got)
		}
		if (r.Type == types.Text) != (tt.format == "") {
			t.Errorf("beside %s it is %s", tt.others, r.Type)
		}
	}
	textColumns(t, dayFirst+"|"+monthFirst)
}

// So are years of two digits at the front or the end.
func TestYearFirstOrLast(t *testing.T) {
	t.Parallel()
	const first, last = "24/01/15|24/02/29|24/03/31", "31/12/23|01/01/24|15/06/24"
	for others, format := range map[string]string{first: "YY/MM/DD", last: "DD/MM/YY", first + ";" + last: "", "24/02/20": "", "13/1/2024": ""} {
		columns := [][]string{{"24/01/15"}}
		for cells := range strings.SplitSeq(others, ";") {
			columns = append(columns, strings.Split(cells, "|"))
		}
		if r := observeAll(columns...)[0]; r.Format != format || (r.Ambiguous == nil) != (format != "") {
			t.Errorf("beside %s it is %q or %q", others, r.Format, r.Ambiguous)
		}
	}
}

// The limits of eras. Sources stand at the table of eras.
func TestEras(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"明治6年1月1日", "1873-01-01"}, {"M6.1.1", "1873-01-01"}, {"明治5年12月31日", ""}, {"明治元年10月23日", ""},
		{"明治45年7月30日", "1912-07-30"}, {"明治45年7月31日", ""}, {"M46.1.1", ""},
		{"大正元年7月30日", "1912-07-30"}, {"大正元年7月29日", ""}, {"T1.7.30", "1912-07-30"},
		{"大正15年12月25日", "1926-12-25"}, {"大正15年12月26日", ""},
		{"昭和元年12月25日", "1926-12-25"}, {"昭和元年12月24日", ""}, {"S1/12/31", "1926-12-31"},
		{"昭和64年1月7日", "1989-01-07"}, {"昭和64年1月8日", ""}, {"S64-01-07", "1989-01-07"}, {"S65.1.1", ""},
		{"平成元年1月8日", "1989-01-08"}, {"平成元年1月7日", ""}, {"H1.1.8", "1989-01-08"},
		{"平成31年4月30日", "2019-04-30"}, {"平成31年5月1日", ""}, {"H32.1.1", ""},
		{"令和元年5月1日", "2019-05-01"}, {"令和元年4月30日", ""}, {"R1.5.1", "2019-05-01"}, {"R元.5.1", "2019-05-01"}, {"R元年5月1日", "2019-05-01"},
		{"令和3年1月5日", "2021-01-05"}, {"R3.1.5", "2021-01-05"}, {"Ｒ３．１．５", "2021-01-05"}, {"R03/01/05", "2021-01-05"},
		{"令和 6年 2月29日", "2024-02-29"}, {"令和5年2月29日", ""}, {"令和99年12月31日", "2117-12-31"},
		{"㍾45年1月1日", "1912-01-01"}, {"㍽2年1月1日", "1913-01-01"}, {"㍼64年1月7日", "1989-01-07"}, {"㍻30年1月1日", "2018-01-01"}, {"㋿6年1月1日", "2024-01-01"},
	} {
		r := column(tt.text)
		if want := types.Date; tt.want == "" {
			if r.Type != types.Text {
				t.Errorf("%s is %s, %s", tt.text, r.Type, r.Min)
			}
		} else if r.Type != want || r.Min != tt.want {
			t.Errorf("%s is %s, %s", tt.text, r.Type, r.Min)
		}
	}
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"2024-01-31 09:05|2024-01-31T9:05", types.Timestamp, "YYYY-MM-DD hh:mm", `"2024-01-31T09:05:00"|"2024-01-31T09:05:00"`},
		{"2024/1/31 09:05:30.250|2024/1/31", types.Timestamp, "YYYY/MM/DD hh:mm:ss.fff", `"2024-01-31T09:05:30.250"|"2024-01-31T00:00:00"`},
		{"31.01.2024 09:05:30:250|01.02.2024 10:15:00:007", types.Timestamp, "DD.MM.YYYY hh:mm:ss.fff", `"2024-01-31T09:05:30.250"|"2024-02-01T10:15:00.007"`},
		{"2024-01-31T09:05:30,5", types.Timestamp, "YYYY-MM-DD hh:mm:ss.fff", `"2024-01-31T09:05:30.5"`},
		{"1/31/2024 9:05:00 PM|1/31/2024 12:00:00 AM", types.Timestamp, "MM/DD/YYYY hh:mm:ss AM/PM", `"2024-01-31T21:05:00"|"2024-01-31T00:00:00"`},
		{"31.1.2024  9:05", types.Timestamp, "DD.MM.YYYY hh:mm", `"2024-01-31T09:05:00"`},
		{"2024年1月31日 9時5分|2024年1月31日午後3時5分10秒|令和6年1月31日　10:00", types.Timestamp, "YYYY年MM月DD日|era hh:mm AM/PM",
			`"2024-01-31T09:05:00"|"2024-01-31T15:05:10"|"2024-01-31T10:00:00"`},
		{"1/31/2024, 9:05:07 PM|1/31/2024, 9:05 AM", types.Timestamp, "MM/DD/YYYY hh:mm:ss AM/PM", `"2024-01-31T21:05:07"|"2024-01-31T09:05:00"`},
		{"5-Jan-24 9:05 AM|Jan 5, 2024, 9:05 PM|January 5, 2024 at 9:05 PM", types.Timestamp, "month name hh:mm AM/PM",
			`"2024-01-05T09:05:00"|"2024-01-05T21:05:00"|"2024-01-05T21:05:00"`},
		{"31.01.2024 um 09:05|31.01.2024, 09:05|31. 1. 2024 9:05", types.Timestamp, "DD.MM.YYYY hh:mm", `"2024-01-31T09:05:00"|"2024-01-31T09:05:00"|"2024-01-31T09:05:00"`},
		{"2024-01-05 오후 12:05:00|2024. 1. 5. 오전 12:05", types.Timestamp, "YYYY-MM-DD|YYYY.MM.DD hh:mm:ss AM/PM", `"2024-01-05T12:05:00"|"2024-01-05T00:05:00"`},
		{"2024/01/05(金) 9:05", types.Timestamp, "YYYY/MM/DD hh:mm", `"2024-01-05T09:05:00"`},
		{"Fri, 05 Jan 2024 09:05:07 +0100|Fri Jan 05 2024 09:05:07 GMT+0900|Mar 1, 2024 12:00:05 AM PST|2024-01-05 09:05 CEST", types.Timestamp,
			"YYYY-MM-DD|month name hh:mm:ss AM/PM±hh:mm",
			`"2024-01-05T09:05:07+01:00"|"2024-01-05T09:05:07+09:00"|"2024-03-01T00:00:05-08:00"|"2024-01-05T09:05:00+02:00"`},
		{"Jan 31, 2024 10:00 am", types.Timestamp, "month name hh:mm AM/PM", `"2024-01-31T10:00:00"`},
		{"2024-01-31T09:05:30Z|2024-01-31 09:05:30+09:00|2024-01-31 09:05:30 -0530|2024-01-31 09:05:30 UTC|2024-01-31 09:05 JST|2024-01-31T09:05+09|2024-01-31T09:05+15:59",
			types.Timestamp, "YYYY-MM-DD hh:mm:ss±hh:mm",
			`"2024-01-31T09:05:30Z"|"2024-01-31T09:05:30+09:00"|"2024-01-31T09:05:30-05:30"|"2024-01-31T09:05:30Z"|"2024-01-31T09:05:00+09:00"|"2024-01-31T09:05:00+09:00"|"2024-01-31T09:05:00+15:59"`},
	})
	textColumns(t, "9999-12-31 24:00", "2024-01-31 24:05", "2024-01-31 25:00", "2024-01-31 9", "2024-01-31 09:05 IST", "2024-01-31 09:05 BST", "2024-01-31 09:05+9", "2024-01-31 09:05+09:0",
		"2024-01-31 09:05+16:00", "2024-01-31 09:05+09:000", "2024-01-31 09:05+09:60", "2024-01-31 09:05 +", "2024-01-31T", "2024-01-3109:05", "R6.1.319:05", "R6.1.3 19:05x", "2024-01-31 09:05Z|2024-01-31 09:05",
		"2024-01-31 09:05Z|2024-01-31", "2024-01-31 -09:05", "1/2/2024 10:00")
	if r := column("2024-01-31T10:00:00Z|2024-01-31T10:00:00+09:00"); r.Min != "2024-01-31T10:00:00+09:00" || r.Max != "2024-01-31T10:00:00Z" {
		t.Errorf("instants are ordered by their text: %s to %s", r.Min, r.Max)
	}
}

func TestTimesAndDurations(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"9:05|23:59", types.Time, "hh:mm", `"09:05:00"|"23:59:00"`},
		{"9:05:30|10:00", types.Time, "hh:mm:ss", `"09:05:30"|"10:00:00"`},
		{"9:05:30.123456789|10:00:00,5", types.Time, "hh:mm:ss.fff", `"09:05:30.123456789"|"10:00:00.5"`},
		{"9:05 AM|9:05pm|12:00 AM|12:00 PM", types.Time, "hh:mm AM/PM", `"09:05:00"|"21:05:00"|"00:00:00"|"12:00:00"`},
		{"9時|9時5分|9時 5分10秒|9時59分59秒", types.Time, "hh:mm", `"09:00:00"|"09:05:00"|"09:05:10"|"09:59:59"`},
		{"午前0時5分|午後 3:30|午後11時", types.Time, "hh:mm AM/PM", `"00:05:00"|"15:30:00"|"23:00:00"`},
		{"９：０５|24:00", types.Time, "hh:mm", `"09:05:00"|"24:00:00"`},
		{"9:05|24:01", types.Duration, "hh:mm", `"PT9H5M"|"PT24H1M"`},
		{"27:30:00|0:00|100:00:00.5|-1:05:10", types.Duration, "hh:mm:ss.fff", `"PT27H30M"|"PT0S"|"PT100H0.5S"|"-PT1H5M10S"`},
		{"PT27H30M|P1DT2H|P2D|PT1.5S|PT90M", types.Duration, "PThHmMsS", `"PT27H30M"|"PT26H"|"PT48H"|"PT1.5S"|"PT1H30M"`},
		{"-PT5M|1:00", types.Duration, "PThHmMsS", `"-PT5M"|"PT1H"`},
	})
	textColumns(t, "9:5", "9:60", "9:05:60", "9:05:3", "9:05:30.", ":05", "9:", "9:05:30:10", "13:00 AM", "0:30 PM", "25:00 PM", "午後12時", "午前", "25時", "9時60分",
		"1234567:00", "--1:00", "P", "PT", "PD", "P5", "P1234567D", "P1M", "P1Y", "PT1M1H", "PT1.5M", "P1D2H", "1:00 -1:00", "9:05 XM", "-", "9時5")
	if r := column("-1:30|-1:30:00.5|0:10"); r.Min != "-PT1H30M0.5S" || r.Max != "PT10M" {
		t.Errorf("durations go from %s to %s", r.Min, r.Max)
	}
}

func TestBooleans(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"true|FALSE|True", types.Boolean, "true/false", "true|false|true"},
		{"yes|No", types.Boolean, "yes/no", "true|false"},
		{"on|off", types.Boolean, "on/off", "true|false"},
		{"はい|いいえ", types.Boolean, "はい/いいえ", "true|false"},
		{"WAHR|FALSCH", types.Boolean, "wahr/falsch", "true|false"}, // as Excel writes TRUE in German, and in French
		{"VRAI|FAUX", types.Boolean, "vrai/faux", "true|false"},
		{"Ja|nein|", types.Boolean, "ja/nein", "true|false|null"},
		{"oui|Non", types.Boolean, "oui/non", "true|false"},
		{"○|×|〇|◯|✕|✖", types.Boolean, "○/×", "true|false|true|true|false|false"},
		{"あり|なし", types.Boolean, "あり/なし", "true|false"},
		{"有|無", types.Boolean, "有/無", "true|false"},
		{"Y|n", types.Boolean, "y/n", "true|false"},
		{"t|f", types.Boolean, "t/f", "true|false"},
		{"○||", types.Boolean, "○/×", "true|null|null"},
		{"true", types.Boolean, "true/false", "true"},
		{"いいえ", types.Boolean, "はい/いいえ", "false"},
		{"無", types.Boolean, "有/無", "false"},
		{" true ", types.Boolean, "true/false", "true"},
	})
	textColumns(t, "NO|no", "Yes", "ja|Ja", "non", "nein|no", "ON", "off", "Y", "F|F", "なし|", "true|yes", "yes|n", "○|△", "truex", "はい。")
}

// Years of two digits are read where the column shows which part they are, and where it is declared; otherwise the column stays text and
// the report names the formats. 69 is 1969, and 68 is 2068.
func TestTwoDigitYears(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cells, kind, format, min, max string }{
		{"31/12/23|01/01/24|15/06/24", "date", "DD/MM/YY", "2023-12-31", "2024-06-15"},
		{"12-31-23|01-01-24|06-15-24", "date", "MM-DD-YY", "2023-12-31", "2024-06-15"},
		{"1/5/24|12/31/24", "date", "MM/DD/YY", "2024-01-05", "2024-12-31"},
		{"31.12.85|01.02.60|15.06.99", "date", "DD.MM.YY", "1985-12-31", "2060-02-01"},
		{"24/01/15|24/02/29|24/03/31", "date", "YY/MM/DD", "2024-01-15", "2024-03-31"},
		{"31.12.23 10:00|15.01.24 09:30", "timestamp", "DD.MM.YY hh:mm", "2023-12-31T10:00:00", "2024-01-15T09:30:00"},
		{"68-12-31|69-01-01|70-02-03", "date", "YY-MM-DD", "1969-01-01", "2068-12-31"},
		{"24/01/15", "text", "", "24/01/15", "24/01/15"},
		{"01/02/03|02/03/04", "text", "", "01/02/03", "02/03/04"},
		{"1-2-34|2-3-45", "text", "", "1-2-34", "2-3-45"}, {"1.2.34|1.10.12", "text", "", "1.10.12", "1.2.34"}, // codes and versions
		{"1-2|3-4", "text", "", "1-2", "3-4"}, {"1/2|3/4", "text", "", "1/2", "3/4"},
		{"31/12/2023|01/01/24", "text", "", "01/01/24", "31/12/2023"},
	} {
		r := observe(strings.Split(tt.cells, "|"))
		if string(r.Type) != tt.kind || r.Format != tt.format || r.Min != tt.min || r.Max != tt.max {
			t.Errorf("%s: %s %q from %s to %s; could also be %q", tt.cells, r.Type, r.Format, r.Min, r.Max, r.Ambiguous)
		}
	}
	if r := observe([]string{"24/01/15"}); !slices.Equal(r.Ambiguous, []string{"YY/MM/DD", "DD/MM/YY"}) {
		t.Errorf("it could be %q", r.Ambiguous)
	}
	for format, want := range map[string]string{"DD/MM/YY": "2003-02-01", "MM/DD/YY": "2003-01-02", "YY/MM/DD": "2001-02-03"} {
		c, err := types.NewConverter(types.Date, format, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := c.Value([]byte("01/02/03")); got != want || !ok {
			t.Errorf("%s: %v", format, got)
		}
		if got, ok := c.Value([]byte("01/02/2003")); ok {
			t.Errorf("%s takes a year of four digits for %v", format, got)
		}
	}
}
