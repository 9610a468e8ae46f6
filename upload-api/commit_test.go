package upload

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/upload-api/internal/problem"
)

func openDoorBehindProxy(t *testing.T, changes ...part) (*door, *pgproxy.Proxy) {
	t.Helper()
	proxy := pgproxy.New(t, devtest.Database(t))
	return openDoor(t, append(changes, withDatabase(proxy.URL()))...), proxy
}

// P1, fault 3 of system A: there the answer left before COMMIT, for a task that then did not exist. Here none is given for as long as
// COMMIT is on its way, and the file is there when it is given.
func TestFaultA3_AnswerOnlyAfterCommit(t *testing.T) {
	t.Parallel()
	d, proxy := openDoorBehindProxy(t)
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

// D17: the answer to COMMIT is lost, the look-up comes before the server has executed it, and the insert that is tried again loses
// against itself: it must not take its own blob for a loser's.
func TestD17_LostCommitTakesEffectLate(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string][]string{"without a key": nil, "with a key": {key}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := openDoorBehindProxy(t)
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
func (d *door) untilLockAwaited() {
	d.t.Helper()
	d.until("a statement waits for a lock", func() bool {
		var waiting bool
		d.query(&waiting, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
		return waiting
	})
}

// P7, fault of system E: there a COMMIT whose answer was lost is repeated and inserts twice. Here the ids tell, with a key and without.
func TestFaultE2_LostCommitAnswer(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string][]string{"without a key": nil, "with a key": {key}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, proxy := openDoorBehindProxy(t)
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
	d, proxy := openDoorBehindProxy(t)
	d.upload("warm.csv", "w\n")
	proxy.CutBeforeCommit(2)
	taken := d.upload("a.csv", "a\n1\n")
	d.exactly(taken, "a\n1\n")
}

// exactly checks that beside the one that warmed up there is this file, once, with all that belongs to it, and the relay was told.
func (d *door) exactly(taken FileAndTask, content string) {
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

// D13: an upload that ends long after its blob was named is refused: the sweep for orphan blobs may be about to delete the blob. The age
// is by the database's clock.
func TestD13_UploadTooSlow(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withHandler(func(h *Handler) { h.receiver.MaxAge = 0 }))
	d.post("/api/files?name=a.csv", "a\n1\n").problem(problem.UploadTooSlow)
	d.post("/api/files?name=a.csv", "a\n1\n", key).problem(problem.UploadTooSlow)
	d.nothingLeft()
	for _, name := range d.blobNames() { // left to the sweep, which knows orphans by the day in their name
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
	d := openDoor(t)
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
