package upload

import (
	"context"
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

// newWarmAPIBehindProxy has taken a file, so that connections are open and statements prepared.
func newWarmAPIBehindProxy(t *testing.T) (*testAPI, *pgproxy.Proxy) {
	t.Helper()
	d, proxy := newTestAPIBehindProxy(t)
	d.upload("warm.csv", "w\n")
	return d, proxy
}

// insertFile is part of the statement that writes an upload.
const insertFile = "insert into sheetdrop.source_file"

// commits are the two ways in which an upload is committed: by the statement that writes it, where nothing has to be checked behind that, and by
// COMMIT, where these options ask for a check.
var commits = map[string]struct {
	options   string
	cutBefore func(p *pgproxy.Proxy, n int)
	cutAfter  func(p *pgproxy.Proxy, n int)
	hold      func(d *testAPI, p *pgproxy.Proxy) (release func())
}{
	"by its statement": {
		cutBefore: func(p *pgproxy.Proxy, n int) { p.CutBeforeStatement(insertFile, n) },
		cutAfter:  func(p *pgproxy.Proxy, n int) { p.CutAfterStatement(insertFile, n) },
		hold:      func(d *testAPI, _ *pgproxy.Proxy) func() { return d.lock("outbox_message") },
	},
	"by COMMIT": {
		options:   "&duplicates=refuse",
		cutBefore: (*pgproxy.Proxy).CutBeforeCommit,
		cutAfter:  (*pgproxy.Proxy).CutAfterCommit,
		hold:      func(_ *testAPI, p *pgproxy.Proxy) func() { return p.HoldCommit().Release },
	},
}

var keys = map[string][]string{"without a key": nil, "with a key": {key}}

// P1: a response sent before COMMIT would promise a task that may never exist. No response is sent while COMMIT is in
// progress, and the file exists when it is sent.
func TestAnswerOnlyAfterCommit(t *testing.T) {
	t.Parallel()
	for name, c := range commits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newWarmAPIBehindProxy(t)
			release := c.hold(d, proxy)
			answered := make(chan FileAndTask, 1)
			go func() { answered <- d.upload("a.csv"+c.options, "a\n1\n") }()
			d.untilLockAwaited()
			select {
			case taken := <-answered:
				t.Errorf("answered before COMMIT: %+v", taken)
			default:
			}
			release()
			d.exactly(<-answered, "a\n1\n")
		})
	}
}

// lock keeps others from writing to a table until release is called.
func (d *testAPI) lock(table string) (release func()) {
	d.t.Helper()
	tx, err := d.sql.Begin(d.t.Context())
	if err == nil {
		_, err = tx.Exec(d.t.Context(), `lock table sheetdrop.`+table+` in share mode`)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(context.WithoutCancel(d.t.Context())); err != nil {
			d.t.Error(err)
		}
	}
}

// The answer to COMMIT is lost, the look-up comes before the server has executed it, and the retried insert conflicts
// with the first one: it must not discard its own blob as that of another request.
func TestLostCommitTakesEffectLate(t *testing.T) {
	t.Parallel()
	for name, headers := range keys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newWarmAPIBehindProxy(t)
			held := proxy.HoldCommit()
			answered := make(chan FileAndTask, 1)
			go func() { answered <- d.upload("a.csv"+commits["by COMMIT"].options, "a\n1\n", headers...) }()
			d.untilLockAwaited()
			held.Release()
			d.exactly(<-answered, "a\n1\n")
		})
	}
}

// The statement that writes an upload is lost, another try has written it, and then the server gets the first one after all.
func TestLostStatementTakesEffectLate(t *testing.T) {
	t.Parallel()
	for name, headers := range keys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newWarmAPIBehindProxy(t)
			held := proxy.HoldStatement(insertFile)
			taken := d.upload("a.csv", "a\n1\n", headers...)
			held.Release()
			d.exactly(taken, "a\n1\n")
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
	for name, c := range commits {
		for key, headers := range keys {
			t.Run(name+" "+key, func(t *testing.T) {
				t.Parallel()
				d, proxy := newWarmAPIBehindProxy(t)
				c.cutAfter(proxy, 1)
				taken := d.upload("a.csv"+c.options, "a\n1\n", headers...)
				d.exactly(taken, "a\n1\n")
			})
		}
	}
}

// A connection that breaks before COMMIT has reached the server costs a try, not the upload.
func TestCutBeforeCommit(t *testing.T) {
	t.Parallel()
	for name, c := range commits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := newWarmAPIBehindProxy(t)
			c.cutBefore(proxy, 2)
			taken := d.upload("a.csv"+c.options, "a\n1\n")
			d.exactly(taken, "a\n1\n")
		})
	}
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
