package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

const orders = "id;name;amount;day\n1;Anna;1,50;31.01.2024\n2;Bob;;01.02.2024\n3;too;many;cells;here\n4;Günter;1200,25;29.02.2024\n"

// People drop a file and see its table, without another click.
func TestPageDropShowsTheTable(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".dropzone", "Drop CSV or Excel files here")
	b.run(`(() => {
		const dropped = new DataTransfer();
		dropped.items.add(new File(["` + strings.ReplaceAll(orders, "\n", `\n`) + `"], "orders 注文.csv"));
		for (const type of ["dragenter", "dragover", "drop"])
			document.body.dispatchEvent(new DragEvent(type, { dataTransfer: dropped, bubbles: true, cancelable: true }));
	})()`)
	b.sees(".grid", "Günter")
	b.sees("h1", "orders 注文.csv")
	b.sees(".grid .head", "Decimal")
	b.sees(".grid", "2024-02-29")
	b.sees(".grid .rejected", "One cell too many")
	b.sees(".files", "3 rows · 1 rejected")
	if n := value[int](b, `document.querySelectorAll(".note").length`); n > 0 {
		t.Error("a file that went into no table is said to have gone into one")
	}

	// As written in the file, where that is asked for.
	b.fill(".tools select", "raw")
	b.sees(".grid", "29.02.2024")
}

// A reload, a copied address and the back button lead to where people were: the file, the sheet, the row.
func TestPageKeepsItsPlace(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	var text strings.Builder
	text.WriteString("n,twice\n")
	for n := range 500 {
		text.WriteString(strings.Repeat("1", 1+n%3) + "," + strings.Repeat("x", 1+n%7) + "\n")
	}
	b.choose(b.file("many.csv", text.String()))
	b.sees(".grid", "111")
	b.run(`document.querySelector(".grid").focus()`)
	b.press(kb.PageDown, kb.PageDown, kb.PageDown)
	b.until("the address has the row", `new URLSearchParams(location.search).get("row") > 40`)
	row := value[string](b, `new URLSearchParams(location.search).get("row")`)
	b.open(value[string](b, `location.pathname + location.search`))
	b.until("the row is active again", `document.querySelector(".grid .active")?.dataset.row === "`+row+`"`)
	b.click(".parts a", "Rejects")
	b.sees(".rejects-view", "Every record of this sheet was loaded")
	b.run(`history.back()`)
	b.sees(".grid", "111")
	b.click(".brand", "")
	b.sees(".dropzone", "Drop")
	b.open("/files/0192f0c1-0000-7000-8000-000000000001")
	b.sees("main", "There is nothing at this address")
}

// What was detected wrongly is said rightly, and the file is read again.
func TestPageReadsAgainWithOtherOptions(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("pipes.csv", "a|b,c|d\n1|2,3|4\n5|6,7|8\n"))
	b.sees(".grid", "2.3")
	b.click("#decisions", "How it was read")
	b.sees("dialog .found", "pipe")
	b.fill("dialog [name=delimiter]", ",")
	b.click("dialog button[type=submit]", "Read again")
	b.sees(".grid .head", "a|b")
	b.sees(".grid", "1|2")
	b.click("#decisions", "")
	b.until("both readings can be seen", `document.querySelectorAll("dialog .readings a").length === 2`)
	b.until("the choice is kept", `document.querySelector("dialog [name=delimiter]").value === ","`)

	// A choice that cannot be is refused in the API's words, and nothing is lost.
	b.fill("dialog [name=sheet]", strings.Repeat("x", 2000))
	b.click("dialog button[type=submit]", "Read again")
	b.sees("dialog .problem", "sheet: ")
	b.run(`document.querySelectorAll("dialog .readings a")[1].click()`)
	b.sees(".grid", "2.3") // as it was read first
	b.sees(".head .facts", "newest")
}

// Options that were given when the file was sent are there, each as its field, and are not lost when it is read again for another one's sake.
func TestPageKeepsTheOptionsOfAReading(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	task := uploadWith(t, app, "name=two.csv&tables=all&null=none&null=nil&pad=true", "a,b\n1,none\n2\n\nx,y,z\n3,4,5\n")
	b.open("/files/" + task.FileID.String())
	b.click("#decisions", "How it was read")
	b.until("each option is there", `[["tables", "all"], ["pad", "true"], ["null", "none\nnil"]]
		.every(([name, value]) => document.querySelector("dialog [name=" + name + "]").value === value)`)
	b.fill("dialog [name=header]", "1")
	b.click("dialog button[type=submit]", "Read again")
	b.until("the dialogue is gone", `!document.querySelector("dialog")`)
	kept := pgtest.Query[bool](t, app.Database, `select t.options @> '{"tables": "all", "null": ["none", "nil"], "pad": true, "header": 1}'
		from sheetdrop.task t order by t.created_at desc limit 1`)
	if !kept {
		t.Error("an option was lost")
	}
}

