package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// csv makes a file of n rows; the rows' first cells are 0 … n-1.
func csv(n, width int) []byte {
	var b strings.Builder
	b.WriteString("id,text\n")
	text := strings.Repeat("x", width)
	for i := range n {
		fmt.Fprintf(&b, "%d,%s\n", i, text)
	}
	return []byte(b.String())
}

// wantExactRows checks that the database holds the n rows of csv, for each of the files, and nothing else.
func wantExactRows(t *testing.T, app *e2e.App, files, n int) {
	t.Helper()
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', count(*), count(distinct sheet_id), coalesce(sum(cells[1]::int), 0)) from sheetdrop.sheet_row`)
	if want := fmt.Sprintf("%d %d %d", files*n, files, files*n*(n-1)/2); got != want {
		t.Errorf("rows, sheets, sum: %s, want %s", got, want)
	}
}
