package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/samples"
	"sheetdrop/verify/e2e"
)

const (
	priceTable = `{"name": "prices", "key": ["article"], "mode": "upsert", "columns": [
  {"name": "article", "type": "text", "required": true, "label": "Artikelnummer"},
  {"name": "net", "type": "decimal", "digits": 12, "scale": 2, "min": "0", "required": true, "synonyms": ["Nettopreis"]},
  {"name": "valid_from", "type": "date"}, {"name": "note", "type": "text"}]}`
	prices      = "Artikelnummer;Preis netto;Valid from;Farbe\nA1;1,50;31.01.2024;rot\nA2;2,50;01.02.2024;blau\nA3;-1,00;29.02.2024;grau\n"
	laterPrices = "Artikelnummer;Preis netto;Valid from;Farbe\nA1;1,75;31.01.2024;rot\nA2;2,50;01.02.2024;blau\nA4;9,00;29.02.2024;grau\n"
)

// makeTarget makes a table by the API and returns its id.
func makeTarget(t *testing.T, app *e2e.App, definition string) string {
	t.Helper()
	answer := app.Do(t, http.MethodPost, "/api/targets", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(definition))
	var made struct{ ID string }
	if err := json.Unmarshal(answer.Text, &made); err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", answer.StatusCode, answer.Text)
	}
	return made.ID
}

// upload uploads a file and returns the address of its first sheet's way into a table.
func upload(t *testing.T, app *e2e.App, name, text string) (path string) {
	t.Helper()
	task := app.Upload(t, name, []byte(text))
	app.Await(t, task.ID)
	return fmt.Sprintf("/files/%s/tasks/%s/sheets/1/into", task.FileID, task.ID)
}

// uploadInto uploads a file into a table, and waits until it is loaded.
func uploadInto(t *testing.T, app *e2e.App, target, name, text string) {
	t.Helper()
	uploadWith(t, app, "name="+url.QueryEscape(name)+"&target="+url.QueryEscape(target), text)
}

// uploadWith uploads a text with options, and waits until it is read.
func uploadWith(t *testing.T, app *e2e.App, options, text string) e2e.Task {
	t.Helper()
	answer := app.Do(t, http.MethodPost, "/api/files?"+options, http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(text))
	var taken struct{ Task e2e.Task }
	if err := json.Unmarshal(answer.Text, &taken); err != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatalf("%d %s", answer.StatusCode, answer.Text)
	}
	return app.Await(t, taken.Task.ID)
}

// effect waits for a figure of a result.
func (b *browser) effect(name, figure string) {
	b.t.Helper()
	b.until(name+" is "+figure, fmt.Sprintf(`[...document.querySelectorAll(".effects > div")].some((e) =>
		e.querySelector("dt").innerText === %q && e.querySelector("dd").innerText === %q)`, name, figure))
}

// tryLoad has a load tried, once that is offered.
func (b *browser) tryLoad() {
	b.t.Helper()
	b.until("the check is offered", `document.querySelector("#check")?.disabled === false`)
	b.click("#check", "Check first")
}

