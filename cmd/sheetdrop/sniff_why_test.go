package main

import (
	"regexp"
	"strings"
	"testing"
)

// Sniff says which cells keep a column from being numbers, and which dates could be read in two ways.
func TestSniffExplainsColumnTypes(t *testing.T) {
	t.Parallel()
	status, p := runOn(t, "item;day;amount\na;01/02/2024;1\nb;03/04/2024;open\nc;05/06/2024;3\n", "sniff", "-")
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), "amount is not integer for 1 value: row 3 open;",
		"day could also be DD/MM/YYYY or MM/DD/YYYY; declare the column to say which", "tried      quote")

	_, p = runOn(t, "item;day;amount\na;01/02/2024;1\nb;03/04/2024;open\n", "sniff", "-",
		"--column=day:date;format=DD/MM/YYYY", "--column=amount:decimal")
	want(t, p.out.String(), "day     date     DD/MM/YYYY  0      1         2024-02-01  2024-02-01", "line 3  amount  type_mismatch")
}

// What a hint names is an option that helps: with it the column has the type, and the hint is gone.
func TestHintsNameAnOption(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		column, cells string
		options       []string
		kind          string
	}{
		{"net price", "1,99;2,50;on request;1.030,50;3,12", []string{"--null=on request"}, "decimal"},
		{"n", "1;2;-x;3;open;4;-x", []string{"--null=-x", "--null=open"}, "integer"},
		{"n", "1;2;3x;4;5", []string{"--column=n:integer;format=0"}, "integer"},
		{"n", "1;2;3,5x;4,25;5,125", []string{"--column=n:decimal;format=0,0"}, "decimal"},
		{"day", "2024-01-31;2024-02-30;2024-03-31", []string{"--column=day:date;format=YYYY-MM-DD"}, "date"},
		{"day", "01/02/2024;03/04/2024;05/06/2024", []string{"--column=day:date;format=DD/MM/YYYY"}, "date"},
		{"at", "01/02/2024 10:00;03/04/2024 11:00", []string{"--column=at:timestamp;format=DD/MM/YYYY hh:mm"}, "timestamp"},
		{"n", "1.234;2.345;3.456", []string{"--column=n:integer;format=#.##0"}, "integer"},
		{"day", "01/02/2024;03/04/2024;05/06/2O24;01/02/2024", nil, "text"}, // which of day and month is first is not known
		{"n;m", "1;2;3x;4;5", nil, "text"}, // the option has no such name
	} {
		content := tt.column + "\tname\n" + strings.ReplaceAll(tt.cells, ";", "\ta b\n") + "\ta b\n"
		_, p := runOn(t, content, "sniff", "-")
		hints := hint.FindAllString(p.out.String(), -1)
		if len(hints) != 1 || !strings.Contains(strings.ReplaceAll(hints[0], "'", ""), strings.Join(tt.options, " ")) || tt.options == nil && strings.Contains(hints[0], "--") {
			t.Errorf("%q has the hints %q", tt.cells, hints)
		}
		_, p = runOn(t, content, append([]string{"sniff", "-"}, tt.options...)...)
		if out := p.out.String(); hint.MatchString(out) != (tt.options == nil) || !regexp.MustCompile(`1 +`+tt.column+` +`+tt.kind).MatchString(out) {
			t.Errorf("with %q the column %q is\n%s", tt.options, tt.cells, out)
		}
	}
}
