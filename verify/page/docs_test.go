package page_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Who meets an error code finds what it means by the keyboard alone; the documentation can be read on a phone, in the dark, and by who
// hears it read out. Pictures are among the test's artifacts.
func TestPageDocs(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/api/docs")
	b.until("the search is there", `document.querySelector(".search:not([hidden])") !== null`)
	b.run(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`) // without the character that a driver would type, too
	b.do(chromedp.KeyEvent("Ambiguous_Head"))
	b.sees("#found [aria-selected]", "ambiguous_header")
	b.picture("docs-search")
	b.press(kb.ArrowDown, kb.ArrowUp, kb.Enter)
	b.until("the row of the code is shown", `location.href.endsWith("/api/docs/errors#ambiguous_header") && (() => {
		const row = document.querySelector("tr:target")?.getBoundingClientRect();
		return row && row.top > 50 && row.bottom < innerHeight; })()`)
	b.run(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`) // without the character that a driver would type, too
	b.do(chromedp.KeyEvent("xyzzy"))
	b.sees("#found", "Nothing was found")
	b.press(kb.Escape)
	b.until("the results are closed", `document.querySelector("#found").hidden`)
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{390, 1280} {
			b.set(look{language: "en", dark: dark, width: width})
			for _, path := range []string{"", "/api", "/errors", "/reference", "/none"} {
				b.open("/api/docs" + path)
				name := fmt.Sprintf("docs%s-%s-%d", filepath.Base(path+"-"), map[bool]string{false: "light", true: "dark"}[dark], width)
				b.until(name+" is there", `document.querySelector("main h1") !== null && document.querySelector(".search:not([hidden])") !== null`)
				b.picture(name)
				if wide := value[bool](b, "document.documentElement.scrollWidth > innerWidth"); wide {
					t.Errorf("%s: the page is wider than the screen", name)
				}
				b.axe(name)
			}
		}
	}
}