// A sheet goes into a table of people's own: its columns find those of the table, what would change is seen before, what is refused is
// shown with its reason, and the load can be undone.
func TestPageLoadsIntoATableAndUndoes(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	makeTarget(t, app, priceTable)
	task := app.Upload(t, "prices.csv", []byte(prices))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.click("#into", "Into a table")
	b.click(".card", "prices")
	article, net := b.row("Artikelnummer"), b.row("Preis netto")
	b.sees(article+" .why", "same name")
	b.sees(b.row("Valid from")+" .why", "written differently")
	b.sees(".match .problem", "No header matches the column \"net\"")
	b.until("the check is not offered yet", `document.querySelector("#check").disabled`)
	b.fill(net+" .goes select", "#net")
	b.sees(net+" .why", "your choice")
	b.tryLoad()
	b.sees(".result h2", "What this file would do to prices")
	b.effect("New", "2")
	b.effect("Refused", "1")
	b.sees(".rejects .raw mark", "-1,00")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.prices`); n != 0 {
		t.Errorf("a check has loaded %d rows", n)
	}
	b.click("#load", "Load")
	b.sees(".result h2", "Loaded into prices")
	b.effect("Added", "2")
	b.sees(".statement", "select * from data.prices;")
	b.open("/files/" + task.FileID.String()) // whose rows can still be looked at
	b.sees(".note", "Loaded into prices: 2 rows added or changed, 1 refused")
	b.sees(".grid", "rot")

	// The next file is matched as this one was, without a question.
	b.open(upload(t, app, "prices-2.csv", laterPrices))
	b.click(".card", "prices")
	b.sees(b.row("Preis netto")+" .why", "as last time")
	b.tryLoad()
	b.effect("New", "1")
	b.effect("Changed", "1")
	b.effect("Unchanged", "1")
	b.click("#load", "Load")
	b.sees(".result h2", "Loaded into prices")
	b.click("#loads", "undo")
	b.sees(".loads tbody tr", "prices-2.csv")

	// The first one is undone, though another came later; a row that somebody has edited stays, and is named.
	b.sees(".rows tbody tr", "prices-2.csv, row 2") // A1, as the newest file has it
	b.until("the rows are those of the table", `[...document.querySelectorAll(".rows tbody tr")].map((r) => r.cells[0].innerText + r.cells[1].innerText).join() === "A11.75,A22.5,A49"`)
	app.Exec(t, `update data.prices set note = 'edited' where article = 'A2'`)
	b.run(`document.querySelector(".loads tbody tr:nth-child(2) .undo").click()`)
	b.sees("dialog", "Rows that it added are removed: 2.")
	b.sees("dialog .newer", "1 file was loaded later and stays loaded")
	b.sees("dialog .newer li", "prices-2.csv")
	b.click("#undo", "Undo this load")
	b.sees(".result.undone", "Undone")
	b.sees(".result.undone", "A2")
	b.sees(".rows tbody", "edited") // the rows are shown as they are by now
	b.until("the list says so", `document.querySelectorAll(".loads tr.undone").length === 1`)
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.prices where article in ('A1', 'A2', 'A4')`); n != 3 {
		t.Errorf("%d rows of the later load and of people are left", n)
	}
	b.reload()
	b.sees(".result.undone", "A2")
}

// A new table is made from the sheet: its columns are proposed, and what is wrong with them is said at the field.
func TestPageMakesATable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "orders.csv", orders))
	b.click("#new-table", "A new table")
	b.until("the name is proposed", `document.querySelector("#table-name")?.value === "orders"`)
	b.until("types are proposed", `[...document.querySelectorAll(".make select")].map((s) => s.value).join().includes("integer,text,decimal,date")`)
	b.fill("#table-name", "prices")
	b.run(`document.querySelector("#table-name").blur()`)
	b.sees(".make", "There is a table of this name")
	b.click("#make", "Make the table")
	b.until("the name is marked", `document.querySelector("#table-name").getAttribute("aria-invalid") === "true"`)
	b.fill("#table-name", "orders 注文")
	b.fill(".make tbody tr:nth-child(2) input", "")
	b.click("#make", "Make the table")
	b.until("the field is marked and has the focus", `document.activeElement === document.querySelector(".make tbody tr:nth-child(2) input[aria-invalid=true]")`)
	b.fill(".make tbody tr:nth-child(2) input", "customer")
	b.run(`document.querySelector(".make tbody tr:nth-child(1) td:nth-child(4) input").click()`) // the key
	b.reload()
	b.until("nothing is lost", `document.querySelector("#table-name")?.value === "orders 注文"
		&& document.querySelector(".make tbody tr:nth-child(1) td:nth-child(4) input").checked
		&& document.querySelector(".make tbody tr:nth-child(2) input").value === "customer"`)
	b.click("#make", "Make the table")
	b.sees(".match .summary", "4 of 4 columns")
	b.tryLoad()
	b.effect("New", "3")
	b.click("#load", "Load")
	b.effect("Added", "3")
	b.effect("Refused", "1")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data."orders 注文" where customer in ('Anna', 'Bob', 'Günter') and id > 0`); n != 3 {
		t.Errorf("%d rows", n)
	}
}

// A sheet's rows in SQL: the view is made with one click, and its statement works.
func TestPageShowsTheSQLOfASheet(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "orders.csv", []byte(orders))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.click("#sql", "SQL")
	b.sees("dialog .statement", "select * from data.orders;")
	b.sees("dialog .statement", "sheetdrop sql")
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.orders where amount > 1`); n != 2 {
		t.Errorf("%d rows by the statement", n)
	}
	b.press(kb.Escape)
	b.until("the dialogue is gone", `!document.querySelector("dialog")`)
	b.click("#sql", "SQL")
	b.sees("dialog .statement", "select * from data.orders;")
}

