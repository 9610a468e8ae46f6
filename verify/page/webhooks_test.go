package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Somebody has a program told about files, on the page alone and by the keyboard: the secret is shown once, a test says what the receiver
// answers, an event that did not arrive is sent again, and nothing is sent any more once it is disabled or deleted. What the receiver answers is
// text and nothing else.
func TestPageWebhooks(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	var status atomic.Int64
	status.Store(http.StatusInternalServerError)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		fmt.Fprint(w, "out of <b>paper</b>")
	}))
	t.Cleanup(receiver.Close)
	makeTarget(t, app, priceTable)
	b := newBrowser(t, app, look{})
	b.open("/tables")
	b.click(".head a", "Webhooks")
	b.sees(".hooks", "There are no webhooks yet.")

	b.fill(".hooks [name=url]", "https://169.254.169.254/")
	b.click(".hooks form button", "Create it")
	b.sees(".hooks .field-fault", "public")
	b.until("the field has the focus", `document.activeElement === document.querySelector(".hooks [name=url][aria-invalid=true]")`)
	b.fill(".hooks [name=url]", receiver.URL+"/shop")
	b.fill(".hooks [name=description]", "The shop")
	b.chooseOption(".hooks [name=target]", "prices")
	b.chooseOption(".hooks [name=target]", "All files")
	b.run(`document.querySelector(".hooks [value=CANCELLED]").click()`)
	b.tabTo(".hooks form button")
	b.press(kb.Enter)
	b.sees(".secret code", "whsec_")
	b.until("it can be copied at once", `document.activeElement === document.querySelector(".secret button")`)
	b.sees(".hooks summary", "The shop")
	b.sees(".hooks summary", "enabled · Loaded, Failed")

	b.tabTo(".hooks summary")
	b.press(kb.Enter)
	b.sees(".hook", "Nothing has been sent yet.")
	b.click(".hook button", "Send a test")
	b.sees(".deliveries td", "500")
	b.sees(".deliveries .answer", "out of <b>paper</b>")
	b.sees(".hooks summary", "1 waiting")
	app.Exec(t, `update sheetdrop.webhook_delivery set status = 'DEAD', ended_at = now(), locked_by = null, locked_until = null where status = 'PENDING'`)
	b.click(".hook button", "Refresh")
	b.sees(".hooks summary", "1 given up")
	b.picture("webhooks")
	status.Store(http.StatusNoContent)
	b.click(".deliveries button", "Send again")
	b.sees(".deliveries td", "delivered")
	task := app.Upload(t, "orders.csv", []byte(orders))
	app.Await(t, task.ID)
	app.Database.Await(t, `select count(*) = 2 from sheetdrop.webhook_delivery where status = 'DELIVERED'`)
	b.click(".hook button", "Refresh")
	b.sees(".deliveries a", "Loaded")

	before := value[string](b, `document.querySelector(".secret code").innerText`)
	b.click(".hook button", "New secret")
	b.until("another secret is shown", fmt.Sprintf(`document.querySelector(".secret code").innerText !== %q`, before))
	b.sees(".hook", "The old secret is valid as well until")
	b.click(".hook button", "Disable")
	b.sees(".hooks summary", "disabled")
	b.click(".hook button", "Send a test")
	b.sees(".hook .problem", "disabled")
	b.click(".hook button", "Enable")
	b.sees(".hooks summary", "enabled")
	b.reload()
	b.sees(".hooks summary", "The shop")
	if value[bool](b, `document.body.innerText.includes("whsec_")`) {
		t.Error("the secret is shown a second time")
	}
	open := `document.querySelector(".hooks summary").click()`
	b.looksRight([]state{
		{"webhooks", "/webhooks", ".hooks summary", open, ".deliveries tbody tr"},
		{"webhooks-secret", "/webhooks", ".hooks summary", open + `; setTimeout(() => document.querySelector(".hook .buttons button:nth-child(3)").click())`, ".secret"},
	})
	b.set(b.l)
	b.open("/webhooks")
	b.sees(".hooks summary", "The shop")
	b.run(open)
	b.click(".hook button", "Delete")
	b.click("dialog button.danger", "Delete")
	b.sees(".hooks", "There are no webhooks yet.")
	app.Database.Await(t, `select count(*) = 1 from sheetdrop.webhook where deleted_at is not null and secret is null`)
	b.open("/tables")
	b.click(".head a", "Webhooks")
	b.run(`history.back()`)
	b.until("the back button leaves it", `location.pathname === "/tables"`)
}

// Where no host may be called, the page says so in the words of the service.
func TestPageWebhooksAreOff(t *testing.T) {
	app := e2e.Start(t, e2e.Options{
		Functions: []string{"upload-api", "web-page"}, Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"},
	})
	b := newBrowser(t, app, look{language: "ja"})
	b.signIn("ann")
	b.open("/webhooks")
	b.sees(".hooks", "Webhook はまだありません。")
	b.fill(".hooks [name=url]", "https://hooks.example.com/")
	b.click(".hooks form button", "作成")
	b.until("it is said in Japanese", `/[ぁ-ん]/.test(document.querySelector(".hooks form .problem").innerText)`)
	if told := value[string](b, `document.querySelector(".hooks form .problem").innerText`); !strings.Contains(told, "Webhook") {
		t.Errorf("it says %q", told)
	}
}
