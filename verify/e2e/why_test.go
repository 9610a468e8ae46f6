package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// life is a task's history as the API tells it.
type life struct {
	Status string
	Items  []struct {
		At                 time.Time
		Kind, Reason, Text string
	}
	Now struct {
		Code, Text, Reason string
		Since              time.Time
		NextAt             *time.Time `json:"next_at"`
		ByItself           bool       `json:"by_itself"`
		Ahead              int64
		WaitingFor         *uuid.UUID                     `json:"waiting_for"`
		NextStep           *struct{ Who, Command string } `json:"next_step"`
	}
}

func (l life) kinds() (kinds []string) {
	for _, item := range l.Items {
		kinds = append(kinds, item.Kind)
	}
	return kinds
}

// whyApp is a handler without a host: what is delivered, and when the timer runs, the test says.
type whyApp struct {
	*e2e.App
	t *testing.T
	h *e2e.Handler
}

func newWhyApp(t *testing.T, settings map[string]string, storage *devtest.StorageParts) *whyApp {
	t.Helper()
	t.Parallel()
	app := e2e.Prepare(t, e2e.Options{Storage: storage, Settings: map[string]string{"RELAY_PERIOD": "1s"}})
	a := &whyApp{app, t, app.StartHandler(t, settings)}
	a.h.Tick(t) // for maintenance ran a moment ago
	return a
}