// Whoever replaces rows sees beforehand how many go, and what was remembered can be forgotten.
func TestPageShowsWhatAReplacementDeletes(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	load := func(file, text string) {
		t.Helper()
		b.open(upload(t, app, file, text) + "?target=" + id)
		b.sees(".match .summary", "columns of the table")
	}
	load("prices.csv", prices)
	b.fill(b.row("Preis netto")+" .goes select", "#net")
	b.tryLoad()
	b.click("#load", "Load 2 rows")
	b.effect("Added", "2")

	load("later.csv", "Artikelnummer;Preis netto\nA2;2,50\nA5;7,00\n")
	b.run(`document.querySelector(".modes [value=replace]").click()`)
	b.reload()
	b.until("the choice is kept", `document.querySelector(".modes [value=replace]")?.checked`)
	b.tryLoad()
	b.effect("New", "1")
	b.effect("Unchanged", "1") // a column that the file does not have keeps its values
	b.effect("Deleted", "1")
	b.run(`history.back()`)
	b.sees(b.row("Preis netto")+" .why", "as last time")
	b.click(".told .link", "Forget")
	b.sees(".notice", "The choices are forgotten")
	b.sees(".match .problem", "No header matches the column \"net\"")
}

// Where a table has gone, or a file, what is said leads on, and nothing is loaded.
func TestPageSaysThatATableHasGone(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	path := upload(t, app, "prices.csv", "article,net\nA1,1\n")
	b.open(path + "?target=" + id)
	b.tryLoad()
	b.effect("New", "1")
	app.Do(t, http.MethodDelete, "/api/targets/"+id, nil, nil)
	b.click("#load", "Load 1 row")
	b.sees(".outcome .problem", "There is no target")
	b.sees(".outcome .problem", "Choose another table")
	b.open(path + "?target=" + id)
	b.sees(".into", "There is nothing at this address")
	b.open("/tables/" + id)
	b.sees(".tables", "There is nothing at this address")
	b.open("/files/0192f0c1-0000-7000-8000-000000000001/tasks/0192f0c1-0000-7000-8000-000000000001/sheets/1/into")
	b.sees(".into", "There is nothing at this address")
}

// A load whose answer was lost on its way is found again, and not sent a second time: without a key every row would be there twice.
func TestPageLoadsOnceWhenTheAnswerIsLost(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, `{"name": "days", "columns": [{"name": "day", "type": "text"}]}`)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "days.csv", "day,n\nMo,1\nTu,2\n") + "?target=" + id)
	b.tryLoad()
	b.effect("New", "2")
	b.run(`(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			const answer = await send(path, options);
			if (options.method !== "POST" || window.lost) return answer;
			window.lost = true;
			throw new TypeError("the connection is gone");
		};
	})()`)
	b.click("#load", "Load")
	b.effect("Added", "2")
	if !value[bool](b, `window.lost`) {
		t.Error("no answer was lost")
	}
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.days`); n != 2 {
		t.Errorf("%d rows", n)
	}
}

// Of a workbook the sheet goes into the table that people were looking at.
func TestPageLoadsOneSheetOfAWorkbook(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	content, err := samples.Files.ReadFile("stock.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	task := app.Upload(t, "stock.xlsx", content)
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String() + "/sheets/2")
	b.sees(".grid", "Change")
	b.click("#into", "Into a table")
	b.sees(".into .facts", "Movements")
	b.click("#new-table", "A new table")
	b.fill("#table-name", "movements")
	b.click("#make", "Make the table")
	b.tryLoad()
	b.sees(".result h2", "What this file would do to movements")
	b.click("#load", "Load")
	b.sees(".result h2", "Loaded into movements")
	rows := pgtest.Query[int64](t, app.Database, `select rows_loaded from sheetdrop.sheet where task_id = $1 and number = 2`, task.ID)
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.movements`); n != rows || n == 0 {
		t.Errorf("%d rows of %d", n, rows)
	}
}
