package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// webhookApp is an app whose timer, by which webhooks are sent, runs each second.
func webhookApp(t *testing.T) *e2e.App {
	t.Helper()
	return e2e.Start(t, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}})
}

// subscription is a webhook as who has created it knows it.
type subscription struct {
	ID     uuid.UUID
	Secret string
}

func (s subscription) path() string { return "/api/webhooks/" + s.ID.String() }

func subscribe(t *testing.T, app *e2e.App, body string) (made subscription) {
	t.Helper()
	post(t, app, "/api/webhooks", body, http.StatusCreated, &made)
	return made
}

func post(t *testing.T, app *e2e.App, path, body string, want int, into any) {
	t.Helper()
	var header http.Header
	if body != "" {
		header = http.Header{"Content-Type": {"application/json"}}
	}
	a := app.Do(t, http.MethodPost, path, header, strings.NewReader(body))
	if a.StatusCode != want {
		t.Fatalf("POST %s: %s %s, want %d", path, a.Status, a.Text, want)
	}
	if err := json.Unmarshal(a.Text, into); err != nil {
		t.Fatalf("POST %s: %v in %s", path, err, a.Text)
	}
}

// inbox is a receiver that keeps what it gets.
type inbox struct {
	*httptest.Server
	mu   sync.Mutex
	mail []mail
}

type mail struct {
	header http.Header
	body   []byte
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	in.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.mail = append(in.mail, mail{r.Header, body})
	}))
	t.Cleanup(in.Close)
	return in
}

// await waits for the n-th thing that comes, from 1.
func (in *inbox) await(t *testing.T, n int) mail {
	t.Helper()
	all := await.Value(t, "a webhook comes", func() []mail {
		in.mu.Lock()
		defer in.mu.Unlock()
		return in.mail
	}, func(all []mail) bool { return len(all) >= n })
	return all[n-1]
}

// verify says whether an implementation of Standard Webhooks that is not ours takes what has come for the owner's of a secret.
func (m mail) verify(t *testing.T, secret string) error {
	t.Helper()
	receiver, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatalf("secret %q: %v", secret, err)
	}
	return receiver.Verify(m.body, m.header)
}

// The receiver of a webhook gets a signed event when a file has been read, which an independent implementation verifies; with a rotated secret
// the receiver that has the old one verifies it, too. What was sent can be looked up, and sent again under its id.
func TestWebhookTellsOfAFile(t *testing.T) {
	t.Parallel()
	app, in := webhookApp(t), newInbox(t)
	hook := subscribe(t, app, `{"url":"`+in.URL+`/secret-token"}`)
	task := app.Upload(t, "orders.csv", []byte("article,net\napple,1\nbanana,2\ncherry,3,4\n"))
	got := in.await(t, 1)
	if err := got.verify(t, hook.Secret); err != nil {
		t.Errorf("the signature: %v", err)
	}
	if err := got.verify(t, "whsec_"+strings.Repeat("A", 43)+"="); err == nil {
		t.Error("the signature is good for another secret")
	}
	var event struct {
		Type string
		Data struct {
			TaskID       uuid.UUID `json:"task_id"`
			FileID       uuid.UUID `json:"file_id"`
			FileName     string    `json:"file_name"`
			Status, Link string
			RowsLoaded   int `json:"rows_loaded"`
			RowsRejected int `json:"rows_rejected"`
		}
	}
	if err := json.Unmarshal(got.body, &event); err != nil || event.Type != "task.completed" || event.Data.TaskID != task.ID || event.Data.FileID != task.FileID ||
		event.Data.FileName != "orders.csv" || event.Data.Status != "COMPLETED" || event.Data.RowsLoaded != 2 || event.Data.RowsRejected != 1 {
		t.Errorf("the event is %s, %v", got.body, err)
	}
	if bytes.Contains(got.body, []byte("apple")) || bytes.Contains(got.body, []byte("net")) {
		t.Errorf("the event has cells of the file: %s", got.body)
	}
	var linked e2e.Task
	if app.Get(t, event.Data.Link, &linked); linked.ID != task.ID {
		t.Errorf("the link leads to task %s", linked.ID)
	}
	app.Database.Await(t, `select status = 'DELIVERED' from sheetdrop.webhook_delivery`)

	var rotated subscription
	post(t, app, hook.path()+"/rotate-secret", "", http.StatusOK, &rotated)
	id := got.header.Get("webhook-id")
	var again struct{ Status string }
	post(t, app, hook.path()+"/deliveries/"+id+"/redeliver", "", http.StatusAccepted, &again)
	second := in.await(t, 2)
	for _, secret := range []string{hook.Secret, rotated.Secret} {
		if err := second.verify(t, secret); err != nil {
			t.Errorf("during the rotation: %v", err)
		}
	}
	if second.header.Get("webhook-id") != id || !bytes.Equal(second.body, got.body) {
		t.Errorf("sent again it is %s, was %s", second.body, got.body)
	}
}

