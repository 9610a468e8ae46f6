package upload

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/watch"
)

// follower reads a stream of events as a browser does.
type follower struct {
	t      *testing.T
	body   io.ReadCloser
	lines  *bufio.Reader
	lastID string
}

// told is one event.
type told struct {
	name string
	task watch.TaskEvent
}

func eventsPath(ids ...uuid.UUID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	return "/api/events?task=" + strings.Join(names, ",")
}

// follow opens a stream; headers come as "Name: value".
func (d *testAPI) follow(t *testing.T, path string, headers ...string) *follower {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	answer, err := d.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != watch.MediaType || answer.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	return &follower{t: t, body: answer.Body, lines: bufio.NewReader(answer.Body)}
}

// next returns the next event; false at the end of the stream.
func (f *follower) next() (e told, there bool) {
	f.t.Helper()
	for {
		line, err := f.lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return told{}, false
		}
		if err != nil {
			f.t.Fatal(err)
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			e.name = value
		case "id":
			f.lastID = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e.task); err != nil {
				f.t.Fatalf("data %q: %v", value, err)
			}
		case "":
			if value == "" && e.name != "" {
				return e, true
			}
		}
	}
}

// want reads the next event, which must be that one.
func (f *follower) want(name string, id uuid.UUID, status task.Status) told {
	f.t.Helper()
	e, there := f.next()
	if !there || e.name != name || e.task.ID != id || e.task.Status != status {
		f.t.Fatalf("got %+v (%v), want %s of %s %s", e, there, name, id, status)
	}
	return e
}

// wantEnd reads the last event, and the end of the stream behind it.
func (f *follower) wantEnd() {
	f.t.Helper()
	f.want("end", uuid.Nil, "")
	if e, there := f.next(); there {
		f.t.Fatalf("behind the end: %+v", e)
	}
}

// Who watches tasks sees each of them as it is, every change, and last of all that there is nothing more to come.
func TestEventsTellWhatBecomesOfTasks(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	a, b := d.upload("a.csv", "a\n").Task.ID, d.upload("b.csv", "b\n").Task.ID
	f := d.follow(t, eventsPath(a, b, a))
	f.want("task", a, task.Pending)
	f.want("task", b, task.Pending)
	d.exec(`update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = $1, locked_until = now() + interval '1 h',
progress = '{"bytes_total":2,"bytes_read":1,"rows_read":7,"rows_loaded":6,"rows_rejected":1}' where id = $2`, uuid.New(), a)
	if e := f.want("task", a, task.Processing); e.task.Progress.RowsRead != 7 || e.task.Progress.RowsRejected != 1 || e.task.StartedAt == nil {
		t.Errorf("a running task: %+v", e.task)
	}
	setStatus(d, b, task.Failed)
	if e := f.want("task", b, task.Failed); e.task.ErrorCode == "" {
		t.Errorf("a failed task: %+v", e.task)
	}
	setStatus(d, a, task.Cancelled)
	f.want("task", a, task.Cancelled)
	f.wantEnd()
	d.until("the place is free", func() bool { return d.waiting.underWay() == 0 })
}

// A broken connection loses nothing: the next stream has what has changed meanwhile, and not what the client has got. Who
// has got all of it is told not to come back.
func TestEventsGoOnBehindTheLastOne(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	a, b := d.upload("a.csv", "a\n").Task.ID, d.upload("b.csv", "b\n").Task.ID
	first := d.follow(t, eventsPath(a, b))
	first.want("task", a, task.Pending)
	first.want("task", b, task.Pending)
	first.body.Close()
	setStatus(d, b, task.Cancelled)

	second := d.follow(t, eventsPath(a, b), "Last-Event-ID: "+first.lastID)
	second.want("task", b, task.Cancelled)
	setStatus(d, a, task.Cancelled)
	second.want("task", a, task.Cancelled)
	beforeEnd := second.lastID
	second.wantEnd()

	if again := d.get(eventsPath(a, b), "Last-Event-ID: "+second.lastID); again.status != http.StatusNoContent {
		t.Errorf("all is known, and the answer is %d", again.status)
	}
	if again := d.get(eventsPath(a, b), "Last-Event-ID: "+beforeEnd); again.status != http.StatusNoContent {
		t.Errorf("all states are known, and the answer is %d", again.status)
	}
	for _, strange := range []string{"none", "AAAA", second.lastID + "A", strings.Repeat("x", 100_000)} {
		f := d.follow(t, eventsPath(a, b), "Last-Event-ID: "+strange) // what is no position is that of a new client
		f.want("task", a, task.Cancelled)
		f.want("task", b, task.Cancelled)
		f.wantEnd()
	}
}

// A stream is over before a host or a proxy breaks it off, and until then says now and then that it is alive.
func TestEventsEndInTime(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.watcher.Lifetime, h.watcher.Idle = time.Second, 10*time.Millisecond }))
	a := d.upload("a.csv", "a\n").Task.ID
	answer := d.get(eventsPath(a))
	if text := string(answer.body); !strings.HasPrefix(text, "retry: 1000\n\n") || !strings.Contains(text, "\n: alive\n\n") || strings.Contains(text, "event: end") {
		t.Errorf("a stream without news: %q", text)
	}
	d.until("the place is free", func() bool { return d.waiting.underWay() == 0 })
}

