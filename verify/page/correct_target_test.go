package page_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// Rows that were refused on their way into a table are corrected where they are shown, and are in the table then, once. The table's loads tell
// what has corrected what, and undone the rows can be corrected again.
func TestPageCorrectsRejectsOfATable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	id := makeTarget(t, app, `{"name": "amounts", "key": ["id"], "mode": "upsert", "columns": [
  {"name": "id", "type": "integer", "required": true}, {"name": "amount", "type": "integer", "required": true}]}`)
	uploadInto(t, app, id, "amounts.csv", "id,amount\n1,10\n2,\n3,30\n4,\n")
	table := func(want string) {
		t.Helper()
		app.Database.Await(t, `select string_agg(concat_ws(' ', id, amount), ', ' order by id) = $1 from data.amounts`, want)
	}
	rejects := "/files/" + pgtest.Query[string](t, app.Database, `select id::text from sheetdrop.source_file`) + "/sheets/1/rejects"
	b.open(rejects)
	b.click("#correct", "Correct them here")
	b.sees(".correcting .cell.wrong", "")
	b.write(3, 2, "20")
	b.write(5, 2, "forty")
	b.click("#send-corrected", "Send corrected rows (2)")
	b.sees(".corrected", "Corrected rows accepted: 1")
	b.sees(".corrected", "still rejected: 1")
	b.until("what is still wrong has what was typed", cell(5, 2)+`?.innerText === "forty"`)
	table("1 10, 2 20, 3 30")

	b.open("/tables/" + id)
	b.sees(".loads tbody tr", "Corrects amounts.csv")
	b.picture("corrected-table")
	b.run(`document.querySelectorAll(".loads .undo")[1].click()`)
	b.sees("dialog .effects-list", "Corrections of its refused rows are undone with it")
	b.press(kb.Escape)
	b.until("the dialog is closed", `!document.querySelector("dialog[open]")`)
	b.run(`document.querySelectorAll(".loads .undo")[0].click()`)
	b.sees("dialog .effects-list", "can be corrected again")
	b.click("#undo", "Undo this load")
	b.sees(".result.undone", "Undone")
	table("1 10, 3 30")
	b.open(rejects)
	b.sees(".rejects", "line 3")
}
