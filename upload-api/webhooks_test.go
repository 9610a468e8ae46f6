package upload

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/internal/webhook"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/webhooks"
)

// hookURL is the body that creates a webhook.
const hookURL = `{"url": "https://hooks.example.com/sheets?token=1"}`

// hook is a webhook as who creates it sees it.
type hook struct{ webhooks.WebhookWithSecret }

func (h hook) path() string { return "/api/webhooks/" + h.ID.String() }

// callable is the policy by which hosts may be called.
func callable(t testing.TB, hosts ...string) webhook.Policy {
	t.Helper()
	p, err := webhook.NewPolicy(webhook.Settings{Hosts: hosts})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// webhook creates a webhook that must be created.
func (d *testAPI) webhook(body string, headers ...string) (made hook) {
	d.t.Helper()
	d.postJSON("/api/webhooks", body, headers...).into(http.StatusCreated, &made.WebhookWithSecret)
	return made
}

// testEvent has a test sent to a webhook.
func (d *testAPI) testEvent(id uuid.UUID, headers ...string) (event webhooks.Delivery) {
	d.t.Helper()
	d.send(http.MethodPost, "/api/webhooks/"+id.String()+"/test", nil, headers...).into(http.StatusAccepted, &event)
	return event
}

func (d *testAPI) shown(h hook) (shown webhooks.Webhook) {
	d.t.Helper()
	d.get(h.path()).into(http.StatusOK, &shown)
	return shown
}

// A webhook is as it was asked for, and its secret is in the answer to its creation and in no other, nor in the log or the record of actions.
func TestWebhookIsCreated(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	prices := d.target(pricesTarget)
	made := d.webhook(fmt.Sprintf(`{"url": "https://hooks.example.com/a?token=1", "description": "経理", "states": ["FAILED"], "targets": [%q]}`, prices.ID))
	if made.URL != "https://hooks.example.com/a?token=1" || made.Description != "経理" || !slices.Equal(made.States, []string{"FAILED"}) ||
		!slices.Equal(made.Targets, []uuid.UUID{prices.ID}) || !made.Enabled || !strings.HasPrefix(made.Secret, "whsec_") {
		t.Errorf("created as %+v", made)
	}
	plain := d.webhook(hookURL)
	if !slices.Equal(plain.States, []string{"COMPLETED", "FAILED", "CANCELLED"}) || len(plain.Targets) != 0 {
		t.Errorf("by default it is %+v", plain)
	}
	var all export.List[webhooks.Webhook]
	list := d.get("/api/webhooks")
	if list.into(http.StatusOK, &all); len(all.Items) != 2 || all.Items[0].ID != plain.ID {
		t.Errorf("the list is %+v", all)
	}
	secret := strings.TrimPrefix(made.Secret, "whsec_")
	for name, text := range map[string]string{
		"the list": string(list.body), "the webhook": string(d.get(made.path()).body), "the log": d.log.String(),
		"the actions": d.contents()["operator_action"], "the events": string(d.get(made.path() + "/deliveries").body),
	} {
		if strings.Contains(text, secret) || strings.Contains(text, "whsec_") {
			t.Errorf("%s has the secret: %s", name, text)
		}
	}
}

// Addresses that the server may not call, and targets that the caller may not see, make no webhook, and change none.
func TestWrongWebhooks(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.webhook(hookURL)
	for _, address := range []string{
		"http://hooks.example.com/", "https://evil.test/", "https://127.0.0.1/", "https://169.254.169.254/", "https://[::ffff:10.0.0.1]/",
		"https://a:b@hooks.example.com/", "https://hooks.example.com:22/", "https://hooks.example.com/#a", `https://hooks.example.com/\r\nX: y`, "hooks",
	} {
		body := `{"url": "` + address + `"}` // the address may hold an escape
		if p := d.postJSON("/api/webhooks", body).problem(problem.InvalidAddress); !slices.Equal(locations(p), []string{"body.url"}) {
			t.Errorf("%s: %+v", address, p)
		}
		d.sendJSON(http.MethodPatch, made.path(), body).problem(problem.InvalidAddress)
	}
	other := fmt.Sprintf(`{"url": "https://hooks.example.com/", "targets": [%q]}`, uuid.New())
	d.postJSON("/api/webhooks", other).problem(problem.NoSuchTarget)
	d.sendJSON(http.MethodPatch, made.path(), other).problem(problem.NoSuchTarget)
	for _, body := range []string{`{}`, `{"url": ""}`, `{"url": "https://hooks.example.com/", "states": ["PENDING"]}`,
		`{"url": "https://hooks.example.com/", "secret": "whsec_"}`, `{"url": "https://hooks.example.com/", "description": "` + strings.Repeat("a", 201) + `"}`} {
		d.postJSON("/api/webhooks", body).problem(problem.InvalidBody)
	}
	if shown := d.shown(made); shown.URL != made.URL || d.count("webhook") != 1 {
		t.Errorf("it is %+v, of %d", shown, d.count("webhook"))
	}
}

// An owner has as many webhooks as the setting says, and deleting one makes room. Others have theirs.
func TestWebhooksOfAnOwnerAreLimited(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withSettings(func(s *Settings) { s.Webhooks.PerOwner = 2 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	first := d.webhook(hookURL, ann)
	d.webhook(hookURL, ann)
	d.postJSON("/api/webhooks", hookURL, ann).problem(problem.TooManyWebhooks)
	d.webhook(hookURL, bob)
	d.send(http.MethodDelete, first.path(), nil, ann).noContent()
	d.webhook(hookURL, ann)
	if n := d.count("webhook where deleted_at is null"); n != 3 {
		t.Errorf("%d webhooks, want 3", n)
	}
}

// Where no host is allowed nothing is created, enabled or sent; what is there can be seen and deleted.
func TestWebhooksAreOff(t *testing.T) {
	t.Parallel()
	on := newTestAPI(t)
	made := on.webhook(hookURL)
	d := newTestAPI(t, withDatabase(on.sql.Config().ConnString()), withSettings(func(s *Settings) { s.Webhooks.Policy = webhook.Policy{} }))
	d.postJSON("/api/webhooks", hookURL).problem(problem.WebhooksOff)
	d.post(made.path()+"/test", "").problem(problem.WebhooksOff)
	d.sendJSON(http.MethodPatch, made.path(), `{"enabled": true}`).problem(problem.WebhooksOff)
	d.sendJSON(http.MethodPatch, made.path(), `{"enabled": false}`).into(http.StatusOK, &webhooks.Webhook{})
	d.get(made.path()).into(http.StatusOK, &webhooks.Webhook{})
	d.send(http.MethodDelete, made.path(), nil).noContent()
}

// A change sets the members that it names and no others. A disabled webhook is sent nothing, and says who has disabled it.
func TestWebhookIsChanged(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.webhook(`{"url": "https://hooks.example.com/a", "description": "first", "states": ["FAILED"]}`)
	var changed webhooks.Webhook
	d.sendJSON(http.MethodPatch, made.path(), `{"url": "https://hooks.example.com/b", "enabled": false}`).into(http.StatusOK, &changed)
	if changed.URL != "https://hooks.example.com/b" || changed.Description != "first" || !slices.Equal(changed.States, []string{"FAILED"}) ||
		changed.Enabled || changed.DisabledBy != "owner" || changed.DisabledAt == nil {
		t.Errorf("changed to %+v", changed)
	}
	d.post(made.path()+"/test", "").problem(problem.WebhookDisabled)
	d.post(made.path()+"/deliveries/"+uuid.NewString()+"/redeliver", "").problem(problem.WebhookDisabled)
	taken := d.upload("a.csv", "a\n")
	setStatus(d, taken.Task.ID, task.Failed)
	if n := d.count("webhook_delivery"); n != 0 {
		t.Errorf("%d events for a disabled webhook", n)
	}
	changed = webhooks.Webhook{}
	d.sendJSON(http.MethodPatch, made.path(), `{"enabled": true, "states": []}`).into(http.StatusOK, &changed)
	if !changed.Enabled || changed.DisabledBy != "" || len(changed.States) != 3 {
		t.Errorf("enabled, it is %+v", changed)
	}
}

// A rotated secret is another one, and the one of before is named until it has expired; nobody sees the new one a second time.
func TestSecretIsRotated(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.webhook(hookURL)
	var rotated webhooks.WebhookWithSecret
	d.post(made.path()+"/rotate-secret", "").into(http.StatusOK, &rotated)
	if rotated.Secret == made.Secret || !strings.HasPrefix(rotated.Secret, "whsec_") || rotated.OldSecretUntil == nil {
		t.Errorf("rotated to %+v, was %s", rotated, made.Secret)
	}
	d.exec(`update sheetdrop.webhook set old_secret_until = now()`)
	if shown := d.shown(made); shown.OldSecretUntil != nil {
		t.Errorf("the old secret is still named: %+v", shown)
	}
}

// What became of events can be looked up, in pages and by status, for the one webhook; a dead one is sent again under its webhook-id.
func TestDeliveriesOfAWebhook(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made, other := d.webhook(hookURL), d.webhook(hookURL)
	taken := d.upload("a.csv", "a\n")
	setStatus(d, taken.Task.ID, task.Failed)
	tested := d.testEvent(made.ID)
	if tested.Type != "webhook.test" || tested.Status != "PENDING" || tested.TaskID != nil {
		t.Errorf("the test is %+v", tested)
	}
	d.exec(`update sheetdrop.webhook_delivery set status = 'DEAD', ended_at = now(), attempts = 22, attempted_at = now(), took_ms = 7, response_status = 500,
  response = 'sorry', error = 'the receiver answered 500' where type = 'task.failed'`)
	var dead export.List[webhooks.Delivery]
	d.get(made.path()+"/deliveries?status=DEAD").into(http.StatusOK, &dead)
	if len(dead.Items) != 1 {
		t.Fatalf("%d are dead, want 1", len(dead.Items))
	}
	if e := dead.Items[0]; e.Type != "task.failed" || *e.TaskID != taken.Task.ID || e.Attempts != 22 || *e.ResponseStatus != 500 || *e.Response != "sorry" ||
		*e.Error == "" || e.Payload["type"] != "task.failed" {
		t.Errorf("the dead one is %+v", e)
	}
	var first, second export.List[webhooks.Delivery]
	d.get(made.path()+"/deliveries?limit=1").into(http.StatusOK, &first)
	d.get(made.path()+"/deliveries?limit=1&cursor="+*first.Next).into(http.StatusOK, &second)
	if first.Items[0].ID != tested.ID || second.Items[0].ID != dead.Items[0].ID || second.Next != nil {
		t.Errorf("the pages are %+v and %+v", first, second)
	}
	d.get(other.path() + "/deliveries?cursor=" + *first.Next).problem(problem.InvalidCursor)
	d.get(other.path() + "/deliveries/" + tested.ID.String()).problem(problem.NotFound)
	d.post(other.path()+"/deliveries/"+tested.ID.String()+"/redeliver", "").problem(problem.NotFound)

	var again webhooks.Delivery
	d.post(made.path()+"/deliveries/"+dead.Items[0].ID.String()+"/redeliver", "").into(http.StatusAccepted, &again)
	if again.ID != dead.Items[0].ID || again.Status != "PENDING" || again.Attempts != 0 || again.EndedAt != nil {
		t.Errorf("sent again it is %+v", again)
	}
	if shown := d.shown(made); shown.Waiting != 2 || shown.Dead != 0 {
		t.Errorf("the webhook is %+v", shown)
	}
}

// A deleted webhook is gone with its secret, and what waits for it is sent to nobody.
func TestDeletedWebhookIsGone(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.webhook(hookURL)
	event := d.testEvent(made.ID)
	d.send(http.MethodDelete, made.path(), nil).noContent()
	d.get(made.path()).problem(problem.NotFound)
	d.get(made.path() + "/deliveries/" + event.ID.String()).problem(problem.NotFound)
	d.send(http.MethodDelete, made.path(), nil).problem(problem.NotFound)
	var secrets int
	if d.query(&secrets, `select count(*) from sheetdrop.webhook where secret is not null or old_secret is not null`); secrets != 0 {
		t.Errorf("%d secrets are left", secrets)
	}
}
