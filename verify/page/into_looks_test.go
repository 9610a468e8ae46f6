package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

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
		{"table", "/tables/" + id, ".rows tbody tr", ""},
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
						b.until("the dialogue is there", `document.querySelector("dialog .statement, dialog #undo") !== null`)
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
