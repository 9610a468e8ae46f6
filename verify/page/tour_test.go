package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// The tour of README.md: after one drop and one click a column of German numbers is summed in SQL, as the page says. Its picture is
// docs/page.png.
func TestPageTour(t *testing.T) {
	const total = "38959.40" // of the 40 rows that can be read, 1.063,27 among them
	sample, err := filepath.Abs("../../samples/prices.csv")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.do(chromedp.EmulateViewport(1280, 640))
	b.open("/")
	b.sees(".files", "No files yet")
	b.drop(sample)
	b.sees(".grid", "Rohr 1/2")
	b.until("prices and dates have histograms", `document.querySelectorAll(".head .glance svg.chart").length === 2`)
	b.picture("tour")
	b.click("#sql", "SQL")
	b.sees("dialog .statement", "select * from data.prices;")

	sum := strings.Replace(value[string](b, `document.querySelector("dialog .statement pre").innerText`), "*", `sum("Nettopreis")`, 1)
	if got := pgtest.Query[string](t, app.Database, "select ("+strings.TrimSuffix(sum, ";")+")::text"); got != total {
		t.Errorf("%s is %s", sum, got)
	}
	if line := sum + "   -- " + total; !strings.Contains(string(readme), line) {
		t.Errorf("README.md does not say %s", line)
	}
}
