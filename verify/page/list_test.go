package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

func taskOf(t *testing.T, app *e2e.App) uuid.UUID {
	t.Helper()
	return pgtest.Query[uuid.UUID](t, app.Database, `select id from sheetdrop.task order by created_at desc limit 1`)
}

// listed is JavaScript for the names in the list, in their order.
const listed = `[...document.querySelectorAll(".files li .name")].map((e) => e.textContent).join("|")`

func (b *browser) search(text string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`(() => { const s = document.querySelector(".finder input"); s.value = %q; s.dispatchEvent(new Event("input")); })()`, text))
}

// Who has thousands of files finds the one from long ago by a part of its name, or by what became of it.
func TestPageFindsOldFiles(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Alerts: []string{}})
	old := app.Upload(t, "Rechnung März.csv", []byte(orders))
	bad := app.Upload(t, "portable.csv", []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"))
	app.Await(t, old.ID)
	app.Await(t, bad.ID)
	app.Exec(t, `with f as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select (lpad(to_hex((extract(epoch from now() + interval '1 h') * 1000)::bigint + i), 12, '0') || '70008000' || repeat('0', 12))::uuid, 'local', 'other ' || i || '.csv',
    'text/csv', 1, sha256(i::text::bytea), 'none/' || i, 1
  from generate_series(1, 300) i returning id
)
insert into sheetdrop.task (id, source_file_id, owner, options, status, attempt, started_at, finished_at, summary)
select id, id, 'local', '{}', 'COMPLETED', 1, now(), now(), '{"rows_read":1,"rows_loaded":1,"rows_rejected":0,"rows_skipped":0,"sheets":[]}' from f`)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.until("the newest are listed", `document.querySelectorAll(".files li").length === 100`)
	b.search("rechnung mär")
	b.until("the old one is found", listed+` === "Rechnung März.csv"`)
	b.picture("found")
	b.search("")
	b.until("the newest are listed again, without a hole", `document.querySelectorAll(".files li").length === 100 && !`+listed+`.includes("Rechnung")`)
	b.click(".filters button", "Failed")
	b.until("the failed one is found", listed+` === "portable.csv"`)
	b.click(".filters button", "Rejects")
	b.until("the one with rejects is found", listed+` === "Rechnung März.csv"`)
	b.search("nothing like it")
	b.sees(".files", "No file matches")
	b.click(".files .link", "Show all")
	b.until("all are listed again", `document.querySelectorAll(".files li").length === 100`)
	b.click(".files .more", "")
	b.until("more are listed", `document.querySelectorAll(".files li").length === 200`)
}

// Several files are read again at once; those that are not are named, each with its reason.
func TestPageReadsManyAgain(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		app.Await(t, app.Upload(t, name, []byte(orders)).ID)
	}
	b := newBrowser(t, app, look{})
	b.open("/")
	b.until("they are listed", listed+` === "c.csv|b.csv|a.csv"`)
	before := pgtest.Query[int](t, app.Database, `select count(*)::int from sheetdrop.task`)
	// Somebody else has read c.csv again meanwhile, in another window.
	app.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options, status, attempt, started_at, finished_at)
select gen_random_uuid(), id, owner, '{}', 'CANCELLED', 1, now(), now() from sheetdrop.source_file where name = 'c.csv'`)
	b.run(`document.querySelector(".files li input").focus()`)
	b.press(" ")
	b.sees(".chosen-bar", "1 selected")
	b.run(`document.querySelectorAll(".files li input")[2].dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }))`)
	b.sees(".chosen-bar", "3 selected")
	b.run(`document.querySelectorAll(".files li input")[1].click()`)
	b.sees(".chosen-bar", "2 selected")
	b.click(".chosen-bar .link", "All listed")
	b.sees(".chosen-bar", "3 selected")
	b.picture("chosen")
	b.click(".read-again", "Read again")
	b.sees("dialog.excluded", "Some files were not read again")
	b.sees("dialog.excluded", "2 others are")
	b.sees("dialog.excluded li", "It has been read again meanwhile")
	b.picture("excluded")
	b.click("dialog.excluded button", "Close")
	b.until("nothing is chosen any more", `document.querySelector(".chosen-bar").hidden && !document.querySelector(".files input:checked")`)
	app.Await(t, taskOf(t, app))
	if after := pgtest.Query[int](t, app.Database, `select count(*)::int from sheetdrop.task`); after != before+3 {
		t.Errorf("%d tasks, want two more than the %d before, and the one of somebody else", after, before)
	}
}

// Several files are deleted at once. Nothing is deleted on the server while it can be taken back; who closes the page has not taken it back.
func TestPageDeletesManyWithUndo(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		app.Await(t, app.Upload(t, name, []byte(orders)).ID)
	}
	left := func() int {
		return pgtest.Query[int](t, app.Database, `select count(*)::int from sheetdrop.source_file where deleted_at is null`)
	}
	b := newBrowser(t, app, look{})
	b.open("/")
	b.until("they are listed", listed+` === "c.csv|b.csv|a.csv"`)
	deleteTwo := func() {
		t.Helper()
		b.run(`document.querySelectorAll(".files li input")[0].click()`)
		b.run(`document.querySelectorAll(".files li input")[1].click()`)
		b.run(`document.querySelector(".chosen-bar .delete").click()`)
		b.sees(".notice", "2 files are deleted")
		b.until("one is listed", listed+` === "a.csv"`)
	}
	deleteTwo()
	if n := left(); n != 3 {
		t.Errorf("%d files are left while it can be taken back", n)
	}
	b.click(".notice .link", "Undo")
	b.until("they are listed again", listed+` === "c.csv|b.csv|a.csv"`)
	deleteTwo()
	b.open("/operate") // which leaves the page
	b.until("they are deleted", `fetch("/api/files").then((a) => a.json()).then((l) => l.items.length === 1)`)
}

// Who uploads what is there already hears so at once, and is led to it.
func TestPageTellsTheSameContent(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	app.Await(t, app.Upload(t, "first.csv", []byte(orders)).ID)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".files", "first.csv")
	b.choose(b.file("second.csv", orders))
	b.sees(".notice", "second.csv has the same content as first.csv")
	b.sees("h1", "second.csv")
	b.sees(".head .same", "Same content as first.csv")
	b.picture("same")
	b.click(".notice .link", "Show that one")
	b.sees("h1", "first.csv")
}

// A folder that is dropped is uploaded with all that is in it, each file under its path, and without what systems put into folders.
func TestPageDropsAFolder(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	folder := filepath.Join(t.TempDir(), "月次")
	for name, content := range map[string]string{"orders.csv": orders, "2024/one.csv": "a\n1\n", "2024/two.csv": "a\n2\n", ".DS_Store": "x", "~$orders.xlsx": "x"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".dropzone", "Drop CSV")
	b.drop(folder)
	b.until("three files are listed", `document.querySelectorAll(".files .dot.completed").length === 3`)
	if names := value[string](b, `[...document.querySelectorAll(".files li .name")].map((e) => e.textContent).sort().join("|")`); names != "月次/2024/one.csv|月次/2024/two.csv|月次/orders.csv" {
		t.Errorf("uploaded are %s", names)
	}
}
