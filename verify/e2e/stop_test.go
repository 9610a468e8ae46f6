package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// stopped is the exit code with which the host starts the handler again.
const stopped = 200

// beginUpload sends a file up to its last byte. The handler has begun to read it; end sends the rest. The channel gives the answer's
// status, or 0 where there is none.
func beginUpload(t *testing.T, h *e2e.Handler, content []byte) (end func(), status <-chan int) {
	t.Helper()
	body, sent := io.Pipe()
	begun, answered := make(chan struct{}), make(chan int, 1)
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(begun) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+"/api/files?name=list.csv", body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"text/csv"}, "Expect": {"100-continue"}, "Idempotency-Key": {uuid.NewString()}}
	go func() {
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			answered <- 0
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	<-begun
	last := len(content) - 1
	if _, err := sent.Write(content[:last]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sent.Close() })
	return func() {
		_, _ = sent.Write(content[last:])
		sent.Close()
	}, answered
}

// P1: an upload that is under way when the handler is told to stop, and is done soon, is answered and kept.
func TestToldToStopDuringAnUpload(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	handler := app.StartHandler(t, nil)
	end, status := beginUpload(t, handler, csv(10, 10))
	handler.TellToStop(t)
	end()
	if got := <-status; got != http.StatusAccepted {
		t.Errorf("the upload was answered with %d, want 202", got)
	}
	if code := handler.Exit(); code != stopped {
		t.Errorf("exit code %d, want %d", code, stopped)
	}
	app.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
	wantExactRows(t, app, 1, 10)
}

// P1: one that goes on for longer is broken off. Its caller is promised nothing, and nothing is kept.
func TestToldToStopDuringALongUpload(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	handler := app.StartHandler(t, nil)
	end, status := beginUpload(t, handler, csv(10, 10))
	handler.TellToStop(t)
	if code := handler.Exit(); code != stopped {
		t.Errorf("exit code %d, want %d", code, stopped)
	}
	end()
	if got := <-status; got == http.StatusAccepted {
		t.Error("the upload was answered with 202")
	}
	if n := pgtest.Query[int](t, app.Database, `select count(*) from sheetdrop.source_file`); n != 0 {
		t.Errorf("%d files are kept", n)
	}
	if names := app.BlobNames(t); len(names) != 0 {
		t.Errorf("blobs are kept: %v", names)
	}
}

// beside runs the app, and one more handler that comes to the storage through proxies.
func beside(t *testing.T, functions ...string) (app *e2e.App, handler *e2e.Handler, blobs, queue *faultproxy.Proxy) {
	t.Helper()
	direct := devtest.Storage(t)
	through, blobs, queue := faultproxy.Storage(t, direct)
	app = e2e.Start(t, e2e.Options{Storage: &direct, Functions: functions, Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}})
	return app, app.StartHandler(t, map[string]string{"DATA_STORAGE": through.ConnectionString}), blobs, queue
}

// P2: a handler that is told to stop while it sends messages writes down what came of them: none waits for the end of its lease.
func TestToldToStopWhileRelaying(t *testing.T) {
	t.Parallel()
	app, handler, _, queue := beside(t, "parse-worker")
	queue.Hang()
	const files = 20
	for i := range files {
		response, err := http.Post(fmt.Sprintf("%s/api/files?name=%d.csv", handler.URL, i), "text/csv", bytes.NewReader(csv(10, 10)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusAccepted {
			t.Fatalf("upload: %s", response.Status)
		}
	}
	app.Database.Await(t, `select count(*) filter (where status = 'PROCESSING') > 0 from sheetdrop.outbox_message`)
	handler.TellToStop(t)
	if code := handler.Exit(); code != stopped {
		t.Errorf("exit code %d, want %d", code, stopped)
	}
	if n := pgtest.Query[int](t, app.Database, `select count(*) from sheetdrop.outbox_message where status <> 'PENDING' or rejections > 0`); n != 0 {
		t.Errorf("%d messages wait for the end of a lease, or are blamed", n)
	}
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay"}})
	app.Database.Await(t, `select count(*) filter (where status <> 'COMPLETED') = 0 from sheetdrop.task`)
	wantExactRows(t, app, files, 10)
}

// P2: a small file's task, too, is returned at once where its run cannot end at once; nobody waits for its lease.
func TestToldToStopDuringASmallParse(t *testing.T) {
	t.Parallel()
	app, handler, blobs, _ := beside(t, "parse-worker", "outbox-relay")
	blobs.Hang()
	ended := handler.Deliver(t, app.AddFile(t, csv(10, 10)))
	app.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)
	handler.TellToStop(t)
	if status := <-ended; status != http.StatusOK {
		t.Errorf("the worker answered %d, want 200: the message is done with", status)
	}
	if code := handler.Exit(); code != stopped {
		t.Errorf("exit code %d, want %d", code, stopped)
	}
	app.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', attempt, crashes, faults) from sheetdrop.task`)
	if want := "2 0 1"; got != want {
		t.Errorf("attempt, crashes, faults: %s, want %s", got, want)
	}
	wantExactRows(t, app, 1, 10)
}
