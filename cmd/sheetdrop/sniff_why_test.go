package main

import "testing"

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
