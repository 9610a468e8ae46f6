package page_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Who may read a table, and not load into it, is told so where they choose it and where a link leads them; who may only load, where its rows
// would be.
func TestPageNotPermitted(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"}})
	app.Principal = principal("ann")
	id := makeTarget(t, app, priceTable)
	shares := fmt.Sprintf(`{"shares": [{"grantee": %q, "may": "read"}, {"grantee": %q, "may": "load"}]}`, ownerOf("bob"), ownerOf("dan"))
	answer := app.Do(t, http.MethodPut, "/api/targets/"+id+"/shares", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(shares))
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, answer.Text)
	}
	app.Principal = principal("bob")
	path := upload(t, app, "prices.csv", prices)
	b := newBrowser(t, app, look{})
	b.signIn("bob")
	b.open(path)
	b.sees(".card.closed", "for reading only")
	b.open(path + "?target=" + id)
	b.sees(".match .state.failed", "for reading only")
	b.open("/tables/" + id)
	b.sees(".loads", "Nothing has been loaded into this table")
	b.sees(".rows", "The table has no rows")
	b.signIn("dan")
	b.open("/tables/" + id)
	b.sees(".rows", "for loading only")
	b.signIn("eve")
	b.open("/tables/" + id)
	b.sees("main", "There is nothing at this address")
}

// Whose sign-in expires in the middle is told so, and goes on where they were, with what they had chosen.
func TestPageSignedOutKeepsChoices(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"}})
	app.Principal = principal("ann")
	id := makeTarget(t, app, priceTable)
	path := upload(t, app, "prices.csv", prices) + "?target=" + id
	b := newBrowser(t, app, look{})
	b.signIn("ann")
	b.open(path)
	b.fill(b.row("Preis netto")+" .goes select", "#net")
	b.until("the check is offered", `document.querySelector("#check").disabled === false`)
	b.signIn("") // nobody, whom the API asks to sign in
	b.click("#check", "Check first")
	b.sees(".match .problem", "You are signed out")
	b.until("the link leads back", `document.querySelector(".connection.signed-out a").search.includes(encodeURIComponent("`+path+`"))`)
	b.signIn("ann")
	b.reload()
	b.sees(b.row("Preis netto")+" .why", "your choice")
	b.tryLoad()
	b.effect("New", "2")
}

// principal is what the platform says of who has signed in.
func principal(name string) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `{"auth_typ": "aad", "claims": [{"typ": "tid", "val": "tenant"}, {"typ": "oid", "val": %q}]}`, name))
}

func ownerOf(name string) string { return "aad:tenant/" + name }

// signIn has the browser's requests come from somebody, as the platform says so to the app.
func (b *browser) signIn(name string) {
	b.t.Helper()
	headers := network.Headers{"X-MS-CLIENT-PRINCIPAL": principal(name)}
	b.do(call(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers}))
}

// Names of tables and columns do nothing but show, and a link leads to no other part of the API than the one that it is for.
func TestPageHostileTables(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	const markup = `<img src=x onerror=alert(1)><b>'"`
	text, err := json.Marshal(markup)
	if err != nil {
		t.Fatal(err)
	}
	name := string(text)
	id := makeTarget(t, app, `{"name": `+name+`, "key": [`+name+`], "columns": [{"name": `+name+`, "type": "text", "required": true, "label": "turned\u202eback"}]}`)
	b := newBrowser(t, app, look{})
	path := upload(t, app, markup+".csv", `"<img src=x onerror=alert(1)><b>'""",n`+"\n<script>alert(2)</script>,1\n=1+1,2\n")
	harmless := func() {
		t.Helper()
		if found := value[int](b, `document.querySelectorAll("#app img:not(.brand img), #app script, #app b:not(.fill b), dialog b, dialog img, [onerror]").length`); found > 0 {
			t.Errorf("%d elements were made from names", found)
		}
		if turned := value[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText + document.title)`); turned {
			t.Error("a mark that turns the direction of writing is on the page")
		}
	}
	b.open(path)
	b.sees(".card", markup)
	harmless()
	b.click(".card", markup)
	b.sees(".match .why", "same name")
	b.run(`document.querySelector(".match select").dispatchEvent(new PointerEvent("pointerdown"))`)
	harmless()
	b.tryLoad()
	b.effect("New", "2")
	b.click("#load", "Load")
	b.effect("Added", "2")
	harmless()
	b.click("#loads", "undo")
	b.sees(".loads tbody tr", markup)
	b.click(".loads .undo", "Undo")
	b.sees("dialog", markup)
	harmless()
	b.press(kb.Escape)
	sendJSON(t, app, http.MethodPut, "/api/targets/"+id+"/shares", `{"shares": [{"grantee": "role:<b onclick=alert(1)>\u202e", "may": "read"}]}`)
	sendJSON(t, app, http.MethodPut, "/api/targets/"+id+"/choices", `{"choices": {"<img src=x onerror=alert(1)>\u202e": null}}`)
	for part, shown := range map[string]string{"columns": ".field summary", "sharing": ".shares tbody tr", "choices": ".remembered tbody tr"} {
		b.open("/tables/" + id + "/" + part)
		b.sees(shown, "<")
		harmless()
	}
	b.click("#drop", "")
	b.run(`document.querySelector("dialog [value=drop]").click()`)
	b.sees("dialog .typed", markup)
	harmless()
	b.open(path + "?target=..%2F..%2Ffiles&run=..%2Ffiles")
	b.sees(".choose", "Which table")
	b.open("/tables/" + id + "?run=" + strings.Repeat("..%2F", 9))
	b.sees(".loads tbody tr", markup)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.requests {
		if strings.Contains(request, "/api/") && (strings.Contains(request, "..") || strings.Contains(request, "%2F")) {
			t.Errorf("the page asks for %s", request)
		}
	}
}
