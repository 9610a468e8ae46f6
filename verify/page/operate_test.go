package page_test

import (
	"encoding/base64"
	"testing"

	"github.com/chromedp/cdproto/network"

	"sheetdrop/verify/e2e"
)

// Operators see what waits and what will not go on without them, and make it go on: one task, those of a reason, messages.
func TestPageOperate(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}})
	for _, name := range []string{"a.csv", "b.csv", "c.csv", "d.csv"} {
		app.Upload(t, name, []byte(orders))
	}
	app.Exec(t, `update sheetdrop.task set status = 'FAILED', attempt = 1, started_at = now(), finished_at = now(), error_code = 'internal_error',
error_detail = 'It failed five times.', error_detail_ja = '5 回失敗しました。' where id in (select id from sheetdrop.task order by id limit 3)`)
	app.Exec(t, `update sheetdrop.task set error_code = 'damaged_file' where id = (select id from sheetdrop.task order by id limit 1)`)
	app.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, status, attempts, rejections, next_attempt_at, last_error) values
(gen_random_uuid(), 'BLOB_DELETE', '{"blob_name":"none/1"}', 'FAILED', 5, 5, 'infinity', 'refused <b>for good</b>')`)
	app.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, status, locked_by, locked_until, next_attempt_at) values
(gen_random_uuid(), 'BLOB_DELETE', '{"blob_name":"none/2"}', 'PENDING', null, null, now() - interval '2 h')`)
	app.Exec(t, `insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count) values (gen_random_uuid(), 'm', '{"task_id": <script>', 5)`)
	b := newBrowser(t, app, look{})
	b.open("/")
	b.click(".top a", "Operate")
	b.sees(".figure.bad", "Files failed\n3")
	b.sees(".figure", "oldest due 2")
	b.until("the hours are charts", `document.querySelectorAll(".charts svg.chart").length === 5 && document.querySelectorAll(".charts rect").length === 120`)
	b.sees(".operate table", "It failed five times.")
	b.picture("operate")

	b.run(`(() => { const s = document.querySelector(".operate select"); s.value = "damaged_file"; s.dispatchEvent(new Event("change")); })()`)
	b.until("one is left", `document.querySelectorAll(".operate tbody tr").length === 1`)
	b.click(".retry-all", "Run all with damaged_file again")
	b.sees(".notice", "The task waits for a worker again")
	b.until("two are left", `document.querySelectorAll(".operate tbody tr").length === 2`)
	b.click(".operate tbody button", "Run again")
	b.until("one is left", `document.querySelectorAll(".operate tbody tr").length === 1`)

	b.click(".operate .parts a", "Outbox")
	b.sees(".operate tbody tr:first-child", "refused <b>for good</b>")
	b.until("the address names the tab", `location.pathname === "/operate/outbox"`)
	b.picture("operate-outbox")
	b.click(".operate tbody button", "Send again")
	b.until("no message is FAILED", `!document.querySelector(".operate tbody .bad")`)
	b.click(".operate .parts a", "Dead letters")
	b.sees(".operate tbody", `{"task_id": <script>`)
	b.click(".operate .parts a", "Actions")
	b.sees(".operate tbody", "redrive_message")
	b.sees(".operate tbody", `{"error_code":"damaged_file"}`)
	b.picture("operate-actions")
	b.run(`history.back()`)
	b.sees(".operate tbody", `{"task_id": <script>`)
	b.open("/operate/actions")
	b.sees(".operate tbody", "retry_tasks")
}

// Who is no operator sees no way to that part; and who goes there by its address is told what they would need, and no more.
func TestPageOperateIsRefused(t *testing.T) {
	app := e2e.Start(t, e2e.Options{
		Functions: []string{"upload-api", "web-page"}, Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"},
	})
	b := newBrowser(t, app, look{})
	principal := base64.StdEncoding.EncodeToString([]byte(`{"auth_typ":"aad","claims":[{"typ":"oid","val":"ann"},{"typ":"tid","val":"tenant"}]}`))
	b.do(call(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"X-MS-CLIENT-PRINCIPAL": principal}}))
	b.open("/")
	b.sees(".files", "No files yet")
	if shown := value[bool](b, `[...document.querySelectorAll(".top a:not([hidden])")].some((a) => a.innerText.includes("Operate"))`); shown {
		t.Error("the way to it is shown")
	}
	b.open("/operate")
	b.sees(".operate .state", "This part is for operators")
	b.until("nothing of it is shown", `!document.querySelector(".operate .figure, .operate table")`)
	b.picture("operate-refused")
}
