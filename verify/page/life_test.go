package page_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Who waits for a file asks the page what has happened to it, what it waits for, and what to do: with the keyboard, on a phone, in either language.
func TestPageTellsWhatHappened(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page", "outbox-relay"}}) // nobody reads files
	task := app.Upload(t, "orders.csv", []byte(orders))
	b := newBrowser(t, app, look{})
	path := "/files/" + task.FileID.String()
	b.open(path)
	b.tabTo("#life")
	b.press(kb.Enter)
	b.sees("dialog .life li", "Accepted")
	b.sees("dialog .life .now", "waits for a worker to receive it")
	b.sees("dialog .life code", "sheetdrop cancel "+task.ID.String())
	b.press(kb.Escape)
	b.until("the dialogue is gone, and the focus is back", `!document.querySelector("dialog") && document.activeElement.id === "life"`)
	b.looksRight([]state{{"life", path, "#life", `document.querySelector("#life").click()`, ".life li"}})
	b.set(look{language: "ja", width: 390})
	b.open(path)
	b.click("#life", "経過")
	b.sees("dialog .life .now", "ワーカーが受け取るのを待っています")
}
