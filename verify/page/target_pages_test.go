package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// sendJSON sends to the API what must be taken.
func sendJSON(t *testing.T, app *e2e.App, method, path, body string) {
	t.Helper()
	if answer := app.Do(t, method, path, http.Header{"Content-Type": {"application/json"}}, strings.NewReader(body)); answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, answer.Text)
	}
}

// column opens a column of a table and returns its selector.
func (b *browser) column(name string) string {
	b.t.Helper()
	b.sees(".field summary", name)
	n := value[int](b, fmt.Sprintf(`[...document.querySelectorAll(".field")].findIndex((f) => f.querySelector("strong").innerText === %q) + 1`, name))
	selector := fmt.Sprintf(".field:nth-child(%d)", n)
	b.run(fmt.Sprintf(`(document.querySelector(%q).open = true)`, selector))
	b.until("its fields are there", fmt.Sprintf(`document.querySelector("%s [name=label]") !== null`, selector))
	return selector
}

// Whoever defines a table changes its rules and adds columns on the page: what cannot be is said at the field, nothing is lost by a reload, and
// the next file is loaded by what was saved.
func TestPageChangesATable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open("/tables/" + id)
	b.click(".parts a", "Columns")
	b.until("nothing is to be saved", `document.querySelector("#save")?.disabled`)
	net := b.column("net")
	b.fill(net+" [name=min]", "ten")
	b.fill(net+" [name=synonyms]", "Nettopreis\nPreis netto")
	b.run(`document.querySelector("` + b.column("note") + ` [name=allowed]").focus()`)
	if disabled := value[bool](b, `document.querySelector("`+b.column("note")+` [name=required]").disabled`); !disabled {
		t.Error("a column with values may be made required")
	}
	b.click("#add-column", "Add a column")
	b.fill(".field:last-child [name=name]", "stock")
	b.fill(".field:last-child [name=type]", "integer")
	b.run(`document.querySelector(".field:last-child [name=required]").click()`)
	b.run(`document.querySelectorAll(".field").forEach((f) => (f.open = false))`)
	b.click("#save", "Save changes")
	b.sees(net+" .field-fault", "ten")
	b.until("the field has the focus", `document.activeElement === document.querySelector("`+net+` [name=min][aria-invalid=true]")`)
	b.fill(net+" [name=min]", "0.5")
	b.click("#save", "Save changes")
	b.sees(".field:last-child .field-fault", "needs a default")
	b.reload()
	b.sees(".field:last-child summary", "stock")
	b.column("stock")
	b.fill(".field:last-child [name=default]", "0")
	b.click("#save", "Save changes")
	b.sees(".notice", "Saved")
	b.until("it is saved", fmt.Sprintf(`fetch("/api/targets/%s").then((a) => a.json()).then(({ version, definition: { columns: [, net, , , stock] } }) =>
		version === 2 && net.min === "0.5" && net.synonyms.join() === "Nettopreis,Preis netto" && stock.type === "integer" && stock.default === "0")`, id))
	b.open(upload(t, app, "prices.csv", prices) + "?target=" + id)
	b.sees(b.row("Preis netto")+" .why", "synonym")

	// Nobody overwrites what somebody else has changed meanwhile.
	b.open("/tables/" + id + "/columns")
	b.fill(b.column("net")+" [name=max]", "100")
	sendJSON(t, app, http.MethodPatch, "/api/targets/"+id, `{"duplicates": "last"}`)
	b.click("#save", "Save changes")
	b.sees(".define .problem", "Someone else has changed this table")
	b.click(".define .problem button", "Show the current version")
	b.until("the other change is shown", `document.querySelector("[name=duplicates]").value === "last" && document.querySelector("#save").disabled`)
}

