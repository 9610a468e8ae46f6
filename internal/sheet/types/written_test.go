package types_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// Times as sentences, logs and programs write them.
func TestTimesAsWritten(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"klo 9.05|klo 14.30", types.Time, "hh:mm", `"09:05:00"|"14:30:00"`},
		{"kl. 9:05|kl 14.30|9:05 Uhr|14.30 Uhr|9 Uhr", types.Time, "hh:mm", `"09:05:00"|"14:30:00"|"09:05:00"|"14:30:00"|"09:00:00"`},
		{"9h05|21 h 30|0h00min", types.Time, "hh:mm", `"09:05:00"|"21:30:00"|"00:00:00"`},
		{"à 9h05|09:05 h|godz. 14:30", types.Time, "hh:mm", `"09:05:00"|"09:05:00"|"14:30:00"`},
		{"9 AM|12pm|3 p.m.", types.Time, "hh:mm AM/PM", `"09:00:00"|"12:00:00"|"15:00:00"`},
		{"T09:05:07|T24:00|T23:59", types.Time, "hh:mm:ss", `"09:05:07"|"24:00:00"|"23:59:00"`},
		{"20240105T090507Z|20240105T0905+0100|20240105T090507.25Z", types.Timestamp, "YYYY-MM-DD hh:mm:ss.fff±hh:mm",
			`"2024-01-05T09:05:07Z"|"2024-01-05T09:05:00+01:00"|"2024-01-05T09:05:07.25Z"`},
		{"20240105T090507|20240105 09:05", types.Timestamp, "YYYY-MM-DD hh:mm:ss", `"2024-01-05T09:05:07"|"2024-01-05T09:05:00"`},
		{"2024-01-05T09:05:07+01:00[Europe/Berlin]|2024-01-05T09:05:07Z[UTC]|2024-01-05 09:05:07 +0200 CEST|Fri, 5 Jan 2024 09:05:07 -0800 (PST)|" +
			"Fri Jan 05 2024 09:05:07 GMT+0100 (Central European Standard Time)", types.Timestamp, "YYYY-MM-DD|month name hh:mm:ss±hh:mm",
			`"2024-01-05T09:05:07+01:00"|"2024-01-05T09:05:07Z"|"2024-01-05T09:05:07+02:00"|"2024-01-05T09:05:07-08:00"|"2024-01-05T09:05:07+01:00"`},
		{"Fri Jan  5 09:05:07 2024|Sat Jan 6 10:00:00 2024", types.Timestamp, "month name hh:mm:ss", `"2024-01-05T09:05:07"|"2024-01-06T10:00:00"`},
		{"Fri Jan  5 09:05:07 CET 2024|Mon Sep 28 23:48:44 +0000 2020", types.Timestamp, "month name hh:mm:ss±hh:mm", `"2024-01-05T09:05:07+01:00"|"2020-09-28T23:48:44Z"`},
		{"05/Jan/2024:09:05:07 +0000", types.Timestamp, "month name hh:mm:ss±hh:mm", `"2024-01-05T09:05:07Z"`},
		{"20240105090507|20241231000000|20990101235959", types.Timestamp, "YYYY-MM-DD hh:mm:ss", `"2024-01-05T09:05:07"|"2024-12-31T00:00:00"|"2099-01-01T23:59:59"`},
		{"20240105090507Z|20240105090507+0900", types.Timestamp, "YYYY-MM-DD hh:mm:ss±hh:mm", `"2024-01-05T09:05:07Z"|"2024-01-05T09:05:07+09:00"`},
		{"20240105090507|2024-01-06 10:00:00", types.Timestamp, "YYYY-MM-DD hh:mm:ss", `"2024-01-05T09:05:07"|"2024-01-06T10:00:00"`},
		{"2024:01:05 09:05:07", types.Timestamp, "YYYY-MM-DD hh:mm:ss", `"2024-01-05T09:05:07"`},
		{"2024-01-05-09.05.07.000001", types.Timestamp, "YYYY-MM-DD hh:mm:ss.fff", `"2024-01-05T09:05:07.000001"`},
		{"31.1.2024 klo 9.05|31.01.2024 09:05 Uhr|31.1.2024 9.05.30|31.1.2024 kl. 9.05|31.1.2024 в 9:05", types.Timestamp, "DD.MM.YYYY hh:mm:ss",
			`"2024-01-31T09:05:00"|"2024-01-31T09:05:00"|"2024-01-31T09:05:30"|"2024-01-31T09:05:00"|"2024-01-31T09:05:00"`},
		{"31/01/2024 à 9h05|31/01/2024 a las 9:05|31/01/2024 ore 9.05|31/01/2024 - 09:05", types.Timestamp, "DD/MM/YYYY hh:mm",
			`"2024-01-31T09:05:00"|"2024-01-31T09:05:00"|"2024-01-31T09:05:00"|"2024-01-31T09:05:00"`},
		{"2024-01-31 24:00|2024-12-31T24:00:00|2024-01-01 00:00", types.Timestamp, "YYYY-MM-DD hh:mm:ss", `"2024-02-01T00:00:00"|"2025-01-01T00:00:00"|"2024-01-01T00:00:00"`},
	})
	for _, cells := range []string{
		"20240105090507|20240105090560", "20240105090507|20240105000", "18991231235959|18991231235958", "20240105240000",
		"20240105000001|20240105000002|20240106000059", // a day and the number of what happened on it
	} {
		if r := column(cells); r.Type != types.Integer {
			t.Errorf("%s is %s", cells, r.Type)
		}
	}
	textColumns(t, "1.25 h|2.50 h", "5 h|8 h", "T9", "klo", "Uhr 9", "9 Uhr 5", "20240105T9", "2024-01-05 (Monday)x 09:05", "12h|8h")
}

