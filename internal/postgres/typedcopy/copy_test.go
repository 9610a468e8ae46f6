package typedcopy_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/typedcopy"
	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/target"
)

// sqlTypes are the types of columns as migration 17 makes them.
func sqlType(c target.Column) string {
	switch {
	case c.Type == target.Text && c.MaxLength > 0:
		return fmt.Sprintf("varchar(%d)", c.MaxLength)
	case c.Type == target.Decimal && c.Digits > 0:
		return fmt.Sprintf("numeric(%d, %d)", c.Digits, c.Scale)
	}
	return map[target.Type]string{
		target.Text: "text", target.Integer: "bigint", target.Decimal: "numeric", target.Boolean: "boolean", target.Date: "date", target.Time: "time",
		target.Timestamp: "timestamp", target.Instant: "timestamptz", target.Duration: "interval",
	}[c.Type]
}

// server is a database in which a cell is copied into a column, and read again.
type server struct{ conn *pgx.Conn }

func newServer(t *testing.T) server {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), devtest.EmptyDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	if _, err := conn.Exec(t.Context(), `set time zone 'UTC'; set client_min_messages = warning; set intervalstyle = 'iso_8601'`); err != nil {
		t.Fatal(err)
	}
	return server{conn}
}

// value copies a cell into a column and returns what the server has it for, "NULL", or the code of its fault in parentheses.
func (s server) value(t interface {
	Helper()
	Fatal(args ...any)
}, source typedcopy.Source, cell string,
) string {
	t.Helper()
	source.Name, source.ColumnNo = "v", 1
	w, err := typedcopy.New([]typedcopy.Source{source})
	if err != nil {
		t.Fatal(err)
	}
	var b binarycopy.Buffer
	b.Row(uint16(w.Fields()))
	if faults := w.Append(&b, [][]byte{[]byte(cell)}); len(faults) > 0 {
		if faults[0].Message == "" || faults[0].MessageJA == "" || faults[0].ColumnNo != 1 {
			t.Fatal("a fault without sentence or column:", faults)
		}
		return "(" + string(faults[0].Code) + ")"
	}
	ctx := context.Background() // a rapid.T has none
	if _, err := s.conn.Exec(ctx, `drop table if exists one; create temp table one (v `+sqlType(source.Column)+`)`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.PgConn().CopyFrom(ctx, bytes.NewReader(b.Complete()), `copy one from stdin (format binary)`); err != nil {
		t.Fatal(cell, err)
	}
	var text string
	if err := s.conn.QueryRow(ctx, `select coalesce(v::text, 'NULL') from one`).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// A value comes into the table as the file means it: never rounded, never in another zone; what the column cannot hold is a fault.
func TestValuesArriveAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	fallback := "0.00"
	type c = target.Column
	for _, tt := range []struct {
		column c
		format string
		cell   string
		want   string
	}{
		{c{Type: target.Text}, "", " 東京 ", " 東京 "}, {c{Type: target.Text}, "", "\u3000", "NULL"}, {c{Type: target.Text}, "", "", "NULL"},
		{c{Type: target.Text, MaxLength: 2}, "", "東京", "東京"}, {c{Type: target.Text, MaxLength: 2}, "", "東京都", "(cell_too_long)"},

		{c{Type: target.Integer}, "", "1,234", "1234"}, {c{Type: target.Integer}, "#.##0", "1.234", "1234"}, {c{Type: target.Integer}, "", "△12", "-12"},
		{c{Type: target.Integer}, "", "9223372036854775807", "9223372036854775807"}, {c{Type: target.Integer}, "", "9223372036854775808", "(out_of_range)"},
		{c{Type: target.Integer}, "", "-9223372036854775808", "-9223372036854775808"}, {c{Type: target.Integer}, "", "-9223372036854775809", "(out_of_range)"},
		{c{Type: target.Integer}, "", "99999999999999999999999999", "(out_of_range)"}, {c{Type: target.Integer}, "", "18446744073709551617", "(out_of_range)"},
		{c{Type: target.Integer}, "", "1.5", "(type_mismatch)"},

		{c{Type: target.Decimal}, "", "1.50", "1.50"}, {c{Type: target.Decimal}, "", "-0", "0"}, {c{Type: target.Decimal}, "#.##0,0", "1.234,5", "1234.5"},
		{c{Type: target.Decimal}, "0.0%", "12.5%", "0.125"}, {c{Type: target.Decimal}, "", "1.5E-7", "0.00000015"}, {c{Type: target.Decimal}, "", "1.25e+3", "1250"},
		{c{Type: target.Decimal}, "", "-0.00010001", "-0.00010001"}, {c{Type: target.Decimal}, "", "100000000", "100000000"},
		{c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "999.99", "999.99"}, {c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "1000", "(out_of_range)"},
		{c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "1.5", "1.50"}, {c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "1.5000", "1.50"},
		{c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "0.005", "(out_of_range)"}, {c{Type: target.Decimal, Digits: 5, Scale: 2}, "", "999.995", "(out_of_range)"},
		{c{Type: target.Decimal, Digits: 2, Scale: 2}, "", "0.25", "0.25"}, {c{Type: target.Decimal, Digits: 5, Scale: 2, Default: &fallback}, "", " ", "0.00"},

		{c{Type: target.Boolean}, "", "はい", "true"}, {c{Type: target.Boolean}, "", "×", "false"}, {c{Type: target.Boolean}, "", "1", "true"}, {c{Type: target.Boolean}, "", "?", "(type_mismatch)"},

		{c{Type: target.Date}, "", "令和6年1月31日", "2024-01-31"}, {c{Type: target.Date}, "MM/DD/YYYY", "1/2/2024", "2024-01-02"}, {c{Type: target.Date}, "DD/MM/YYYY", "1/2/2024", "2024-02-01"},
		{c{Type: target.Date}, "", "0001-01-01", "0001-01-01"}, {c{Type: target.Date}, "", "9999-12-31", "9999-12-31"}, {c{Type: target.Date}, "", "1999-12-31", "1999-12-31"},

		{c{Type: target.Time}, "", "9:05", "09:05:00"}, {c{Type: target.Time}, "", "24:00", "24:00:00"}, {c{Type: target.Time}, "", "9:05:01.123456", "09:05:01.123456"},
		{c{Type: target.Time}, "", "9:05:01.1234560", "09:05:01.123456"}, {c{Type: target.Time}, "", "9:05:01.1234567", "(out_of_range)"},

		{c{Type: target.Timestamp}, "", "1969-07-20 20:17:40.5", "1969-07-20 20:17:40.5"}, {c{Type: target.Timestamp}, "", "2024-01-31", "2024-01-31 00:00:00"},
		{c{Type: target.Timestamp}, "", "2024-01-31T10:00Z", "(type_mismatch)"},

		{c{Type: target.Instant}, "", "2024-01-31T10:00+09:00", "2024-01-31 01:00:00+00"}, {c{Type: target.Instant}, "", "2024-01-31T10:00-03:30", "2024-01-31 13:30:00+00"},
		{c{Type: target.Instant}, "", "2024-01-31 10:00", "(type_mismatch)"}, {c{Type: target.Instant, Zone: "Asia/Tokyo"}, "", "2024-01-31 10:00", "2024-01-31 01:00:00+00"},
		{c{Type: target.Instant, Zone: "Asia/Tokyo"}, "", "2024-01-31T10:00Z", "2024-01-31 10:00:00+00"},
		{c{Type: target.Instant, Zone: "Europe/Berlin"}, "", "2024-10-27 02:30", "2024-10-27 01:30:00+00"},
		{c{Type: target.Instant, Zone: "Europe/Berlin"}, "", "2024-03-31 02:30", "(type_mismatch)"},
		{c{Type: target.Instant, Zone: "Europe/Berlin", Min: "2024-01-31T00:00:00Z"}, "", "2024-01-31 00:59:59", "(out_of_range)"},
		{c{Type: target.Instant, Zone: "Europe/Berlin", Max: "2024-01-31T00:00:00Z"}, "", "2024-01-31 01:00:00.000001", "(out_of_range)"},
		{c{Type: target.Instant, Zone: "Europe/Berlin", Max: "2024-01-31T00:00:00Z"}, "", "1960-01-31 01:00:00.000001", "1960-01-31 00:00:00.000001+00"},

		{c{Type: target.Duration}, "", "27:30:00", "PT27H30M"}, {c{Type: target.Duration}, "", "-1:05:10.5", "PT-1H-5M-10.5S"}, {c{Type: target.Duration}, "", "P1DT2H", "PT26H"},
	} {
		if got := s.value(t, typedcopy.Source{Column: tt.column, Format: tt.format}, tt.cell); got != tt.want {
			t.Errorf("%s %q of %+v: %q, want %q", tt.cell, tt.format, tt.column, got, tt.want)
		}
	}
}

// Any number arrives digit by digit, with or without an exponent.
func TestEveryDecimalArrives(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?`).Draw(t, "number")
		if strings.Contains(text, ".") {
			text += rapid.SampledFrom([]string{"", "", "e-12", "E7", "E+30"}).Draw(t, "exponent")
		}
		want, _ := new(big.Rat).SetString(text)
		got, ok := new(big.Rat).SetString(s.value(t, typedcopy.Source{Column: target.Column{Type: target.Decimal}}, text))
		if !ok || got.Cmp(want) != 0 {
			t.Fatalf("%s arrives as %v", text, got)
		}
	})
}