// send makes a request, which must be answered with that status.
func (a *whyApp) send(method, path, body string, want int, into any) {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.h.URL+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/api/files?") {
		request.Header.Set("Content-Type", "text/csv")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want {
		a.t.Fatalf("%s %s: %s %s (%v), want %d", method, path, response.Status, text, err, want)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			a.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

// upload sends a file and returns what a message says of its task.
func (a *whyApp) upload(name, content, query string) postgres.Upload {
	a.t.Helper()
	response, err := http.Post(a.h.URL+"/api/files?name="+name+query, "text/csv", strings.NewReader(content))
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	var accepted struct{ Task, File struct{ ID uuid.UUID } }
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusAccepted {
		a.t.Fatalf("upload: %s %s (%v)", response.Status, text, err)
	}
	if err := json.Unmarshal(text, &accepted); err != nil {
		a.t.Fatal(err)
	}
	u := postgres.Upload{TaskID: accepted.Task.ID, MessageID: uuid.New()}
	u.File.ID = accepted.File.ID
	return u
}

func (a *whyApp) life(u postgres.Upload) (l life) {
	a.t.Helper()
	a.send(http.MethodGet, "/api/tasks/"+u.TaskID.String()+"/history", "", http.StatusOK, &l)
	return l
}

// await waits until the task stands there.
func (a *whyApp) await(u postgres.Upload, code string) life {
	a.t.Helper()
	return await.Value(a.t, "the task's code is "+code, func() life { return a.life(u) }, func(l life) bool { return l.Now.Code == code })
}

// want compares where a task stands: "CODE reason, by itself" or "CODE reason, operator: COMMAND".
func (a *whyApp) want(u postgres.Upload, want string) life {
	a.t.Helper()
	l := a.life(u)
	got := strings.TrimSpace(l.Now.Code + " " + l.Now.Reason)
	switch {
	case l.Now.ByItself:
		got += ", by itself"
	case l.Now.NextStep != nil:
		got += strings.TrimSuffix(fmt.Sprintf(", %s: %s", l.Now.NextStep.Who, l.Now.NextStep.Command), ": ")
	}
	if got != want {
		a.t.Errorf("now: %s, want %s\n%+v", got, want, l)
	}
	return l
}

// wantLife compares the kinds of what happened, in order.
func (a *whyApp) wantLife(u postgres.Upload, want ...string) {
	a.t.Helper()
	if got := a.life(u).kinds(); !slices.Equal(got, want) {
		a.t.Errorf("life: %s\nwant: %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

// deliver has the handler run the task, which must end so.
func (a *whyApp) deliver(u postgres.Upload, code string) {
	a.t.Helper()
	<-a.h.Deliver(a.t, u)
	if got := a.life(u); got.Now.Code != code {
		a.t.Errorf("after the run: %s, want %s\n%+v", got.Now.Code, code, got)
	}
}

// becomesDue has the message of a pause be due, as its time would, and the timer send it. It is not sent before.
func (a *whyApp) becomesDue(u postgres.Upload) {
	a.t.Helper()
	next := a.life(u).Now.NextAt
	if next == nil {
		a.t.Fatalf("nothing is due: %+v", a.life(u))
	}
	await.Until(a.t, "the message is sent", func() bool {
		a.h.Tick(a.t)
		return pgtest.Query[int](a.t, a.Database, `select count(*) from sheetdrop.outbox_message where task_id = $1`, u.TaskID) == 0
	})
	if sent := pgtest.Query[time.Time](a.t, a.Database, `select max(processed_at) from sheetdrop.outbox_history where task_id = $1`, u.TaskID); sent.Before(*next) {
		a.t.Errorf("the message was sent at %s, before %s", sent, next)
	}
	a.await(u, "worker")
}

// killedIn starts another handler whose worker waits for a file's first bytes, and kills it there.
func (a *whyApp) killedIn(u postgres.Upload, opened chan opening) {
	a.t.Helper()
	worker := a.StartHandler(a.t, nil)
	worker.Deliver(a.t, u)
	<-opened
	a.await(u, "running")
	worker.Signal(a.t, syscall.SIGKILL)
	worker.Exit()
}

func hangingStorage(t *testing.T) (*devtest.StorageParts, chan opening) {
	t.Helper()
	storage := devtest.Storage(t)
	var opened chan opening
	storage.ConnectionString, opened = openings(t, storage.ConnectionString)
	return &storage, opened
}

// The worker was killed: its lease runs on, expires, and the task is reclaimed and run again, all by itself.
func TestWhyKilledWorker(t *testing.T) {
	storage, opened := hangingStorage(t)
	a := newWhyApp(t, nil, storage)
	u := a.AddFile(t, csv(1, 2))
	a.killedIn(u, opened)
	a.Exec(t, `update sheetdrop.task set locked_until = locked_until - interval '12 s'`) // 12 s later
	l := a.want(u, "heartbeat_missing, by itself")
	until := pgtest.Query[time.Time](t, a.Database, `select locked_until from sheetdrop.task`)
	if l.Now.NextAt == nil || l.Now.NextAt.Before(until) {
		t.Errorf("it goes on at %v, before its lease expires at %s", l.Now.NextAt, until)
	}
	a.Exec(t, `update sheetdrop.task set locked_until = now() - interval '1 s'`)
	a.want(u, "lease_expired, by itself")
	await.Until(t, "maintenance reclaims the task", func() bool {
		a.h.Tick(t)
		return a.life(u).Now.Code == "worker"
	})
	ended := a.h.Deliver(t, u)
	close((<-opened).pass)
	<-ended
	a.want(u, "completed, by itself")
	a.wantLife(u, "accepted", "started", "reclaimed", "message_sent", "started", "completed")
}

// The queue has the message, and hides it: a worker that is gone has received it. A new one is written in the end.
func TestWhyHeldMessage(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.upload("a.csv", "a\n1\n", "")
	a.await(u, "worker")
	a.Storage.Receive(t) // and hides it
	l := a.want(u, "worker, by itself")
	if l.Now.NextAt == nil || !l.Now.NextAt.After(l.Now.Since) {
		t.Errorf("it goes on at %v, since %s", l.Now.NextAt, l.Now.Since)
	}
	a.Exec(t, `update sheetdrop.task set enqueued_at = enqueued_at - interval '31 s'`) // 31 s later
	a.h.Tick(t)
	a.await(u, "worker")
	if kinds := a.life(u).kinds(); len(kinds) < 3 || kinds[2] != "message_renewed" {
		t.Errorf("life: %v", kinds)
	}
	a.deliver(u, "completed")
}

// A worker that is told to stop returns its task, which pauses.
func TestWhyRetryWithBackOff(t *testing.T) {
	storage, opened := hangingStorage(t)
	a := newWhyApp(t, nil, storage)
	u := a.AddFile(t, csv(1, 2))
	worker := a.StartHandler(t, nil)
	worker.Deliver(t, u)
	<-opened
	worker.TellToStop(t)
	worker.Exit()
	a.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '5 s'`) // a pause that even a busy machine sees
	a.want(u, "retry_pause worker_stopped, by itself")
	a.becomesDue(u)
	ended := a.h.Deliver(t, u)
	close((<-opened).pass)
	<-ended
	a.wantLife(u, "accepted", "started", "returned", "message_sent", "started", "completed")
}

// The blob store does not answer. The run is returned without being counted.
func TestWhyStorageUnavailable(t *testing.T) {
	storage, faults := devtest.Storage(t), make(chan storageproxy.Fault, 1)
	faults <- http.StatusServiceUnavailable
	storage.ConnectionString = storageproxy.Through(t, storage.ConnectionString, func(r *http.Request) storageproxy.Fault {
		fault := <-faults
		faults <- fault
		if r.Method == http.MethodGet && r.URL.RawQuery == "" {
			return fault
		}
		return storageproxy.None
	}, "BlobEndpoint")
	a := newWhyApp(t, nil, &storage)
	u := a.AddFile(t, csv(1, 2))
	<-a.h.Deliver(t, u)
	a.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '5 s'`)
	a.want(u, "retry_pause storage_unavailable, by itself")
	<-faults
	faults <- storageproxy.None
	a.becomesDue(u)
	a.deliver(u, "completed")
}

// Somebody cancels a run, whose worker hears of it; and one that is in its COMMIT, which wins.
func TestWhyCancelledInCommit(t *testing.T) {
	storage, opened := hangingStorage(t)
	a := newWhyApp(t, nil, storage)
	proxy := pgproxy.New(t, a.URL)
	deaf := a.StartHandler(t, map[string]string{"DATABASE_URL": proxy.URL()})
	proxy.CutBeforeStatement("beat as materialized", 1_000_000) // its heartbeats, which would tell of the cancel
	u := a.AddFile(t, csv(1, 2))
	ended := deaf.Deliver(t, u)
	opening := <-opened
	a.want(u, "running, by itself")
	a.send(http.MethodPost, "/api/tasks/"+u.TaskID.String()+"/cancel", "", http.StatusOK, nil)
	a.want(u, "cancelling, by itself")
	close(opening.pass)
	<-ended
	a.want(u, "completed, by itself")
	a.wantLife(u, "accepted", "started", "cancel_requested", "completed")

	heard := a.AddFile(t, csv(1, 2))
	ended = a.h.Deliver(t, heard)
	<-opened
	a.send(http.MethodPost, "/api/tasks/"+heard.TaskID.String()+"/cancel", "", http.StatusOK, nil)
	<-ended
	a.want(heard, "cancelled, by itself")
	a.wantLife(heard, "accepted", "started", "cancel_requested", "cancelled")
}

const whyTarget = `{"name": "stock", "key": ["id"], "mode": "upsert", "columns": [{"name": "id", "type": "integer", "required": true}]}`

// A later file of a target waits for its turn, and is asked for when the earlier one has ended.
func TestWhyWaitsForItsTurnInATarget(t *testing.T) {
	storage, opened := hangingStorage(t)
	a := newWhyApp(t, nil, storage)
	a.send(http.MethodPost, "/api/targets", whyTarget, http.StatusCreated, nil)
	first, second := a.upload("1.csv", "id\n1\n", "&target=stock"), a.upload("2.csv", "id\n2\n", "&target=stock")
	ended := a.h.Deliver(t, first)
	opening := <-opened
	<-a.h.Deliver(t, second) // too early
	l := a.want(second, "target_turn, by itself")
	if l.Now.Ahead != 1 || l.Now.WaitingFor == nil || *l.Now.WaitingFor != first.TaskID {
		t.Errorf("it waits for %d, the first of them %v", l.Now.Ahead, l.Now.WaitingFor)
	}
	pass := make(chan struct{})
	go func() {
		close(opening.pass)
		for {
			select {
			case o := <-opened:
				close(o.pass)
			case <-pass:
				return
			}
		}
	}()
	t.Cleanup(func() { close(pass) })
	<-ended
	a.h.Tick(t)
	a.await(second, "worker")
	a.deliver(second, "completed")
}

// Five attempts fail by an internal error. Somebody must act; after a retry it goes on.
func TestWhyPoison(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.AddFile(t, csv(1, 2))
	a.Exec(t, `alter table sheetdrop.sheet_row rename to elsewhere`)
	for range 5 {
		<-a.h.Deliver(t, u)
	}
	a.want(u, "failed internal_error, owner: sheetdrop retry "+u.TaskID.String())
	a.Exec(t, `alter table sheetdrop.elsewhere rename to sheet_row`)
	a.send(http.MethodPost, "/api/tasks/"+u.TaskID.String()+"/retry", "", http.StatusOK, nil)
	await.Until(t, "its message is sent", func() bool { a.h.Tick(t); return a.life(u).Now.Code == "worker" })
	a.deliver(u, "completed")
	kinds := a.life(u).kinds()
	for kind, want := range map[string]int{"started": 6, "returned": 4, "failed": 1, "retried": 1, "completed": 1} {
		if got := len(slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k != kind })); got != want {
			t.Errorf("%d × %s, want %d: %v", got, kind, want, kinds)
		}
	}
}

// Nothing can be written. An operator must act; then it goes on.
func TestWhyReadOnlyDatabase(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.AddFile(t, csv(1, 2))
	a.ReadOnly(t, true)
	connected := a.h
	a.h = a.StartHandler(t, nil) // what was connected before goes on writing
	a.want(u, "database_read_only, operator")
	a.ReadOnly(t, false)
	a.h = connected
	a.want(u, "worker, by itself")
	a.deliver(u, "completed")
}

// The owner's other files go first; and a file for which the quota has no room is refused, so there is no task to ask for.
func TestWhyOwnersShare(t *testing.T) {
	storage, opened := hangingStorage(t)
	a := newWhyApp(t, map[string]string{"PARSE_CONCURRENCY": "1", "QUOTA_OPEN_TASKS": "3"}, storage)
	var files []postgres.Upload
	for i := range 3 {
		files = append(files, a.upload(fmt.Sprintf("%d.csv", i), "a\n1\n", ""))
	}
	running := a.h.Deliver(t, files[0])
	opening := <-opened
	for _, u := range files[1:] { // their messages are in the queue
		await.Until(t, "the message is sent", func() bool { a.h.Tick(t); return a.life(u).Now.Code != "relay" })
	}
	if l := a.want(files[2], "owner_share, by itself"); l.Now.Ahead != 1 {
		t.Errorf("%d before it, want 1", l.Now.Ahead)
	}
	a.send(http.MethodPost, "/api/files?name=4.csv", "a\n1\n", http.StatusTooManyRequests, nil)
	if tasks := pgtest.Query[int](t, a.Database, `select count(*) from sheetdrop.task`); tasks != 3 {
		t.Errorf("%d tasks, want 3", tasks)
	}
	close(opening.pass)
	<-running
	for _, u := range files[1:] {
		ended := a.h.Deliver(t, u)
		close((<-opened).pass)
		<-ended
		a.want(u, "completed, by itself")
	}
}

// The queue does not answer, and then refuses the message itself. Another one is written by itself; an operator can send it at once.
func TestWhyQueueRefuses(t *testing.T) {
	storage, faults := devtest.Storage(t), make(chan storageproxy.Fault, 1)
	faults <- storageproxy.Cut
	storage.ConnectionString = storageproxy.Through(t, storage.ConnectionString, func(r *http.Request) storageproxy.Fault {
		fault := <-faults
		faults <- fault
		if r.Method == http.MethodPost {
			return fault
		}
		return storageproxy.None
	}, "QueueEndpoint")
	a := newWhyApp(t, nil, &storage)
	u := a.upload("a.csv", "a\n1\n", "")
	a.await(u, "queue_unavailable")
	a.want(u, "queue_unavailable, by itself")
	<-faults
	faults <- http.StatusRequestEntityTooLarge
	await.Until(t, "the message is given up", func() bool {
		a.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() where status <> 'FAILED'`)
		a.h.Tick(t)
		return a.life(u).Now.Code == "message_refused"
	})
	l := a.want(u, "message_refused, by itself")
	if l.Now.NextStep == nil || l.Now.NextStep.Who != "operator" || l.Now.NextAt == nil {
		t.Fatalf("next: %+v", l.Now)
	}
	message, _ := strings.CutPrefix(l.Now.NextStep.Command, "sheetdrop redrive ")
	<-faults
	faults <- storageproxy.None
	a.send(http.MethodPost, "/api/outbox/"+message+"/redrive", "", http.StatusOK, nil)
	a.await(u, "worker")
	a.deliver(u, "completed")
}

// A file that is no table FAILs at once, and running it again would not help.
func TestWhyUnreadableFile(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.upload("a.csv", "%PDF-1.7\n", "")
	a.await(u, "worker")
	a.deliver(u, "failed")
	a.want(u, "failed unsupported_format, owner")
	a.wantLife(u, "accepted", "message_sent", "started", "failed")
}

// An undo is a task of its own, and the load's task says that it was undone.
func TestWhyUndo(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	a.send(http.MethodPost, "/api/targets", whyTarget, http.StatusCreated, nil)
	u := a.upload("a.csv", "id\n1\n", "&target=stock")
	a.await(u, "worker")
	a.deliver(u, "completed")
	load := pgtest.Query[string](t, a.Database, `select '/api/targets/' || target_id || '/loads/' || id || '/undo' from sheetdrop.target_load`)
	var asked struct{ ID uuid.UUID }
	a.send(http.MethodPost, load, "", http.StatusAccepted, &asked)
	undo := postgres.Upload{TaskID: asked.ID, MessageID: uuid.New()}
	a.await(undo, "worker")
	a.deliver(undo, "completed")
	a.wantLife(undo, "accepted", "message_sent", "started", "completed")
	a.wantLife(u, "accepted", "message_sent", "started", "loaded", "completed", "load_undone")
}

// An upload that refuses duplicates waits for another one of the same content. Until then there is no task; then there is one of the two.
func TestWhyDuplicateWaits(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	other := a.Begin(t)
	if _, err := other.Exec(t.Context(), `select pg_advisory_xact_lock(hashtextextended('content local ' || encode(sha256(convert_to(E'a\n1\n', 'UTF8')), 'hex'), 0))`); err != nil {
		t.Fatal(err)
	}
	taken := make(chan postgres.Upload, 1)
	go func() { taken <- a.upload("a.csv", "a\n1\n", "&duplicates=refuse") }()
	a.Database.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
	if tasks := pgtest.Query[int](t, a.Database, `select count(*) from sheetdrop.task`); tasks != 0 {
		t.Errorf("%d tasks, want 0", tasks)
	}
	if err := other.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	u := <-taken
	a.await(u, "worker")
	a.send(http.MethodPost, "/api/files?name=b.csv&duplicates=refuse", "a\n1\n", http.StatusConflict, nil)
	a.deliver(u, "completed")
}

// A deleted file takes its tasks along; what happened can be asked for while their rows are kept.
func TestWhyDeletedFile(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.AddFile(t, csv(1, 2))
	a.send(http.MethodDelete, "/api/files/"+u.File.ID.String(), "", http.StatusNoContent, nil)
	a.want(u, "deleted, by itself")
	a.wantLife(u, "accepted", "cancelled", "file_deleted")
}

// The timer does not run, so a message that nobody has nudged stays.
func TestWhyTimerStopped(t *testing.T) {
	a := newWhyApp(t, nil, nil)
	u := a.AddUpload(t)
	a.want(u, "relay, by itself")
	a.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '1 h'`)
	a.want(u, "timer_stopped, operator")
	a.h.Tick(t)
	a.await(u, "worker")
}
