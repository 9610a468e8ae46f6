package parse_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	parse "sheetdrop/parse-worker"
)

// faultyStorage is a worker that reads its files behind a proxy, which judges each request for a part of a blob behind its beginning.
func (f *fixture) faultyStorage(t *testing.T, judge func(*http.Request) storageproxy.Fault) *parse.Worker {
	t.Helper()
	through := f.Storage
	through.ConnectionString = storageproxy.Through(t, f.Storage.ConnectionString, func(r *http.Request) storageproxy.Fault {
		if asked := r.Header.Get("X-Ms-Range"); asked == "" || strings.HasPrefix(asked, "bytes=0-") {
			return storageproxy.None
		}
		return judge(r)
	}, "BlobEndpoint")
	return f.workerWith(t, usual, pgtest.Open(t, f.URL), open(t, through))
}

// A cancel takes effect while the run waits for a part of its file that does not come: it does not wait with it, nor ask for it again.
func TestCancelWhileTheFileStalls(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var (
		asked   sync.Map
		again   atomic.Bool
		stalled = make(chan struct{})
		once    sync.Once
	)
	w := f.faultyStorage(t, func(r *http.Request) storageproxy.Fault {
		if _, before := asked.LoadOrStore(r.Header.Get("X-Ms-Range"), true); before {
			again.Store(true)
		}
		once.Do(func() { close(stalled) })
		<-r.Context().Done()
		return storageproxy.Cut
	})
	u := f.upload(t, largeText(6_000)) // two blocks
	wait := start(t.Context(), w, u)
	<-stalled
	f.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "CANCELLED 1 0 0")
	if again.Load() {
		t.Error("what stalled was asked for again")
	}
}

// A cancel takes effect while the database does not take the rows.
func TestCancelWhileRowsAreNotTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, largeText(30_000))
	hold := f.Begin(t)
	if _, err := hold.Exec(t.Context(), `lock table sheetdrop.sheet_row in share mode`); err != nil {
		t.Fatal(err)
	}
	wait := start(t.Context(), f.worker(t, usual, ""), u)
	f.Await(t, lockAwaited)
	f.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
	if err := wait(); err != nil { // the lock is still held
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "CANCELLED 1 0 0")
}

// A file that is replaced in the store while it is read is FAILED: none of its rows is shown, and it is not tried again.
func TestFileThatChangesWhileItIsRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	text := largeText(30_000)
	u := f.upload(t, text)
	var replaced atomic.Bool
	w := f.faultyStorage(t, func(*http.Request) storageproxy.Fault {
		if replaced.CompareAndSwap(false, true) {
			f.replace(t, u, strings.ToUpper(text))
		}
		return storageproxy.None
	})
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 content_changed")
	f.wantRows(t)
}

// replace puts other bytes into the place of a file's.
func (f *fixture) replace(t *testing.T, u postgres.Upload, content string) {
	if err := f.Blobs.Delete(t.Context(), u.File.BlobName); err != nil {
		t.Error(err)
	}
	if err := f.Blobs.Upload(t.Context(), u.File.BlobName, strings.NewReader(content)); err != nil {
		t.Error(err)
	}
}
