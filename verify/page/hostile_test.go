package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Whatever stands in a file is shown as text, and does nothing: markup in cells, headers and names, marks that turn the direction of writing,
// a cell of a megabyte.
func TestPageHostileCells(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	const markup = `<img src=x onerror=alert(1)><script>alert(2)</script>`
	name := "a\u202egnp.<b>" + strings.ReplaceAll(markup, "/", "") + ".csv"
	text := "id," + markup + ",turned,long\n" +
		"1," + markup + ",abc\u202edef\u2066,short\n" +
		"2,javascript:alert(3),=cmd|' /C calc'!A0," + strings.Repeat("x", 1_000_000) + "\n" +
		"3,\"too\",many,cells," + markup + "\n"
	task := app.Upload(t, name, []byte(text))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.click(".files a", "<b>")
	b.sees("h1", "gnp.<b><img src=x onerror=alert(1)>")
	b.sees(".grid .head", "<script>")
	b.sees(".grid .cell", markup)
	b.sees(".grid .cell", "abc\ufffddef\ufffd")
	harmless := func() {
		t.Helper()
		if found := value[int](b, `document.querySelectorAll("#app img:not(.brand img), #app script, #app b:not(.fill b), #app [onerror]").length`); found > 0 {
			t.Errorf("%d elements were made from what stands in the file", found)
		}
		if turned := value[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("h1, .grid")?.innerText + document.title)`); turned {
			t.Error("a mark that turns the direction of writing is on the page")
		}
		if length := value[int](b, `document.body.textContent.length`); length > 100_000 {
			t.Errorf("the page has %d characters", length)
		}
	}
	harmless()
	b.run(`document.querySelector(".grid").focus()`)
	b.press(kb.ArrowDown, kb.End, kb.Enter)
	b.sees(".side", "The rest is in the export")
	harmless()
	b.click(".parts a", "Rejects")
	b.sees(".rejects .raw", "<script>")
	harmless()
}

// Three thousand columns are found, seen to the last one, and cost what is seen of them.
func TestPageThreeThousandColumns(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	var header, cells []string
	for n := range 3000 {
		header, cells = append(header, fmt.Sprint("column ", n)), append(cells, fmt.Sprint(n))
	}
	row := strings.Join(cells, ",") + "\n"
	task := app.Upload(t, "wide.csv", []byte(strings.Join(header, ",")+"\n"+strings.Repeat(row, 50)))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.sees(".grid .head", "column 3")
	b.run(`document.querySelector(".grid").focus()`)
	b.press(kb.End)
	b.sees(".grid .head", "column 2999")
	b.sees(".grid .cell", "2999")
	if elements := value[int](b, `document.querySelectorAll("*").length`); elements > 4000 {
		t.Errorf("%d elements", elements)
	}
	b.fill(".tools input", "COLUMN 1234")
	b.until("that one is left", `document.querySelectorAll(".grid .head .cell").length === 1`)
	b.sees(".grid .cell", "1234")
	b.fill(".tools input", "nowhere")
	b.sees(".holder", "No column has this in its name")
	b.fill(".tools input", "")
	b.sees(".grid .head", "column 0")
}