// Whoever watches a file that is deleted is told so, and is not left waiting.
func TestEventsOfADeletedFile(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	f := d.follow(t, eventsPath(taken.Task.ID))
	f.want("task", taken.Task.ID, task.Pending)
	d.change(http.MethodDelete, "/api/files/"+taken.File.ID.String()).noContent()
	f.want("gone", taken.Task.ID, "")
	f.wantEnd()
	d.get(eventsPath(taken.Task.ID)).problem(problem.NotFound)
}

// P8: a stream with one task of somebody else tells nothing, not even about the caller's own.
func TestEventsOfAnotherOwner(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob")
	anns, bobs := d.upload("a.csv", "a\n", ann).Task.ID, d.upload("b.csv", "b\n", bob).Task.ID
	d.get(eventsPath(anns), bob).problem(problem.NotFound)
	d.get(eventsPath(bobs, anns), bob).problem(problem.NotFound)
	d.get(eventsPath(uuid.New()), bob).problem(problem.NotFound)
	d.get("/api/events", bob).problem(problem.InvalidParameter)
	d.get("/api/events?task=x", bob).problem(problem.InvalidParameter)
	d.get(eventsPath(make([]uuid.UUID, watch.MaxTasks+1)...), bob).problem(problem.InvalidParameter)
	if n := d.waiting.underWay(); n != 0 {
		t.Errorf("%d places are held by what was refused", n)
	}
}

// P9: streams have places, of which one owner leaves some to others, and another owner's events come all the same.
func TestOneOwnersStreamsLeavePlacesForOthers(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withHandler(func(h *Handler) { h.waiting.size = 4 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	anns, bobs := d.upload("a.csv", "a\n", ann).Task.ID, d.upload("b.csv", "b\n", bob).Task.ID
	first := d.follow(t, eventsPath(anns), ann)
	second := d.follow(t, eventsPath(anns), ann)
	d.get(eventsPath(anns), ann).triesAgain(problem.TooManyAtOnce)
	others := d.follow(t, eventsPath(bobs), bob)
	others.want("task", bobs, task.Pending)
	setStatus(d, bobs, task.Cancelled)
	others.want("task", bobs, task.Cancelled)
	others.wantEnd()
	first.body.Close()
	second.body.Close()
	d.until("the places are free", func() bool { return d.waiting.underWay() == 0 })
}

// P9: streams keep no connection of the database, however many there are, and clients that read nothing keep their places
// no longer than a stream lasts.
func TestSlowReadersOfEvents(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.watcher.Lifetime = time.Hour }))
	const streams = 40 // five times the connections of the pool
	taken := d.upload("a.csv", "a\n")
	for range streams {
		d.silent(t, taken.Task.ID)
	}
	d.until("all have begun", func() bool { return d.waiting.underWay() == streams })
	d.get("/api/files/"+taken.File.ID.String()).into(http.StatusOK, &FileDetail{})
	setStatus(d, taken.Task.ID, task.Failed)
	d.until("all have ended", func() bool { return d.waiting.underWay() == 0 })

	other := newTestAPI(t, withDatabase(d.sql.Config().ConnString()), withStorage(d.storage), withHandler(func(h *Handler) { h.watcher.Lifetime = time.Second }))
	waits := other.upload("b.csv", "b\n").Task.ID
	conn := other.silent(t, waits)
	first := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(conn, first); err != nil || !strings.HasSuffix(string(first), " 200") {
		t.Fatalf("answered %q, %v", first, err)
	}
	other.until("its place is free", func() bool { return other.waiting.underWay() == 0 })
}

// silent opens a stream and reads nothing of it.
func (d *testAPI) silent(t *testing.T, id uuid.UUID) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", eventsPath(id))
	return conn
}

// Streams come and go at once without losing a change or leaving a poll behind.
func TestManyStreamsAtOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	a := d.upload("a.csv", "a\n").Task.ID
	var wait sync.WaitGroup
	for range 30 {
		wait.Go(func() {
			for range 3 {
				ctx, stop := context.WithCancel(t.Context())
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.server.URL+eventsPath(a), nil)
				if err != nil {
					t.Error(err)
				} else if answer, err := d.server.Client().Do(r); err != nil {
					t.Error(err)
				} else {
					answer.Body.Close()
				}
				stop()
			}
			f := d.follow(t, eventsPath(a))
			for e, there := f.next(); ; e, there = f.next() {
				if !there || e.name == "end" {
					break
				}
			}
		})
	}
	d.until("streams are open", func() bool { return d.waiting.underWay() >= 30 })
	setStatus(d, a, task.Cancelled)
	wait.Wait()
	d.until("the places are free", func() bool { return d.waiting.underWay() == 0 })
}
