package crash

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/pgtest"
)

// byWebhooks is what happens to webhooks and to what is sent to them.
var byWebhooks = map[string]scenario{
	"a webhook is created": {
		act: func(t *testing.T, s *scene) { s.createWebhook(t, "https://localhost:1/") },
		after: func(t *testing.T, s *scene) { // one for each answer that was lost
			if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.webhook where secret is not null`); n < 1 || n > 1+s.failed {
				t.Errorf("%d webhooks after %d requests without an answer", n, s.failed)
			}
		},
	},
	"a webhook is changed": {
		act: func(t *testing.T, s *scene) {
			s.sendJSON(t, http.MethodPatch, s.createWebhook(t, "https://localhost:1/"), `{"enabled":false}`)
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "webhook where disabled_by = 'owner'", 1) },
	},
	"a webhook's secret is rotated": {
		act: func(t *testing.T, s *scene) {
			path := s.createWebhook(t, "https://localhost:1/")
			text := s.insist(t, http.MethodPost, path+"/rotate-secret", nil, nil)
			var rotated struct{ Secret string }
			if err := json.Unmarshal(text, &rotated); err != nil || rotated.Secret == "" {
				t.Errorf("the rotated secret: %v in %s", err, text)
			}
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "webhook where old_secret <> secret", 1) },
	},
	"a webhook is tested": {
		act: func(t *testing.T, s *scene) {
			r := newReceiver(t)
			s.insist(t, http.MethodPost, s.createWebhook(t, r.URL)+"/test", nil, nil)
			s.awaitFired(t)
			s.awaitDelivered(t)
			r.wantAll(t, s)
		},
	},
	"an event is sent again": {
		act: func(t *testing.T, s *scene) {
			r := newReceiver(t)
			path := s.createWebhook(t, r.URL)
			var event struct{ ID string }
			text := s.insist(t, http.MethodPost, path+"/test", nil, nil)
			if err := json.Unmarshal(text, &event); err != nil {
				t.Fatalf("the test: %v in %s", err, text)
			}
			s.awaitDelivered(t)
			s.insist(t, http.MethodPost, path+"/deliveries/"+event.ID+"/redeliver", nil, nil)
			s.awaitFired(t)
			s.awaitDelivered(t)
			r.wantAll(t, s)
			r.wantTwice(t, event.ID)
		},
	},
	"a webhook is deleted": {
		act: func(t *testing.T, s *scene) {
			s.insist(t, http.MethodDelete, s.createWebhook(t, "https://localhost:1/"), nil, nil, http.StatusNotFound) // an answer that was lost
		},
		after: func(t *testing.T, s *scene) {
			s.wantCount(t, "webhook where deleted_at is null or secret is not null", 0)
		},
	},
	"a webhook hears of a file": {
		act: func(t *testing.T, s *scene) {
			r := newReceiver(t)
			s.createWebhook(t, r.URL)
			s.upload(t, sheet(5, 10), "COMPLETED")
			s.awaitFired(t)
			s.awaitDelivered(t)
			r.wantAll(t, s)
		},
	},
	"webhook deliveries are old": {
		prepare: func(t *testing.T, s *scene) {
			s.Exec(t, `insert into sheetdrop.webhook (id, owner, url, statuses, secret) values (gen_random_uuid(), 'local', 'https://localhost:1/', '{FAILED}', sha256(''))`)
			s.Exec(t, `insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload, status, ended_at)
select gen_random_uuid(), id, 'webhook.test', '{}', 'DELIVERED', now() - interval '31 days' from sheetdrop.webhook`)
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "webhook_delivery", 0) },
	},
}

// createWebhook returns the path of a webhook.
func (s *scene) createWebhook(t *testing.T, url string) string {
	t.Helper()
	text := s.sendJSON(t, http.MethodPost, "/api/webhooks", `{"url":"`+url+`"}`)
	var made struct{ ID, Secret string }
	if err := json.Unmarshal(text, &made); err != nil || made.ID == "" || made.Secret == "" {
		t.Fatalf("the webhook: %v in %s", err, text)
	}
	return "/api/webhooks/" + made.ID
}

// awaitDelivered waits until every event is delivered; the lease of a process that died, a minute, ends at once.
func (s *scene) awaitDelivered(t *testing.T) {
	t.Helper()
	await.Until(t, "every event is delivered", func() bool {
		s.Exec(t, `update sheetdrop.webhook_delivery set locked_until = now() where attempted_at < now() - interval '5 seconds' and locked_by is not null`)
		return pgtest.Query[bool](t, s.Database, `select count(*) > 0 and bool_and(status = 'DELIVERED') from sheetdrop.webhook_delivery`)
	})
}

// receiver counts what it gets, by webhook-id.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	times map[string]int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{times: map[string]int{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.times[request.Header.Get("webhook-id")]++
	}))
	t.Cleanup(r.Close)
	return r
}

// wantAll says that every event of the database came, and nothing else.
func (r *receiver) wantAll(t *testing.T, s *scene) {
	t.Helper()
	ids := pgtest.Query[[]string](t, s.Database, `select array_agg(id::text) from sheetdrop.webhook_delivery`)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		if r.times[id] == 0 {
			t.Errorf("event %s never came", id)
		}
	}
	if len(r.times) > len(ids) {
		t.Errorf("%d events came, of %d that there are", len(r.times), len(ids))
	}
}

func (r *receiver) wantTwice(t *testing.T, id string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.times[id] < 2 {
		t.Errorf("event %s came %d times, want twice or more", id, r.times[id])
	}
}
