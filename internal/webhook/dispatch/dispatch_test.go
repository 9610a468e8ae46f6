package dispatch_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/task"
	"sheetdrop/internal/webhook"
	"sheetdrop/internal/webhook/dispatch"
)

// fixture is a sender, and a receiver that does what the test says.
type fixture struct {
	*pgtest.Database
	sender   *dispatch.Sender
	receiver *receiver
	log      *devtest.Log
}

func newFixture(t *testing.T, change ...func(*dispatch.Settings)) *fixture {
	t.Helper()
	f := &fixture{Database: pgtest.New(t), receiver: newReceiver(t), log: new(devtest.Log)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log:\n%s", f.log)
		}
	})
	f.sender = f.newSender(t, f.DB, webhook.Settings{Local: true}, change...)
	return f
}

// newSender starts a sender, which ends with the test.
func (f *fixture) newSender(t *testing.T, db *postgres.DB, addresses webhook.Settings, change ...func(*dispatch.Settings)) *dispatch.Sender {
	t.Helper()
	policy, err := webhook.NewPolicy(addresses)
	if err != nil {
		t.Fatal(err)
	}
	s := dispatch.Settings{AtOnce: 16, RetryDays: 3}
	for _, c := range change {
		c(&s)
	}
	sender, err := dispatch.New(s, db, webhook.NewClient(policy, webhook.Hooks{}), slog.New(slog.NewJSONHandler(f.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sender.Close)
	return sender
}

// receiver notes what it gets, and answers as the test says.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	ids    []string // webhook-ids, in the order of their coming
	bodies []string
	answer func(w http.ResponseWriter, r *http.Request) // nil: 200
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.ids, r.bodies = append(r.ids, request.Header.Get("webhook-id")), append(r.bodies, string(body))
		answer := r.answer
		r.mu.Unlock()
		if answer != nil {
			answer(w, request)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) set(answer func(http.ResponseWriter, *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.ids...)
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// subscribe commits a webhook of an owner.
func (f *fixture) subscribe(t *testing.T, owner, url string) uuid.UUID {
	t.Helper()
	w := webhookstore.Webhook{ID: task.NewID(), URL: url, Statuses: []string{"COMPLETED", "FAILED", "CANCELLED"}}
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		return webhookstore.Create(ctx, tx, owner, w, webhook.NewSecret(), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.ID
}

// endTask ends a task of an owner.
func (f *fixture) endTask(t *testing.T, owner string) {
	t.Helper()
	u := f.AddSentUpload(t, func(u *postgres.Upload) { u.File.Owner = owner })
	f.Exec(t, `update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, u.TaskID)
}

const allDelivered = `select count(*) = $1 from sheetdrop.webhook_delivery where status = 'DELIVERED'`

// What is due is sent, byte for byte as it was written, and noted with the answer.
func TestDueEventsAreSent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receiver.set(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("thank you")) })
	f.subscribe(t, "local", f.receiver.URL)
	for range 30 { // more than are sent at once
		f.endTask(t, "local")
	}
	f.sender.Wake()
	f.Await(t, allDelivered, 30)
	if n := len(f.receiver.got()); n != 30 {
		t.Errorf("the receiver got %d requests, want 30", n)
	}
	if row := pgtest.Query[string](t, f.Database, `select concat_ws(' ', attempts, response_status, response, error is null, took_ms >= 0, payload = $1)
from sheetdrop.webhook_delivery where id = $2`, f.receiver.bodies[0], f.receiver.ids[0]); row != "1 200 thank you t t t" {
		t.Errorf("the delivery is %s", row)
	}
}

// A failed attempt is made again after a pause, under the same webhook-id, until it succeeds; its owner can read why it failed, and the log
// has neither the address nor the answer.
func TestFailedEventIsSentAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receiver.set(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "out of paper", http.StatusInternalServerError)
	})
	f.subscribe(t, "local", f.receiver.URL+"/secret-path")
	f.endTask(t, "local")
	f.sender.Wake()
	f.Await(t, `select status = 'PENDING' and attempts = 1 and locked_by is null and next_attempt_at > now() and response_status = 500
  and response like 'out of paper%' and error = 'the receiver answered 500' from sheetdrop.webhook_delivery`)
	f.receiver.set(nil)
	f.Exec(t, `update sheetdrop.webhook_delivery set next_attempt_at = now()`)
	f.sender.Wake()
	f.Await(t, allDelivered, 1)
	if ids := f.receiver.got(); len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("the webhook-ids are %v, want one twice", ids)
	}
	if strings.Contains(f.log.String(), "secret-path") || strings.Contains(f.log.String(), "out of paper") || !strings.Contains(f.log.String(), "webhook not delivered") {
		t.Errorf("the log is %s", f.log)
	}
}

// A receiver that hangs holds up no other owner: its own places alone are taken.
func TestHangingReceiverHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	released := make(chan struct{})
	t.Cleanup(func() { close(released) })
	f.receiver.set(func(http.ResponseWriter, *http.Request) { <-released })
	other := newReceiver(t)
	f.subscribe(t, "hanging", f.receiver.URL)
	f.subscribe(t, "local", other.URL)
	for range 40 {
		f.endTask(t, "hanging")
	}
	for range 10 {
		f.endTask(t, "local")
	}
	f.sender.Wake()
	f.Await(t, allDelivered, 10)
	if n := len(f.receiver.got()); n > 4 {
		t.Errorf("%d requests to the hanging receiver at once, want a quarter of 16 at most", n)
	}
}

// A receiver that fails again and again is left for a while, with all that is due to it; others are not.
func TestFailingReceiverIsLeftForAWhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receiver.set(status(http.StatusBadGateway))
	f.subscribe(t, "local", f.receiver.URL)
	for range 100 {
		f.endTask(t, "local")
	}
	f.sender.Wake()
	f.Await(t, `select count(*) >= 5 from sheetdrop.webhook_delivery where attempts = 1 and locked_by is null`)
	healthy := newReceiver(t)
	f.subscribe(t, "local", healthy.URL)
	f.endTask(t, "local") // of the same owner
	f.sender.Wake()
	f.Await(t, allDelivered, 1)
	if n := len(f.receiver.got()); n > 12 { // five in a row, and those that were under way
		t.Errorf("%d requests to the failing receiver, want a few", n)
	}
}

// A process that dies between an answer and its note sends the event again, under the same webhook-id; one whose note is lost on the way
// tries it again.
func TestEventWhoseNoteIsLost(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(p *pgproxy.Proxy){
		"the statement is lost": func(p *pgproxy.Proxy) { p.CutBeforeStatement("with settled as", 1) },
		"its answer is lost":    func(p *pgproxy.Proxy) { p.CutAfterStatement("with settled as", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			proxy := pgproxy.New(t, f.URL)
			cut(proxy)
			sender := f.newSender(t, pgtest.Open(t, proxy.URL()), webhook.Settings{Local: true})
			f.subscribe(t, "local", f.receiver.URL)
			f.endTask(t, "local")
			sender.Wake()
			f.Await(t, allDelivered, 1)
			if n := len(f.receiver.got()); n != 1 || proxy.Cuts() != 1 {
				t.Errorf("%d requests and %d cuts, want one of each", n, proxy.Cuts())
			}
		})
	}
	f := newFixture(t)
	f.subscribe(t, "local", f.receiver.URL)
	f.endTask(t, "local")
	f.sender.Wake()
	f.Await(t, allDelivered, 1)
	// as the process that died has left it
	f.Exec(t, `update sheetdrop.webhook_delivery set status = 'PENDING', ended_at = null, locked_by = gen_random_uuid(), locked_until = now() - interval '1 second', next_attempt_at = now()`)
	f.sender.Wake()
	f.Await(t, allDelivered, 1)
	if ids := f.receiver.got(); len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("the webhook-ids are %v, want one twice", ids)
	}
}

// A sender that is told to stop breaks off what takes long, and returns the event as it was.
func TestStopReturnsWhatItSends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	arrived, released := make(chan struct{}, 1), make(chan struct{})
	t.Cleanup(func() { close(released) })
	f.receiver.set(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-released
	})
	f.subscribe(t, "local", f.receiver.URL)
	f.endTask(t, "local")
	f.sender.Wake()
	<-arrived
	f.sender.Close()
	if row := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempts, locked_by is null, next_attempt_at <= now()) from sheetdrop.webhook_delivery`); row != "PENDING 0 t t" {
		t.Errorf("the event is %s, want PENDING 0 t t", row)
	}
}

// An address that was allowed when the webhook was made, and is not any more, is not called: its owner reads why. Where no address is
// allowed nothing is tried at all.
func TestAddressThatIsNotAllowedAnyMore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.subscribe(t, "local", f.receiver.URL)
	f.endTask(t, "local")
	f.newSender(t, f.DB, webhook.Settings{}).Wake() // webhooks are off
	f.newSender(t, f.DB, webhook.Settings{Hosts: []string{"hooks.example.com"}}).Wake()
	f.Await(t, `select status = 'PENDING' and attempts = 1 and error like 'the address is not allowed: %' from sheetdrop.webhook_delivery`)
	if n := len(f.receiver.got()); n != 0 {
		t.Errorf("the receiver got %d requests", n)
	}
}

// A receiver that asks for a pause gets it, up to some hours.
func TestRetryAfterIsKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receiver.set(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	f.subscribe(t, "local", f.receiver.URL)
	f.endTask(t, "local")
	f.sender.Wake()
	f.Await(t, `select attempts = 1 and next_attempt_at > now() + interval '59 minutes' from sheetdrop.webhook_delivery`)
}
