package upload

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/upload-api/internal/problem"
)

func newTestAPIBehindProxy(t *testing.T, changes ...part) (*testAPI, *pgproxy.Proxy) {
	t.Helper()
	proxy := pgproxy.New(t, devtest.Database(t))
	return newTestAPI(t, append(changes, withDatabase(proxy.URL()))...), proxy
}

// P1: a response sent before COMMIT would promise a task that may never exist. No response is sent while COMMIT is in
// progress, and the file exists when it is sent.
func TestAnswerOnlyAfterCommit(t *testing.T) {
	t.Parallel()
	d, proxy := newTestAPIBehindProxy(t)
	d.upload("warm.csv", "w\n")
	held := proxy.HoldCommit()
	answered := make(chan FileAndTask, 1)
	go func() { answered <- d.upload("a.csv", "a\n1\n") }()
	d.untilLockAwaited()
	select {
	case taken := <-answered:
		t.Errorf("answered before COMMIT: %+v", taken)
	default:
	}
	held.Release()
	d.exactly(<-answered, "a\n1\n")
}

// The answer to COMMIT is lost, the look-up comes before the server has executed it, and the retried insert conflicts
// with the first one: it must not discard its own blob as that of another request.
func TestLostCommitTakesEffectLate(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string][]string{"without a key": nil, "with a key": {key}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newTestAPIBehindProxy(t)
			d.upload("warm.csv", "w\n")
			held := proxy.HoldCommit()
			answered := make(chan FileAndTask, 1)
			go func() { answered <- d.upload("a.csv", "a\n1\n", headers...) }()
			d.untilLockAwaited()
			held.Release()
			d.exactly(<-answered, "a\n1\n")
		})
	}
}

// untilLockAwaited returns when a second try waits for what the first one holds.
func (d *testAPI) untilLockAwaited() {
	d.t.Helper()
	d.until("a statement waits for a lock", func() bool {
		var waiting bool
		d.query(&waiting, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
		return waiting
	})
}

// P7: simply repeating a COMMIT whose answer was lost would insert the upload twice. The ids tell whether it took
// effect, with an idempotency key and without.
func TestUploadSurvivesALostCommitAnswer(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string][]string{"without a key": nil, "with a key": {key}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newTestAPIBehindProxy(t)
			d.upload("warm.csv", "w\n")
			proxy.CutAfterCommit(1)
			taken := d.upload("a.csv", "a\n1\n", headers...)
			d.exactly(taken, "a\n1\n")
		})
	}
}

// A connection that breaks before COMMIT has reached the server costs a try, not the upload.
func TestCutBeforeCommit(t *testing.T) {
	t.Parallel()
	d, proxy := newTestAPIBehindProxy(t)
	d.upload("warm.csv", "w\n")
	proxy.CutBeforeCommit(2)
	taken := d.upload("a.csv", "a\n1\n")
	d.exactly(taken, "a\n1\n")
}

// exactly checks that besides the first file this one exists, once, with everything that belongs to it, and that the
// relay was nudged.
func (d *testAPI) exactly(taken FileAndTask, content string) {
	d.t.Helper()
	for _, table := range []string{"source_file", "task", "outbox_message"} {
		if n := d.count(table); n != 2 {
			d.t.Errorf("%d rows in %s, want 2", n, table)
		}
	}
	if got := string(d.blob(taken.File.ID)); got != content {
		d.t.Errorf("the blob is %q", got)
	}
	if n := len(d.nudges()); n != 2 {
		d.t.Errorf("%d nudges, want 2", n)
	}
}

// An upload that ends long after its blob was named is rejected: the blob may be about to be deleted as an orphan. The
// age is by the database's clock.
func TestUploadTooSlow(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.receiver.MaxAge = 0 }))
	d.post("/api/files?name=a.csv", "a\n1\n").problem(problem.UploadTooSlow)
	d.post("/api/files?name=a.csv", "a\n1\n", key).problem(problem.UploadTooSlow)
	d.nothingLeft()
	for _, name := range d.blobNames() { // these are deleted as orphans later, by the day in their name
		var today string
		d.query(&today, `select to_char(now() at time zone 'UTC', 'YYYY/MM/DD/')`)
		if !strings.HasPrefix(name, today) {
			t.Errorf("blob %s is not in today's folder %s", name, today)
		}
	}
}

// P8: a blob's name is made of ids and the database's day alone, so that no name of a client can lead anywhere.
func TestNameIsNoPath(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("..%2F..%2Fetc%2Fpasswd", "a\n")
	if taken.File.Name != "../../etc/passwd" {
		t.Errorf("name %q", taken.File.Name)
	}
	if blobs := d.blobNames(); len(blobs) != 1 || strings.Contains(blobs[0], "passwd") || strings.Contains(blobs[0], "..") {
		t.Errorf("blobs %v", blobs)
	}
	content := d.get("/api/files/" + taken.File.ID.String() + "/content")
	if content.status != http.StatusOK {
		t.Errorf("content: %d", content.status)
	}
}