// Who mends a file sees what could not be read, where it stands, why, and which of its cells is at fault.
func TestPageShowsRejects(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("orders.csv", orders))
	b.click(".grid .rejected a", "One cell too many")
	b.sees(".rejects .where", "line 4")
	b.sees(".rejects", "extra_cell")
	b.sees(".rejects .raw mark", "here")
	b.until("the address names the reject", `location.pathname.endsWith("/rejects") && location.search === "?reject=4.1"`)
	if marked := value[int](b, `document.querySelectorAll(".rejects .raw mark").length`); marked != 1 {
		t.Errorf("%d cells are marked", marked)
	}
	b.open(value[string](b, `location.pathname + location.search`)) // as from a link that somebody was sent
	b.sees(".rejects .raw mark", "here")
}

// A file that cannot be read at all is a sentence and a next step, not an empty table.
func TestPageShowsWhyAFileFailed(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{language: "ja"})
	b.open("/")
	b.choose(b.file("book.csv", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"))
	b.sees(".state.failed", "ファイルを取り込めませんでした")
	b.sees(".state.failed", "Excelブック（xlsx）かCSVとして保存して")
	b.sees(".state.failed code", "unsupported_format")

	b.choose(b.file("empty.csv", "")) // which would be refused again
	b.sees(".upload.failed", "ファイルが正しいか確認してください")
	if again := value[bool](b, `document.querySelector(".upload.failed .link") !== null`); again {
		t.Error("an empty file can be tried again")
	}
}

// A file is deleted when nobody has taken it back within ten seconds.
func TestPageDeletesWithUndo(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("keep.csv", orders))
	b.sees(".grid", "Anna")
	b.run(`document.querySelector("#delete").click()`)
	b.sees(".notice", "keep.csv is deleted")
	b.sees(".files", "No files yet")
	b.click(".notice .link", "Undo")
	b.sees(".grid", "Anna")
	b.run(`document.querySelector("#delete").click()`)
	b.until("the file is gone", `fetch("/api/files").then((a) => a.json()).then((l) => l.items.length === 0)`)
	b.open("/")
	b.sees(".files", "No files yet")
}

// Who is signed out is told so, and led to the sign-in and back to where they were; nobody sees an empty list as if their files had gone.
func TestPageSignedOut(t *testing.T) {
	app := e2e.Start(t, e2e.Options{
		Functions: []string{"upload-api", "web-page"}, Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"},
	})
	b := newBrowser(t, app, look{})
	const path = "/files/0192f0c1-0000-7000-8000-000000000001"
	b.open(path)
	b.sees(".connection.signed-out", "You are signed out")
	b.until("the link leads back", `document.querySelector(".connection a").search === "?post_login_redirect_uri=" + encodeURIComponent("`+path+`")`)
	b.sees(".list", "You are signed out")
	if files := value[bool](b, `document.querySelector(".files").innerText.includes("No files yet")`); files {
		t.Error("the list looks empty")
	}
	b.picture("signed-out")
}

// Who may not use the page at all reads why, and sees no empty list as if there were no files.
func TestPageForbidden(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	b := newBrowser(t, app, look{host: "sheetdrop.test"}) // another name than that of the machine that it is for
	b.open("/")
	b.sees(".connection.forbidden", "You may not use this page")
	b.sees(".list", "addressed as localhost")
	if files := value[bool](b, `document.querySelector(".files").innerText.includes("No files yet")`); files {
		t.Error("the list looks empty")
	}
	b.picture("forbidden")
}

// Whose connection goes away after the page was loaded opens its other views all the same, and sees what they have when it is back.
func TestPageOpensViewsOffline(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".files", "No files yet")
	b.until("every module is fetched", `(() => {
		const fetched = new Set(performance.getEntriesByType("resource").filter((e) => e.responseEnd > 0).map((e) => e.name));
		return [...document.querySelectorAll("link[rel=modulepreload]")].every((link) => fetched.has(link.href));
	})()`)
	b.link(0, true)
	b.sees(".connection.offline", "No connection")
	b.click("#tables", "Tables")
	b.sees(".tables h1", "Tables")
	b.picture("tables-offline")
	b.link(-1, false)
	b.click(".card", "prices")
	b.sees(".parts", "Columns")
}
