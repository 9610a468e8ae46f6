package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// withoutEvents keeps the page from getting any event, as a proxy does that collects answers until they are whole.
func (b *browser) withoutEvents() {
	b.t.Helper()
	b.do(call(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/api/events*"}}}))
}

// setRunning makes all tasks ones that run, as far as that.
func setRunning(t *testing.T, app *e2e.App, rows, rejected int) {
	t.Helper()
	app.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = gen_random_uuid(), locked_until = now() + interval '1 h',
progress = jsonb_build_object('bytes_total', 1000, 'bytes_read', least(999, $1::int / 5), 'rows_read', $1::int, 'rows_loaded', $1::int - $2::int, 'rows_rejected', $2::int, 'sheet', '明細')`,
		rows, rejected)
}

// setWaiting returns them to whoever runs tasks.
func setWaiting(t *testing.T, app *e2e.App) {
	t.Helper()
	app.Exec(t, `update sheetdrop.task set status = 'PENDING', started_at = null, locked_by = null, locked_until = null`)
}

// People see how far their files are while they are read, by one stream of events for all of them: questions are not answered here.
func TestPageIsToldHowFarFilesAre(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}}) // nobody reads files yet
	b := newBrowser(t, app, look{})
	b.do(call(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/api/tasks/????????-????-????-????-????????????"}}})) // no questions
	b.open("/")
	var files []string
	for n := range 8 { // more than a browser has connections to a server
		files = append(files, b.file(fmt.Sprintf("orders %d.csv", n), orders))
	}
	b.choose(files...)
	b.until("all are there", `document.querySelectorAll(".files li").length === 8`)
	setRunning(t, app, 1234, 5)
	b.until("all of them run", `document.querySelectorAll(".files .dot.processing").length === 8`)
	b.click(".files a", "orders 3.csv")
	b.sees(".state.progress", "1,234 rows")
	b.sees(".state.progress", "5 rejected")
	b.sees(".state.progress", "明細")
	setRunning(t, app, 2345, 5)
	b.until("the list says it of all", `[...document.querySelectorAll(".files .facts")].filter((e) => e.innerText.includes("2,345 rows")).length === 8`)
	b.sees(".state.progress", "2,345 rows")
	rows := 2345
	await.Until(t, "the rate and the time left are said", func() bool {
		rows += 5
		setRunning(t, app, rows, 5)
		return value[bool](b, `document.querySelector(".state.progress .left").innerText.endsWith("left") && document.querySelector(".state.progress").innerText.includes("rows/s")`)
	})
	b.picture("running")
	setWaiting(t, app)
	b.sees(".state.progress", "Its turn comes soon")
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	b.sees(".grid", "Günter")
	b.until("all of them are loaded", `document.querySelectorAll(".files .dot.completed").length === 8`)
}

// A tab that nobody sees takes none of the six connections that a browser has to a server; when it is seen again, it shows what has become
// of its files.
func TestPageInTheBackgroundTakesNoConnection(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	b := newBrowser(t, app, look{})
	b.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `window.streams = [];
		window.EventSource = class extends EventSource { constructor(url) { super(url); window.streams.push(this); } };`}))
	b.open("/")
	b.choose(b.file("orders.csv", orders))
	b.until("it is followed", `streams.some((s) => s.readyState === EventSource.OPEN)`)
	hide := func(hidden bool) {
		t.Helper()
		b.run(fmt.Sprintf(`Object.defineProperty(document, "hidden", { value: %v, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	hide(true)
	b.until("it is not followed any more", `streams.every((s) => s.readyState === EventSource.CLOSED)`)
	setRunning(t, app, 1234, 5)
	hide(false)
	b.sees(".state.progress", "1,234 rows")
}

// Where events do not get through, the page asks, and people see the same.
func TestPageAsksWhereEventsAreHeldBack(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	b := newBrowser(t, app, look{})
	b.withoutEvents()
	b.open("/")
	b.choose(b.file("orders.csv", orders))
	b.sees(".state.progress", "Its turn comes soon")
	setRunning(t, app, 1234, 5)
	b.sees(".state.progress", "1,234 rows")
	setWaiting(t, app)
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	b.sees(".grid", "Günter")
}

// A connection that breaks while a file is read is said, and what became of the file meanwhile is there when it is back.
func TestPageGoesOnWatchingAfterOffline(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("orders.csv", orders))
	b.sees(".state.progress", "Its turn comes soon")
	b.link(0, true)
	b.sees(".connection.offline", "No connection")
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	app.Await(t, taskOf(t, app))
	b.until("what is on the screen stays", `document.querySelector(".state.progress") && !document.querySelector(".connection").hidden`)
	b.link(-1, false)
	b.until("the banner has gone", `document.querySelector(".connection").hidden`)
	b.sees(".grid", "Günter")
}

// A file that is being read is cancelled, and nothing of it is loaded.
func TestPageCancelsAReading(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	hold := app.Begin(t)
	if _, err := hold.Exec(t.Context(), `lock table sheetdrop.sheet_row in share mode`); err != nil { // for which the first rows wait
		t.Fatal(err)
	}
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("many.csv", "n,text\n"+strings.Repeat("1,some text that takes room\n", 60_000)))
	b.sees(".state.progress .headline", "Reading the file")
	b.until("some rows are read", `/[1-9][0-9,]* rows/.test(document.querySelector(".state.progress .figures").innerText)`)
	b.click("#cancel", "Cancel")
	b.sees(".state", "Reading was cancelled")
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := pgtest.Query[int](t, app.Database, `select count(*)::int from sheetdrop.sheet`); rows != 0 {
		t.Errorf("%d sheets are there", rows)
	}
}
