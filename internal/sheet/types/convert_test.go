package types_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// A format says how to read what a report has found, and a declared column's format what to take.
func TestConverter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   types.Type
		format string
		cell   string
		want   string // JSON; "" where the cell is not of the type
	}{
		{types.Integer, "", "1,234", "1234"}, {types.Integer, "", "1.234", ""}, {types.Integer, "#.##0", "1.234", "1234"},
		{types.Integer, "0", "12.5", ""}, {types.Integer, "¥#,##0", "¥1,234", "1234"}, {types.Integer, "", "x", ""}, {types.Integer, "", "十二", ""},
		{types.Integer, "", strings.Repeat("9", 1025), ""}, {types.Integer, "", "5%", ""},
		{types.Decimal, "", "1.234", "1.234"}, {types.Decimal, "0,0", "1.234", "1234"}, {types.Decimal, "#.##0,0", "1.234,5", "1234.5"},
		{types.Decimal, "", "12%", ""}, {types.Decimal, "0.0%", "12.5%", "0.125"}, {types.Decimal, "0.0%", "1,250.00 %", "12.5"}, {types.Decimal, "0.0%", "100%", "1"},
		{types.Decimal, "0.0%", ".5%", "0.005"}, {types.Decimal, "0.0%", "-0%", "-0"}, {types.Decimal, "0.0%", "12.5", ""}, {types.Decimal, "0,0%", "1.212,5%", "12.125"},
		{types.Boolean, "", "1", "true"}, {types.Boolean, "", "×", "false"}, {types.Boolean, "yes/no", "yes", "true"}, {types.Boolean, "yes/no", "true", ""}, {types.Boolean, "", "maybe", ""},
		{types.Date, "", "2024/1/5", `"2024-01-05"`}, {types.Date, "", "20240105", `"2024-01-05"`}, {types.Date, "", "R6.1.5", `"2024-01-05"`},
		{types.Date, "", "5/1/2024", ""}, {types.Date, "DD/MM/YYYY", "5/1/2024", `"2024-01-05"`}, {types.Date, "MM/DD/YYYY", "5/1/2024", `"2024-05-01"`},
		{types.Date, "YYYYMMDD", "20240105", `"2024-01-05"`}, {types.Date, "YYYYMMDD", "2024-01-05", ""}, {types.Date, "", "2024-01-05 10:00", ""},
		{types.Timestamp, "", "2024-01-05 10:00", `"2024-01-05T10:00:00"`}, {types.Timestamp, "", "2024-01-05T10:00Z", `"2024-01-05T10:00:00Z"`},
		{types.Timestamp, "", "2024-01-05", `"2024-01-05T00:00:00"`}, {types.Timestamp, "DD.MM.YYYY hh:mm", "5.1.2024 10:00", `"2024-01-05T10:00:00"`},
		{types.Timestamp, "MM/DD/YYYY hh:mm AM/PM±hh:mm", "5/1/2024 1:00 PM +09:00", `"2024-05-01T13:00:00+09:00"`},
		{types.Time, "", "9:05", `"09:05:00"`}, {types.Time, "hh:mm", "25:00", ""}, {types.Time, "", "9:05x", ""},
		{types.Duration, "", "25:00", `"PT25H"`}, {types.Duration, "", "9時", ""}, {types.Duration, "", "-", "null"}, {types.Integer, "", "N/A", "null"}, {types.Boolean, "yes/no", "なし", ""}, {types.Duration, "PThHmMsS", "PT5M", `"PT5M"`},
		{types.Text, "", " x ", `" x "`}, {types.Text, "", "", `""`}, {types.Text, "", "1", `"1"`},
		{types.Integer, "", " ", "null"}, {types.Date, "", "", "null"}, {types.Boolean, "", "\u3000", "null"},
	} {
		c, err := types.NewConverter(tt.kind, tt.format, 1)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := value(t, c, tt.cell); got != tt.want {
			t.Errorf("%s %q: %q gives %s, not %s", tt.kind, tt.format, tt.cell, got, tt.want)
		}
	}
}

func TestConverter_cellsThatAreNotOfTheType(t *testing.T) {
	t.Parallel()
	c, err := types.NewConverter(types.Integer, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := c.Value([]byte("12x")); ok || v != "12x" {
		t.Errorf("12x gives %v, %v", v, ok)
	}
	if v, ok := c.Value(nil); !ok || v != nil {
		t.Errorf("a cell that is not there gives %v, %v", v, ok)
	}
	if v, _ := c.Value([]byte("12")); v != json.Number("12") {
		t.Errorf("12 gives %#v", v)
	}
	c, err = types.NewConverter(types.Text, "", 0)
	if v, ok := c.Value(nil); err != nil || !ok || v != nil {
		t.Errorf("a text that is not there gives %v, %v, %v", v, ok, err)
	}
}

// More than 15 digits anywhere in the column make strings of all its numbers: readers of JSON may round longer ones.
func TestConverter_longNumbers(t *testing.T) {
	t.Parallel()
	for digits, want := range map[int]string{15: "7", 16: `"7"`} {
		c, err := types.NewConverter(types.Decimal, "0.0", digits)
		if got := value(t, c, "7"); err != nil || got != want {
			t.Errorf("%d digits: %s, %v", digits, got, err)
		}
	}
}

func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   types.Type
		format string
	}{
		{"money", ""}, {"", ""}, {types.Text, "x"}, {types.Integer, "0.0"}, {types.Integer, "0%"}, {types.Integer, "x"}, {types.Decimal, "0"}, {types.Decimal, "0.0.0"},
		{types.Date, "DD/MM"}, {types.Date, "DD/MM/YYYY|MM/DD/YYYY"}, {types.Date, "DD/MM/YYYY hh:mm"}, {types.Date, "yyyy-mm-dd"}, {types.Timestamp, "YYYY-MM-DD"},
		{types.Timestamp, "YYYY-MM-DD hh"}, {types.Timestamp, "hh:mm"}, {types.Time, "hh"}, {types.Time, "hh:mm:ss AM"}, {types.Time, "PThHmMsS"}, {types.Duration, "PT"}, {types.Boolean, "oui/nee"},
	} {
		_, err := types.NewConverter(tt.kind, tt.format, 0)
		if wrong, ok := errors.AsType[*types.FormatError](err); !ok || wrong.Type != tt.kind || wrong.Format != tt.format {
			t.Errorf("%s %q: %v", tt.kind, tt.format, err)
		}
	}
}
