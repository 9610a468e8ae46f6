package page_test

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// The way into a table and the tables look right, and have no serious fault for who sees little or hears the page, in both languages and
// colour schemes, on a phone and on a desk.
func TestPageAccessibilityOfTables(t *testing.T) {
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
	uploadInto(t, app, id, "april.csv", "article,net\nA9,4\n")
	sendJSON(t, app, http.MethodPut, "/api/targets/"+id+"/shares",
		`{"shares": [{"grantee": "role:shop", "may": "load"}, {"grantee": "role:shop", "may": "read"}, {"grantee": "role:経理", "may": "define"}]}`)
	doubtful := upload(t, app, "colours.csv", "article;Net;valid fron\nA1;rot;2024-01-31\nA2;blau;2024-02-01\n") + "?target=" + id
	vague := upload(t, app, "days.csv", "Article no,Nettopreis,valid-from\nA1,1.50,03/04/2024\nA2,2.50,05/06/2024\n") + "?target=" + id
	b.looksRight([]state{
		{"choose", path, ".cards .card", "", ""},
		{"make", path + "?target=new", ".make tbody tr", "", ""},
		{"match", vague, ".match .why .suggestion", "", ""},
		{"doubt", doubtful, ".match .confirm", "", ""},
		{"check", dry, ".rejects li", "", ""},
		{"loaded", loaded, ".rejects li", "", ""},
		{"details", details, ".in-table .statement", "", ""},
		{"file-in-table", file, ".note + .tabs ~ .sheet .cell:not(.coming)", "", ""},
		{"tables", "/tables", ".cards .card", "", ""},
		{"table", "/tables/" + id, ".rows tbody tr", "", ""},
		{"undone", undone, ".result.undone", "", ""},
		{"undo", "/tables/" + id, ".loads .undo", `document.querySelectorAll(".loads .undo")[1].click()`, "dialog .newer li"},
		{"sql", strings.TrimSuffix(path, "/into"), ".grid .cell:not(.coming)", `document.querySelector("#sql").click()`, "dialog .statement"},
		{"columns", "/tables/" + id + "/columns", ".field", `document.querySelectorAll(".field")[1].open = true`, ".field [name=min]"},
		{"sharing", "/tables/" + id + "/sharing", ".shares tbody tr", "", ".sharing code"},
		{"choices", "/tables/" + id + "/choices", ".remembered tbody tr", "", ""},
		{"drop", "/tables/" + id, ".rows tbody tr", `document.querySelector("#drop").click(); document.querySelector("dialog [value=drop]").click()`, "#drop-name"},
	})
}
