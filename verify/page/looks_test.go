package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sheetdrop/verify/e2e"
)

// set changes how the browser is set; it holds for what is loaded from now on.
func (b *browser) set(l look) {
	b.t.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[l.dark]
	b.do(
		chromedp.EmulateViewport(l.width, 800),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}),
		call(emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 Chromium", AcceptLanguage: l.language}),
	)
}

// Who sees little, or hears the page read out, can use it as well as others: axe finds no serious fault in any state, in either language and
// colour scheme, on a phone and on a desk. Pictures of all of them are among the test's artifacts.
func TestPageAccessibility(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".files", "No files yet")
	b.picture("empty")
	good := app.Upload(t, "orders.csv", []byte(orders))
	bad := app.Upload(t, "portable.csv", []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"))
	app.Await(t, good.ID)
	app.Await(t, bad.ID)
	file := "/files/" + good.FileID.String()
	const editing = `(() => { document.querySelector(".correcting .grid").focus();
		document.querySelector(".correcting .cell.wrong").dispatchEvent(new MouseEvent("dblclick", { bubbles: true })); })()`
	const fault = `(() => { const s = document.querySelector("#fault"); s.selectedIndex = 1; s.dispatchEvent(new Event("change")); })()`
	b.looksRight([]state{
		{"list", "/", ".files li", "", ""},
		{"rows", file, ".grid .cell:not(.coming)", "", ""},
		{"profile", file, ".grid .cell:not(.coming)", `document.querySelector(".head .cell:nth-child(2)").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`, ""},
		{"export", file, ".grid .cell:not(.coming)", `document.querySelector("#export summary").click()`, ""},
		{"decisions", file, ".grid .cell:not(.coming)", `document.querySelector("#decisions").click()`, "dialog .preview .cell"},
		{"rejects", file + "/sheets/1/rejects", ".rejects li", "", ""},
		{"correct", file + "/sheets/1/rejects?correct", ".correcting .cell.wrong", "", ""},
		{"correct-cell", file + "/sheets/1/rejects?correct", ".correcting .cell.wrong", editing, ".cell-editor"},
		{"correct-all", file + "/sheets/1/rejects?correct", ".correcting .cell.wrong", fault, ".bulk:not([hidden])"},
		{"failed", "/files/" + bad.FileID.String(), ".state.failed", "", ""},
		{"chosen", "/", ".files li", `document.querySelectorAll(".files li input").forEach((box) => box.click())`, ""},
		{"operate", "/operate", ".operate tbody tr", "", ""},
		{"actions", "/operate/actions", ".operate .nothing", "", ""},
		{"nothing", "/files/0192f0c1-0000-7000-8000-000000000001", ".state .button", "", ""},
	})
}

// state is one of the page's, as people come to it.
type state struct {
	name, path string
	ready      string // a selector of what is there then
	click      string // a script, if something is to be opened
	then       string // a selector of what is there after the click
}

// looksRight goes to each state in both languages and colour schemes, on a phone and on a desk, takes a picture of it, and holds that nothing is
// wider than the screen and that axe finds no serious fault.
func (b *browser) looksRight(states []state) {
	b.t.Helper()
	for _, language := range []string{"en", "ja"} {
		for _, dark := range []bool{false, true} {
			for _, width := range []int64{390, 1280} {
				b.set(look{language: language, dark: dark, width: width})
				withAxe := (language == "en") == (width == 1280) // what it looks at depends on width and colours, and not on the language
				for _, s := range states {
					b.looks(s, fmt.Sprintf("%s-%s-%s-%d", s.name, language, map[bool]string{false: "light", true: "dark"}[dark], width))
					if got := value[string](b, "document.documentElement.lang"); got != language {
						b.t.Errorf("%s: the page speaks %s, not %s", s.name, got, language)
					}
					if withAxe {
						b.axe(s.name)
					}
				}
			}
		}
	}
}

// looks opens a state, and takes its picture.
func (b *browser) looks(s state, picture string) {
	b.t.Helper()
	b.open(s.path)
	there := func(selector string) {
		b.until(s.name+" is there", fmt.Sprintf("document.querySelector(%q) !== null", selector))
	}
	there(s.ready)
	if s.click != "" {
		b.run(s.click)
	}
	if s.then != "" {
		there(s.then)
	}
	b.picture(picture)
	if wide := value[bool](b, "document.documentElement.scrollWidth > innerWidth"); wide {
		b.t.Errorf("%s: the page is wider than the screen", picture)
	}
}

// axe reports the serious and critical faults that axe-core finds.
func (b *browser) axe(state string) {
	b.t.Helper()
	source, err := os.ReadFile(filepath.Join(tools(b.t), "axe-core", "axe.min.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.run(string(source) + "; undefined")
	faults := value[[]string](b, `axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + " " + n.html.slice(0, 120) + " " + (n.any[0]?.message ?? n.all[0]?.message ?? ""))))`)
	for _, fault := range faults {
		b.t.Errorf("%s: %s", state, strings.Join(strings.Fields(fault), " "))
	}
}
