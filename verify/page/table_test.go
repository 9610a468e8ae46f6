package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// A million rows are scrolled like ten: any part is there at once, the first and the last included, and the document stays small.
func TestPageScrollsAMillionRows(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	var text strings.Builder
	text.WriteString("n,square\n")
	for n := 1; n <= 1_000_000; n++ {
		fmt.Fprintf(&text, "%d,%d\n", n, n*n%1000)
	}
	task := app.Upload(t, "million.csv", []byte(text.String()))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.sees(".parts", "1,000,000")
	b.sees(".grid .row-no", "2") // below the header
	seen := func(row int) {
		t.Helper()
		b.until(fmt.Sprintf("row %d is seen with its values", row), fmt.Sprintf(`(() => {
			const row = [...document.querySelectorAll(".grid-body .grid-row")].find((r) => r.querySelector(".row-no").innerText === "%d");
			return row?.querySelector(".cell")?.innerText === "%d";
		})()`, row, row-1))
		if elements := value[int](b, `document.querySelectorAll("*").length`); elements > 3000 {
			t.Errorf("%d elements at row %d", elements, row)
		}
	}
	seen(2)
	b.run(`document.querySelector(".grid").focus()`)
	b.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(kb.ModifierCtrl)))
	seen(1_000_001)
	b.press(kb.PageUp)
	seen(1_000_000 - 15)
	b.run(`(() => { const g = document.querySelector(".grid"); g.scrollTop = g.scrollHeight / 2; })()`)
	b.until("the middle is seen", `(() => {
		const rows = [...document.querySelectorAll(".grid-body .grid-row")].map((r) => [r.querySelector(".row-no"), r.querySelector(".cell")].map((c) => Number(c?.innerText)));
		return rows.length > 10 && rows.every(([row, n]) => row > 480000 && row < 520000 && n === row - 1);
	})()`)
	b.do(chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(kb.ModifierCtrl)))
	seen(2)
	b.open("/files/" + task.FileID.String() + "/sheets/1?row=765432") // a link to a row
	seen(765_432)
}

// A range is copied as a spreadsheet takes it, whatever has been scrolled out of sight, and runs nothing there.
func TestPageCopiesARange(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "copy.csv", []byte("id,text,n\n1,\"two\nlines\",-5\n2,=1+1,6\n3,\"tab\there\",7\n4,plain,8\n"))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.sees(".grid", "plain")
	b.run(`navigator.clipboard.write = async ([item]) => { window.copied = await (await item.getType("text/plain")).text(); }`)
	b.run(`document.querySelector(".grid").focus()`)
	b.press(kb.ArrowRight)
	for _, key := range []string{kb.ArrowRight, kb.ArrowDown, kb.ArrowDown} {
		b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierShift)))
	}
	b.do(chromedp.KeyEvent("c", chromedp.KeyModifiers(kb.ModifierCtrl)))
	b.sees(".notice", "Copied 3 × 2 cells")
	if got, want := value[string](b, `window.copied`), "\"two\nlines\"\t-5\n'=1+1\t6\n\"tab\there\"\t7"; got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
}

// Who has no mouse gets everywhere: to a file, through its cells, to the profile of a column, the decisions, the rejects and back.
func TestPageByKeyboardAlone(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "orders.csv", []byte(orders))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".files", "orders.csv")
	b.tabTo(".skip")
	b.tabTo("#add")
	b.tabTo(".files a")
	b.press(kb.Enter)
	b.sees(".grid", "Günter")
	b.tabTo(".tools input")
	b.press("a", "m", "o")
	b.until("one column is left", `document.querySelectorAll(".grid .head .cell").length === 1`)
	b.press(kb.Backspace, kb.Backspace, kb.Backspace)
	b.tabTo(".grid")
	b.press(kb.ArrowDown, kb.ArrowRight, kb.Enter)
	b.sees(".side .cell-detail", "Bob")
	b.press(kb.ArrowUp, kb.ArrowUp, kb.Enter)
	b.sees(".side .profile", "name")
	b.until("the header's cell is active", `document.getElementById(document.querySelector(".grid").getAttribute("aria-activedescendant"))?.innerText.includes("name")`)
	b.tabTo(".side .close")
	b.press(kb.Enter)
	b.until("the panel is closed, and the table has the focus", `document.activeElement.matches(".grid") && document.querySelector(".side").hidden`)
	b.run(`document.querySelector("#main").focus()`)
	b.tabTo("#decisions")
	b.press(kb.Enter)
	b.sees("dialog", "How it was read")
	b.tabTo("dialog .buttons button:not([type=submit])")
	b.press(kb.Enter)
	b.until("the focus is back", `document.activeElement.id === "decisions"`)
	b.tabTo(".parts a:nth-child(2)")
	b.press(kb.Enter)
	b.sees(".rejects", "One cell too many")
}
