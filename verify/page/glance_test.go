package page_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// The head of each column shows what its values are like: how numbers and dates are distributed, and which value is the most frequent;
// its profile says more.
func TestPageShowsHowValuesAreDistributed(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	var text strings.Builder
	text.WriteString("id,amount,day,country,note\n")
	for n := range 400 {
		fmt.Fprintf(&text, "k%d,%d.5,2024-%02d-%02d,%s,%s\n", n, n*n%977, 1+n%12, 1+n%28, []string{"DE", "JP", "DE", "FR"}[n%4], strings.Repeat("x", n%2))
	}
	task := app.Upload(t, "values.csv", []byte(text.String()))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.until("numbers and dates have histograms", `document.querySelectorAll(".head .glance svg.chart").length === 2`)
	b.until("all of their values are counted", `[...document.querySelectorAll(".head .glance svg")].every((svg) =>
		[...svg.querySelectorAll("title")].reduce((sum, t) => sum + Number(t.textContent.split(": ")[1]), 0) === 400)`)
	b.sees(".head .glance", "DE 50 %")
	b.sees(".head .glance", "≈")
	b.picture("heads")
	b.run(`document.querySelectorAll(".head .cell")[2].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`)
	b.sees(".profile", "In the first 400 rows")
	b.sees(".profile .edges", "2024-01-01")
	b.picture("distribution")
}