// Somebody who waits for the end of a file is told of it at once, and not with the next run of the timer, which here comes in
// January: be it loaded, refused or cancelled.
func TestWebhookDoesNotWaitForTheTimer(t *testing.T) {
	t.Parallel()
	app, in := e2e.Start(t, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "0 0 0 1 1 *"}}), newInbox(t)
	subscribe(t, app, `{"url":"`+in.URL+`"}`)
	app.Upload(t, "a.csv", []byte("a\n1\n"))
	if got := in.await(t, 1); !bytes.Contains(got.body, []byte("task.completed")) {
		t.Errorf("the first event is %s", got.body)
	}
	app.Upload(t, "a.pdf", []byte("%PDF-1.7\n"))
	if got := in.await(t, 2); !bytes.Contains(got.body, []byte("task.failed")) {
		t.Errorf("the second event is %s", got.body)
	}
	task := app.Upload(t, "b.csv", []byte("a\n2\n"))
	in.await(t, 3)
	app.Database.Exec(t, `update sheetdrop.task set status = 'PENDING', finished_at = null, summary = null where id = $1`, task.ID)
	post(t, app, "/api/tasks/"+task.ID.String()+"/cancel", "", http.StatusOK, new(e2e.Task))
	if got := in.await(t, 4); !bytes.Contains(got.body, []byte("task.cancelled")) {
		t.Errorf("the fourth event is %s", got.body)
	}
}

// Receivers that never answer, refuse, redirect, answer ten megabytes or byte by byte, break off, or want nothing any more hold up neither a
// file nor a receiver that is well, and their owner sees why. What they are redirected to is never asked.
func TestReceiversThatMisbehave(t *testing.T) {
	t.Parallel()
	app, well, elsewhere := webhookApp(t), newInbox(t), newInbox(t)
	hanging, ended := make(chan struct{}), t.Context().Done()
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hangs":
			<-hanging
		case "/redirects":
			http.Redirect(w, r, elsewhere.URL, http.StatusPermanentRedirect)
		case "/long":
			_, _ = w.Write(bytes.Repeat([]byte("x"), 10<<20))
		case "/breaks":
			panic(http.ErrAbortHandler)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		}
	}))
	t.Cleanup(bad.Close)
	t.Cleanup(func() { close(hanging) }) // and then bad, which waits for its requests
	hooks := map[string]subscription{
		"/refuses":   subscribe(t, app, `{"url":"http://`+closedPort(t)+`/"}`),
		"/trickles":  subscribe(t, app, `{"url":"http://`+trickling(t, ended)+`/"}`),
		"/redirects": {}, "/long": {}, "/breaks": {}, "/gone": {}, "/hangs": {},
	}
	for path, hook := range hooks {
		if hook.ID == uuid.Nil {
			hooks[path] = subscribe(t, app, `{"url":"`+bad.URL+path+`"}`)
		}
	}
	subscribe(t, app, `{"url":"`+well.URL+`"}`)
	for n := range 3 {
		task := app.Upload(t, "a.csv", []byte("a\n"+strings.Repeat("1\n", n+1)))
		app.Await(t, task.ID)
	}
	well.await(t, 3)
	for path, want := range map[string]string{
		"/hangs": "PENDING there was no answer in time", "/refuses": "PENDING there was no connection, or it broke: connect: connection refused",
		"/redirects": "PENDING the receiver answered 308", "/trickles": "PENDING there was no answer in time", "/breaks": "PENDING ",
		"/long": "DELIVERED ", "/gone": "DEAD the receiver answered 410",
	} {
		await.Until(t, path+" is noted as "+want, func() bool {
			return pgtest.Query[bool](t, app.Database, `select exists (select from sheetdrop.webhook_delivery
where webhook_id = $1 and attempts > 0 and locked_by is null and concat(status, ' ', error) like $2 || '%')`, hooks[path].ID, want)
		})
	}
	app.Database.Await(t, `select disabled_by = 'receiver' from sheetdrop.webhook where id = $1`, hooks["/gone"].ID)
	elsewhere.mu.Lock()
	defer elsewhere.mu.Unlock()
	if len(elsewhere.mail) != 0 {
		t.Error("a redirect was followed")
	}
}

// closedPort is an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// trickling is the address of a receiver whose answer comes byte by byte, and has no end.
func trickling(t *testing.T, ended <-chan struct{}) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go trickle(c, ended)
		}
	}()
	return listener.Addr().String()
}

func trickle(c net.Conn, ended <-chan struct{}) {
	defer c.Close()
	if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
		return
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for _, b := range []byte("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 50_000)) {
		if _, err := c.Write([]byte{b}); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ended:
			return
		}
	}
}