// All of it is done without a mouse, what has come of it is said, and the focus is never lost.
func TestPageChangesATableByKeyboard(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open("/tables/" + id)
	b.sees(".rows", "The table has no rows")
	b.tabTo(".parts a:nth-child(2)")
	b.press(kb.Enter)
	b.sees(".field summary", "net")
	b.until("the title has the focus", `document.activeElement.tagName === "H1"`)
	b.tabTo(".field:nth-child(2) summary")
	b.press(kb.Enter)
	b.tabTo(".field:nth-child(2) [name=max]")
	b.press("9", "9")
	b.tabTo("#save")
	b.press(kb.Enter)
	b.sees("[role=status] .notice", "Saved")
	b.until("the title has the focus", `document.activeElement.tagName === "H1"`)
	b.tabTo(".parts a:nth-child(3)")
	b.press(kb.Enter)
	b.sees(".sharing", "Not shared with anyone")
	b.tabTo("#grantee")
	b.press("s", "h", "o", "p", kb.Enter)
	b.sees(".shares tbody tr", "everyone with the role shop")
	b.tabTo(".shares tbody td:nth-child(3) input")
	b.press(" ")
	b.until("the right is given, and the box has the focus", fmt.Sprintf(`document.activeElement.matches(".shares td:nth-child(3) input:checked")
		&& fetch("/api/targets/%s/shares").then((a) => a.json()).then(({ shares }) => shares.length === 2)`, id))
	b.run(`document.querySelector("h1").focus()`)
	b.tabTo("#drop")
	b.press(kb.Enter)
	b.sees("dialog h2", "Remove prices")
	b.press(kb.Escape)
	b.until("the focus is back", `document.activeElement.id === "drop"`)
	b.press(kb.Enter)
	b.tabTo("#drop-now")
	b.press(kb.Enter)
	b.sees("main", "There are no tables yet")
}

// The owner of a table shares it with a role or a person, by the name that the person reads on their own page, and takes it back.
func TestPageSharesATable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"}})
	app.Principal = principal("bob")
	bobs := makeTarget(t, app, `{"name": "own", "columns": [{"name": "a", "type": "text"}]}`)
	app.Principal = principal("ann")
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.signIn("bob")
	b.open("/tables/" + bobs + "/sharing")
	b.sees(".sharing code", "")
	name := value[string](b, `document.querySelector(".sharing code").innerText`)
	b.signIn("ann")
	b.open("/tables/" + id + "/sharing")
	b.sees(".sharing", "Not shared with anyone")
	b.click("#share", "Share")
	b.sees(".field-fault", "Enter a role or a person")
	b.fill("#grantee", "shop")
	b.click("#share", "Share")
	b.sees(".shares tr", "everyone with the role shop")
	b.chooseOption(".grant select", "One person")
	b.fill("#grantee", name)
	b.chooseOption(".grant select:last-of-type", "may read its rows")
	b.click("#share", "Share")
	b.until("both are there", `document.querySelectorAll(".shares tbody tr").length === 2`)
	shares := func(want string) {
		t.Helper()
		b.until("the shares are "+want, fmt.Sprintf(`fetch("/api/targets/%s/shares").then((a) => a.json())
			.then(({ shares }) => shares.map((s) => s.grantee + " " + s.may).sort().join() === %q)`, id, want))
	}
	shares(name + " read,role:shop load")
	b.run(`document.querySelector(".shares input[aria-label*='Load: ` + name + `']").click()`)
	shares(name + " load," + name + " read,role:shop load")
	b.run(`document.querySelector(".shares button[aria-label*='role shop']").click()`)
	shares(name + " load," + name + " read")

	b.signIn("bob")
	b.open("/tables/" + id)
	b.sees(".parts", "Columns")
	if seen := value[bool](b, `document.querySelector(".parts").innerText.includes("Sharing") || document.querySelector("#drop") !== null`); seen {
		t.Error("who does not own the table is offered to share or drop it")
	}
	b.click(".parts a", "Columns")
	b.sees(".define", "Ask the owner")
	b.until("nothing can be changed", `document.querySelector("#save") === null`)
	b.signIn("ann")
	b.open("/tables/" + id + "/sharing")
	b.sees(".shares tr", name)
	b.run(`document.querySelector(".shares tbody button").click()`)
	shares("")
	b.sees(".sharing", "Not shared with anyone")
	b.signIn("bob")
	b.open("/tables/" + id)
	b.sees("main", "There is nothing at this address")
}

