package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// row is the selector of a header's row.
func (b *browser) row(header string) string {
	b.t.Helper()
	b.sees(".match tbody tr", header)
	n := value[int](b, fmt.Sprintf(`[...document.querySelectorAll(".match tbody tr")].findIndex((r) => r.querySelector(".header bdi").innerText === %q) + 1`, header))
	return fmt.Sprintf(".match tbody tr:nth-child(%d)", n)
}

// Where a column of dates or numbers has two meanings people are asked before anything is loaded, and the way back and a reload lose no answer.
func TestPageAsksHowCellsAreWritten(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, `{"name": "days", "columns": [{"name": "day", "type": "date", "required": true}, {"name": "n", "type": "decimal"}]}`)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "days.csv", "day;n\n03/04/2024;1,234\n05/06/2024;2,345\n") + "?target=" + id)
	day, number := b.row("day"), b.row("n")
	b.sees(".match .problem", "day can be read in several ways")
	b.until("both ways are offered", `["DD/MM/YYYY", "MM/DD/YYYY"].every((f) => [...document.querySelector("`+day+` .ask").options].some((o) => o.value === f))`)
	b.until("nothing is loaded before", `document.querySelector("#check").disabled`)
	b.fill(day+" .ask", "MM/DD/YYYY")
	b.sees(number+" .ask", "1,5 with a fraction")
	b.fill(number+" .ask", "0,0")
	b.until("the check is offered", `!document.querySelector("#check").disabled`)
	b.reload()
	b.until("the answer is kept", `document.querySelector("`+day+` .ask")?.value === "MM/DD/YYYY"`)
	b.tryLoad()
	b.effect("New", "2")
	b.run(`history.back()`)
	b.until("the answer is still there", `document.querySelector("`+day+` .ask")?.value === "MM/DD/YYYY"`)
	b.run(`history.forward()`)
	b.click("#load", "Load")
	b.effect("Added", "2")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.days where day in ('2024-03-04', '2024-05-06') and n in (1.234, 2.345)`); n != 2 {
		t.Errorf("%d rows were read as they are meant", n)
	}
}

// All of it is done without a mouse, and what changes is said to who hears the page.
func TestPageMatchesByKeyboard(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "prices.csv", prices) + "?target=" + id)
	net := b.row("Preis netto")
	b.sees(net, "Not matched")
	b.tabTo(net + " .goes select")
	b.press("n", "e", "t") // as every list of choices takes it
	b.press(kb.Enter)
	b.until("the row is matched", `document.querySelector("`+net+` .goes select").value === "#net"`)
	b.sees(".match .summary[role=status]", "3 of 4 columns")
	b.until("the change is said", `document.querySelector(".match .heard[role=status]").textContent === "Preis netto goes to net."`)
	b.tabTo("#check")
	b.press(kb.Enter)
	b.sees(".result [role=status]", "What this file would do")
	b.tabTo("#load")
	b.press(kb.Enter)
	b.sees(".result [role=status]", "Loaded into prices")
	b.tabTo("#loads")
	b.press(kb.Enter)
	b.sees(".loads tbody tr", "prices.csv")
	b.tabTo(".loads .undo")
	b.press(kb.Enter)
	b.sees("dialog", "Undo the load of prices.csv")
	b.tabTo("#undo")
	b.press(kb.Enter)
	b.sees(".result.undone [role=status]", "Undone")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.prices`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// A column is dragged to where it belongs: from those that are still empty, or from another row.
func TestPageMatchesByDragging(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "prices.csv", prices) + "?target=" + id)
	net, valid, colour := b.row("Preis netto"), b.row("Valid from"), b.row("Farbe")
	drag := func(from, to string) {
		t.Helper()
		b.run(`(() => {
			const dragged = new DataTransfer();
			const event = (type) => new DragEvent(type, { dataTransfer: dragged, bubbles: true, cancelable: true });
			` + from + `.dispatchEvent(event("dragstart"));
			for (const type of ["dragenter", "dragover", "drop"]) document.querySelector("` + to + `").dispatchEvent(event(type));
		})()`)
	}
	b.sees(".chip", "net")
	drag(found(".chip", "net"), net+" .header")
	b.until("net is where it was dropped", `document.querySelector("`+net+` .goes select").value === "#net"`)
	b.sees(valid+" .why", "written differently")
	drag(`document.querySelector("`+valid+` .grip")`, colour+" .header")
	b.until("valid_from has moved", `document.querySelector("`+colour+` .goes select").value === "#valid_from"
		&& document.querySelector("`+valid+` .goes select").value === "-"`)
	if shown := value[bool](b, `document.querySelector(".overlay").hidden`); !shown {
		t.Error("dragging a column looks like dropping a file")
	}
}

// As many choices as people make go along, however long they are: hosts refuse addresses of more than 8 KiB.
func TestPageMatchesManyColumns(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	const many = 150
	var columns, headers, cells []string
	choices := map[string]string{}
	for n := range many {
		name, header := fmt.Sprintf("column_%d", n), fmt.Sprintf("とても長い見出しの列 %d", n)
		columns, headers, cells = append(columns, `{"name": "`+name+`", "type": "text"}`), append(headers, header), append(cells, fmt.Sprint(n))
		choices[header] = name
	}
	id := makeTarget(t, app, `{"name": "wide", "columns": [`+strings.Join(columns, ",")+`]}`)
	path := upload(t, app, "wide.csv", strings.Join(headers, ",")+"\n"+strings.Join(cells, ",")+"\n")
	b := newBrowser(t, app, look{})
	b.open(path)
	b.sees(".card", "wide")
	draft, err := json.Marshal(map[string]any{"mapping": choices})
	if err != nil {
		t.Fatal(err)
	}
	file := strings.Split(path, "/")[2]
	b.run(fmt.Sprintf(`sessionStorage.setItem("sheetdrop.match.%s.1.%s", %q)`, file, id, draft)) // as if each had been chosen by hand
	b.click(".card", "wide")
	b.sees(".match .summary", "150 of 150 columns")
	b.until("a hundred rows are there, and a button for more", `document.querySelectorAll(".match tbody tr").length === 100`)
	b.click(".match .more", "Show more")
	b.until("all rows are there", `document.querySelectorAll(".match tbody tr").length === 150`)
	b.tryLoad()
	b.effect("New", "1")
	b.click("#load", "Load")
	b.effect("Added", "1")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.wide where column_0 = '0' and column_149 = '149'`); n != 1 {
		t.Errorf("%d rows", n)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.requests {
		if len(request) > 8000 {
			t.Errorf("an address of %d bytes", len(request))
		}
	}
}