// Days in further languages.
func TestDaysAsWritten(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"5. siječnja 2024.|15. listopada 2024.|30. studenoga 2024.", types.Date, "month name", `"2024-01-05"|"2024-10-15"|"2024-11-30"`},
		{"5. junij 2024|5. јануар 2024.|5. juuni 2024|5. maí 2024|24 de març de 2021|3 d'abril de 2021|3 d’agost de 2021", types.Date, "month name",
			`"2024-06-05"|"2024-01-05"|"2024-06-05"|"2024-05-05"|"2021-03-24"|"2021-04-03"|"2021-08-03"`},
		{"2024 m. sausio 5 d.|2024 m. gruodžio 31 d.", types.Date, "month name", `"2024-01-05"|"2024-12-31"`},
		{"mar 5 marzo 2024|gio 8 luglio 2021|5 января 2024 года|5 січня 2024 р.", types.Date, "month name", `"2024-03-05"|"2021-07-08"|"2024-01-05"|"2024-01-05"`},
		{"mar 05/03/2024|mié. 06/03/2024|gio 28/03/2024", types.Date, "DD/MM/YYYY", `"2024-03-05"|"2024-03-06"|"2024-03-28"`},
		{"mandag den 1. januar 2024|Jan-05-2024|5 يناير 2024|5 בינואר 2024", types.Date, "month name", `"2024-01-01"|"2024-01-05"|"2024-01-05"|"2024-01-05"`},
		{"2024-01-05 (пт)|2024-01-05 周五|2024-01-05 (péntek)", types.Date, "YYYY-MM-DD", `"2024-01-05"|"2024-01-05"|"2024-01-05"`},
		{"5.1.24|13.1.24|1.2.24|2.12.23|9.9.23", types.Date, "DD.MM.YY", `"2024-01-05"|"2024-01-13"|"2024-02-01"|"2023-12-02"|"2023-09-09"`},
	})
	textColumns(t, "5. listopada 2024", "1.2.34|1.3.10|2.4.11|3.1.12|4.1.13", "5.1.24|13.1.24", "13.1.05|1.1.68|2.2.01|3.3.33|4.4.44")
}

// What stands for no value among dates and numbers.
func TestNoValuesAsWritten(t *testing.T) {
	t.Parallel()
	for cells, kind := range map[string]types.Type{
		"2024-01-05|0000-00-00":                   types.Date,
		"31.01.2024|00.00.0000":                   types.Date,
		"20240105|00000000":                       types.Date,
		"2024-01-05 10:00:00|0000-00-00 00:00:00": types.Timestamp,
		"31/12/2023|__/__/____":                   types.Date,
		"31/12/2023|  /  /    ":                   types.Date,
		"12.5|####|########":                      types.Decimal,
		"2024-01-05|####":                         types.Date,
		"12.5|:|saknas":                           types.Decimal,
		"5|00/00/0000":                            types.Text,
		"#|##":                                    types.Text,
		"####":                                    types.Text,
		"2024-01-05|0000-00-01":                   types.Text,
		strings.Repeat("#", 40) + "|5":            types.Text,
		"9:05|:|10:30":                            types.Text,
		"0000-00-00":                              types.Text,
		"0000-00-00|00000000|00.00.0000 00:00|2024-01-05": types.Date,
	} {
		r := column(cells)
		if r.Type != kind {
			t.Errorf("%s is %s %q", cells, r.Type, r.Format)
		}
		c := converter(t, r)
		if kind == types.Text {
			continue
		}
		for _, cell := range strings.Split(cells, "|")[1:] {
			if v := value(t, c, cell); v != "null" && cell != "2024-01-05" {
				t.Errorf("%s of %s is %s", cell, cells, v)
			}
		}
	}
}