// What was chosen for headers is listed, and forgotten one by one or all at once.
func TestPageForgetsRememberedChoices(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	sendJSON(t, app, http.MethodPut, "/api/targets/"+id+"/choices",
		`{"choices": {"Preis netto": "net", "ab": {"column": "valid_from", "format": "DD.MM.YYYY"}, "Farbe": null}}`)
	b := newBrowser(t, app, look{})
	b.open("/tables/" + id)
	b.click(".parts a", "Choices")
	b.sees(".remembered tbody", "preisnetto")
	b.sees(".remembered tbody", "DD.MM.YYYY")
	b.sees(".remembered tbody", "left out")
	forget := func(header string) {
		t.Helper()
		b.run(`document.querySelector(".remembered .forget[aria-label='Forget ` + header + `']").click()`)
	}
	forget("farbe")
	b.until("the others are kept", fmt.Sprintf(`fetch("/api/targets/%s/choices").then((a) => a.json())
		.then(({ choices }) => choices.map((c) => c.header + c.column + (c.format ?? "")).sort().join() === "abvalid_fromDD.MM.YYYY,preisnettonet")`, id))
	b.until("the list says so", `document.querySelectorAll(".remembered tbody tr").length === 2`)
	b.click("#forget-all", "Forget all")
	b.sees(".chosen", "Nothing is remembered yet")
	b.until("they are gone", fmt.Sprintf(`fetch("/api/targets/%s/choices").then((a) => a.json()).then(({ choices }) => choices.length === 0)`, id))
}

// A table is removed after it was said what stays and what goes: its rows stay unless its name is written, and nobody loses a view of theirs.
func TestPageDropsATable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	kept := makeTarget(t, app, priceTable)
	makeTarget(t, app, `{"name": "days", "columns": [{"name": "day", "type": "text"}]}`)
	app.Exec(t, `insert into data.prices (article, net, _load, _row) values ('A1', 1, 0, 0)`)
	app.Exec(t, `create view others as select day from data.days`)
	b := newBrowser(t, app, look{})
	b.open("/tables/" + kept)
	b.sees(".rows", "")
	b.click("#drop", "")
	b.sees("dialog", "Its loads can no longer be undone")
	b.sees("dialog", "data.prices stays in the database")
	b.click("#drop-now", "keep the rows")
	b.sees(".notice", "prices was removed from the tables")
	b.sees(".cards", "days")
	if shown := value[bool](b, `document.querySelector(".cards").innerText.includes("prices")`); shown {
		t.Error("the table is still listed")
	}
	if n := pgtest.Query[int64](t, app.Database, `select count(*) from data.prices`); n != 1 {
		t.Errorf("%d rows are left", n)
	}

	b.click(".card", "days")
	b.click("#drop", "")
	b.run(`document.querySelector("dialog [value=drop]").click()`)
	b.until("its name has to be written", `document.querySelector("#drop-now").disabled`)
	b.fill("#drop-name", "days")
	b.click("#drop-now", "Delete table and rows")
	b.sees("dialog .problem", "others")
	app.Exec(t, `drop view others`)
	b.click("#drop-now", "Delete table and rows")
	b.sees("main", "There are no tables yet")
	if there := pgtest.Query[bool](t, app.Database, `select to_regclass('data.days') is not null`); there {
		t.Error("the table is still there")
	}
}

// Where the values of a column are of another kind than its header promises, people are asked before anything is loaded; what merely resembles
// a column says how much.
func TestPageAsksWhereItIsNotSure(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	id := makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open(upload(t, app, "prices.csv", "article;Net;valid fron\nA1;rot;2024-01-31\nA2;blau;2024-02-01\n") + "?target=" + id)
	net, valid := b.row("Net"), b.row("valid fron")
	b.sees(net+" .why", "Its values do not fit the type Decimal well")
	b.sees(net+" .why", "0%")
	b.sees(valid+" .suggestion", "80%")
	b.sees(".match .problem", "Net → net: its values do not fit well")
	b.until("nothing is loaded before", `document.querySelector("#check").disabled`)
	b.click(net+" .confirm", "Use it anyway")
	b.sees(net+" .why", "your choice")
	b.until("the question is gone", `!document.querySelector(".match .problem").innerText.includes("Net → net")`)
	if confidence := value[json.Number](b, fmt.Sprintf(`fetch("/api/targets/%s/match", { method: "POST", headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ headers: ["ARTICLE"] }) }).then((a) => a.json()).then((m) => m.columns[0].confidence)`, id)); confidence != "0.95" {
		t.Errorf("a name that is written in another way has a confidence of %s", confidence)
	}
}
