package page_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
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

// fill sets a form's field as a person does who leaves it afterwards.
func (b *browser) fill(selector, text string) {
	b.t.Helper()
	b.until(selector+" is there", fmt.Sprintf("document.querySelector(%q) !== null", selector))
	b.run(fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		if (document.activeElement === field) field.blur();
		field.focus();
		field.value = %q;
		for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
	})()`, selector, text))
}

// row is the selector of a header's row.
func (b *browser) row(header string) string {
	b.t.Helper()
	b.sees(".match tbody tr", header)
	n := value[int](b, fmt.Sprintf(`[...document.querySelectorAll(".match tbody tr")].findIndex((r) => r.querySelector(".header bdi").innerText === %q) + 1`, header))
	return fmt.Sprintf(".match tbody tr:nth-child(%d)", n)
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
	app.Exec(t, `update data.prices set note = 'edited' where article = 'A2'`)
	b.run(`document.querySelector(".loads tbody tr:nth-child(2) .undo").click()`)
	b.sees("dialog", "Rows that it added are removed: 2.")
	b.sees("dialog", "Files that were loaded later stay loaded")
	b.click("#undo", "Undo this load")
	b.sees(".result.undone", "Undone")
	b.sees(".result.undone", "A2")
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

// reload loads the page anew, and returns when the old one has gone.
func (b *browser) reload() {
	b.t.Helper()
	b.run(`window.old = true; location.reload()`)
	b.until("the page is loaded anew", `!window.old && document.readyState === "complete"`)
}

// tabTo goes to an element by the tabulator key.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	b.until(selector+" is there", fmt.Sprintf("document.querySelector(%q) !== null", selector))
	for range 200 {
		if value[bool](b, fmt.Sprintf("document.activeElement === document.querySelector(%q)", selector)) {
			return
		}
		b.press(kb.Tab)
	}
	b.fatal("the tabulator key does not lead to " + selector)
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

// Who may read a table, and not load into it, is told so where they choose it and where a link leads them.
func TestPageNotPermitted(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"}})
	app.Principal = principal("ann")
	id := makeTarget(t, app, priceTable)
	shares := fmt.Sprintf(`{"shares": [{"grantee": %q, "may": "read"}]}`, ownerOf("bob"))
	answer := app.Do(t, http.MethodPut, "/api/targets/"+id+"/shares", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(shares))
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, answer.Text)
	}
	app.Principal = principal("bob")
	path := upload(t, app, "prices.csv", prices)
	b := newBrowser(t, app, look{})
	b.signIn("bob")
	b.open(path)
	b.sees(".card.closed", "for reading only")
	b.open(path + "?target=" + id)
	b.sees(".match .state.failed", "for reading only")
	b.open("/tables/" + id)
	b.sees(".loads", "Nothing has been loaded into this table")
	b.signIn("eve")
	b.open("/tables/" + id)
	b.sees("main", "There is nothing at this address")
}

// principal is what the platform says of who has signed in.
func principal(name string) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `{"auth_typ": "aad", "claims": [{"typ": "tid", "val": "tenant"}, {"typ": "oid", "val": %q}]}`, name))
}

func ownerOf(name string) string { return "aad:tenant/" + name }

// signIn has the browser's requests come from somebody, as the platform says so to the app.
func (b *browser) signIn(name string) {
	b.t.Helper()
	headers := network.Headers{"X-MS-CLIENT-PRINCIPAL": principal(name)}
	b.do(call(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers}))
}

// A sheet's rows in SQL: the view is made with one click, and its statement works.
func TestPageShowsTheSQLOfASheet(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "orders.csv", []byte(orders))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.click("#sql", "SQL")
	b.click("#make-view", "Make the view")
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
	b.run(fmt.Sprintf(`sessionStorage.setItem("draft.match.%s.1.%s", %q)`, file, id, draft)) // as if each had been chosen by hand
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

// Names of tables and columns do nothing but show, and a link leads to no other part of the API than the one that it is for.
func TestPageHostileTables(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	const markup = `<img src=x onerror=alert(1)><b>'"`
	text, err := json.Marshal(markup)
	if err != nil {
		t.Fatal(err)
	}
	name := string(text)
	id := makeTarget(t, app, `{"name": `+name+`, "key": [`+name+`], "columns": [{"name": `+name+`, "type": "text", "required": true, "label": "turned\u202eback"}]}`)
	b := newBrowser(t, app, look{})
	path := upload(t, app, markup+".csv", `"<img src=x onerror=alert(1)><b>'""",n`+"\n<script>alert(2)</script>,1\n=1+1,2\n")
	harmless := func() {
		t.Helper()
		if found := value[int](b, `document.querySelectorAll("#app img:not(.brand img), #app script, #app b:not(.fill b), dialog b, dialog img, [onerror]").length`); found > 0 {
			t.Errorf("%d elements were made from names", found)
		}
		if turned := value[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText + document.title)`); turned {
			t.Error("a mark that turns the direction of writing is on the page")
		}
	}
	b.open(path)
	b.sees(".card", markup)
	harmless()
	b.click(".card", markup)
	b.sees(".match .why", "same name")
	b.run(`document.querySelector(".match select").dispatchEvent(new PointerEvent("pointerdown"))`)
	harmless()
	b.tryLoad()
	b.effect("New", "2")
	b.click("#load", "Load")
	b.effect("Added", "2")
	harmless()
	b.click("#loads", "undo")
	b.sees(".loads tbody tr", markup)
	b.click(".loads .undo", "Undo")
	b.sees("dialog", markup)
	harmless()
	b.open(path + "?target=..%2F..%2Ffiles&run=..%2Ffiles")
	b.sees(".choose", "Which table")
	b.open("/tables/" + id + "?run=" + strings.Repeat("..%2F", 9))
	b.sees(".loads tbody tr", markup)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.requests {
		if strings.Contains(request, "/api/") && (strings.Contains(request, "..") || strings.Contains(request, "%2F")) {
			t.Errorf("the page asks for %s", request)
		}
	}
}

// The way into a table and the tables look right, and have no serious fault for who sees little or hears the page, in both languages and
// colour schemes, on a phone and on a desk.
func TestPageAccessibilityOfTables(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(tools(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/tables")
	b.sees("main", "There are no tables yet")
	b.picture("no-tables")
	id := makeTarget(t, app, priceTable)
	makeTarget(t, app, `{"name": "注文一覧", "columns": [{"name": "番号", "type": "integer"}]}`)
	path := upload(t, app, "prices.csv", prices+"A1;3,00;01.03.2024;rot\n")
	b.open(path + "?target=" + id)
	b.fill(b.row("Preis netto")+" .goes select", "#net")
	b.tryLoad()
	b.sees(".result h2", "What this file would do")
	dry := value[string](b, "location.pathname + location.search")
	b.click("#load", "Load")
	b.sees(".result h2", "Loaded into")
	loaded := value[string](b, "location.pathname + location.search")
	file, _, _ := strings.Cut(path, "/tasks/")
	details := file + "/tasks/" + value[string](b, `new URLSearchParams(location.search).get("run")`)
	b.open("/tables/" + id)
	b.click(".loads .undo", "Undo")
	b.click("#undo", "Undo this load")
	b.sees(".result.undone", "Undone")
	undone := value[string](b, "location.pathname + location.search")
	b.open(dry)
	b.click("#load", "Load")
	b.sees(".result h2", "Loaded into")
	vague := upload(t, app, "days.csv", "Article no,Nettopreis,valid-from\nA1,1.50,03/04/2024\nA2,2.50,05/06/2024\n") + "?target=" + id
	states := []struct{ name, path, ready, click string }{
		{"choose", path, ".cards .card", ""},
		{"make", path + "?target=new", ".make tbody tr", ""},
		{"match", vague, ".match .why .suggestion", ""},
		{"check", dry, ".rejects li", ""},
		{"loaded", loaded, ".rejects li", ""},
		{"details", details, ".in-table .statement", ""},
		{"file-in-table", file, ".note + .tabs ~ .sheet .cell:not(.coming)", ""},
		{"tables", "/tables", ".cards .card", ""},
		{"undone", undone, ".result.undone", ""},
		{"undo", "/tables/" + id, ".loads .undo", `document.querySelector(".loads .undo").click()`},
		{"sql", strings.TrimSuffix(path, "/into"), ".grid .cell:not(.coming)", `document.querySelector("#sql").click()`},
	}
	for _, language := range []string{"en", "ja"} {
		for _, dark := range []bool{false, true} {
			for _, width := range []int64{390, 1280} {
				b.set(look{language, dark, width})
				for _, s := range states {
					b.open(s.path)
					b.until(s.name+" is there", fmt.Sprintf("document.querySelector(%q) !== null", s.ready))
					if s.click != "" {
						b.run(s.click)
						b.until("the dialogue is there", `document.querySelector("dialog .statement, dialog #make-view, dialog #undo") !== null`)
					}
					name := fmt.Sprintf("%s-%s-%s-%d", s.name, language, map[bool]string{false: "light", true: "dark"}[dark], width)
					b.picture(name)
					if wide := value[bool](b, "document.documentElement.scrollWidth > innerWidth"); wide {
						t.Errorf("%s: the page is wider than the screen", name)
					}
					if (language == "en") != (width == 1280) {
						continue // what axe looks at depends on width and colours, and not on the language
					}
					for _, fault := range b.axe(string(axe)) {
						t.Errorf("%s: %s", name, fault)
					}
				}
			}
		}
	}
}
