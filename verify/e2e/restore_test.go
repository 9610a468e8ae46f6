package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

const (
	lostName = "失われた.csv"
	lostRows = 10 // of each file
)

// restored is an app whose database was restored to an earlier moment, and what it had answered since.
type restored struct {
	*e2e.App
	relay   *e2e.Handler
	lost    []accepted // uploads that the database does not know any more
	log     devtest.Log
	program string // sheetdrop itself
}

// accepted is the answer to an upload.
type accepted struct {
	File struct{ ID uuid.UUID }
	Task struct{ ID uuid.UUID }
}

// restore lets an app accept a file, then some more, and goes on with the database as it was before those.
func restore(t *testing.T, lost int) *restored {
	t.Helper()
	before := e2e.Prepare(t, e2e.Options{})
	handler := before.StartHandler(t, nil)
	upload(t, handler, "kept.csv", asCSV(""))
	before.Database.Await(t, `select not exists (select from sheetdrop.outbox_message)`)
	handler.Tick(t)
	db := before.Database.Copy(t)
	setClock(t, db, 0, "00:00")
	db.Exec(t, `update clock.error set ahead = '0'`)
	r := &restored{program: filepath.Join(t.TempDir(), "sheetdrop")}
	for n := range lost {
		r.lost = append(r.lost, upload(t, handler, lostName, asCSV(strconv.Itoa(n))))
	}
	handler.Tick(t)
	handler.TellToStop(t)
	handler.Exit()

	o := e2e.Options{Database: db, Storage: &before.Storage, Functions: []string{"upload-api", "parse-worker"}, Output: &r.log, Errors: []string{`"alert":"database_restored"`},
		Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s", "RELAY_LEASE": "3s"}}
	r.App = e2e.Start(t, o)
	r.relay = r.StartHandler(t, nil)
	build := exec.CommandContext(t.Context(), "go", "build", "-o", r.program, "./cmd/sheetdrop")
	build.Dir = filepath.Join("..", "..")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the command line: %v\n%s", err, output)
	}
	return r
}

// asCSV are the headers of an upload, with an idempotency key if it is not "".
func asCSV(key string) http.Header {
	header := http.Header{"Content-Type": {"text/csv"}}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	return header
}

// upload sends a file until it is answered with something else than 503: the copy of a database ends its sessions.
func upload(t *testing.T, h *e2e.Handler, name string, header http.Header) accepted {
	t.Helper()
	for {
		status, answer := tryUpload(t, h, name, header)
		switch status {
		case http.StatusServiceUnavailable:
		case http.StatusAccepted:
			return answer
		default:
			t.Fatalf("upload: %d", status)
		}
	}
}

func tryUpload(t *testing.T, h *e2e.Handler, name string, header http.Header) (status int, answer accepted) {
	t.Helper()
	address := h.URL + "/api/files?delimiter=comma&name=" + url.QueryEscape(name)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(csv(lostRows, 10)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// recover calls `sheetdrop recover` at an address, and returns what it prints and whether it ended well.
func (r *restored) recover(ctx context.Context, t *testing.T, address string, args ...string) (string, bool) {
	t.Helper()
	command := exec.CommandContext(ctx, r.program, append([]string{"recover", "--url", address}, args...)...)
	output, err := command.CombinedOutput()
	return string(output), err == nil
}

// wantAll checks that the rows of all lost files are there once, under the ids that their uploads were answered with.
func (r *restored) wantAll(t *testing.T) {
	t.Helper()
	r.Database.Await(t, `select count(*) filter (where status <> 'COMPLETED') = 0 and count(*) = $1 from sheetdrop.task`, len(r.lost)+1)
	wantExactRows(t, r.App, len(r.lost)+1, lostRows)
	for _, l := range r.lost {
		facts := pgtest.Query[string](t, r.Database, `select concat_ws(' ', f.owner, f.size_bytes, left(f.name, 4), f.media_type, t.options->>'delimiter')
from sheetdrop.source_file f join sheetdrop.task t on t.source_file_id = f.id where f.id = $1 and t.id = $2`, l.File.ID, l.Task.ID)
		if want := "local 138 失われた text/csv ,"; facts != want {
			t.Errorf("file %s: %s, want %s", l.File.ID, facts, want)
		}
	}
}

// P1: the database is restored to an earlier moment. The relay notices it, alerts, and deletes no blob, however long nobody does anything;
// an operator makes the lost files again, each once; from then on real orphans are deleted again.
func TestRestoredDatabaseLosesNoUpload(t *testing.T) {
	t.Parallel()
	r := restore(t, 5)
	store, _ := r.Stores(t)
	orphan := "2020/01/01/" + uuid.NewString()
	if err := store.Upload(t.Context(), orphan, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	for day := range 4 {
		if day > 0 {
			setClock(t, r.Database, day, "23:59")
		}
		r.relay.Tick(t)
		if left := r.BlobNames(t); len(left) != 7 {
			t.Fatalf("after %d days left are %d blobs, want all 7: %v", day, len(left), left)
		}
	}
	if n := strings.Count(r.log.String(), `"alert":"database_restored"`); n != 4 {
		t.Errorf("%d alerts, want one in each run", n)
	}

	api := r.Host.URL() + "/api"
	if said, ok := r.recover(t.Context(), t, api); !ok || !strings.HasSuffix(said, "5 lost\n") {
		t.Errorf("the list: %s", said)
	}
	for _, want := range []string{"5 recovered\n", "0 recovered\n"} {
		if said, ok := r.recover(t.Context(), t, api, "--all"); !ok || said != want {
			t.Errorf("recover: %s, want %s", said, want)
		}
	}
	r.wantAll(t)
	if said, ok := r.recover(t.Context(), t, api, "--end"); !ok {
		t.Errorf("end: %s", said)
	}
	r.relay.Tick(t)
	if left := r.BlobNames(t); len(left) != 6 || slices.Contains(left, orphan) {
		t.Errorf("left are %v, want the files' 6", left)
	}
	if said, ok := r.recover(t.Context(), t, api); ok || !strings.Contains(said, "no_recovery") {
		t.Errorf("then: %s", said)
	}
	r.relay.Tick(t)
	if n := strings.Count(r.log.String(), `"alert":"database_restored"`); n != 4 {
		t.Errorf("%d alerts once it has ended, want no more", n)
	}
}

// P1, P3: the command, or the handler, is killed while files are recovered, and two operators are at it at once. Each file is there once.
func TestKilledWhileRecovering(t *testing.T) {
	t.Parallel()
	r := restore(t, 5)
	r.relay.Tick(t)
	target, err := url.Parse(r.Host.URL())
	if err != nil {
		t.Fatal(err)
	}
	ctx, killCommand := context.WithCancel(t.Context())
	defer killCommand()
	var files atomic.Int32
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(target) },
		ModifyResponse: func(answer *http.Response) error {
			if strings.HasSuffix(answer.Request.URL.Path, "/recovery/files") && files.Add(1) == 2 {
				killCommand() // done, and not answered
			}
			return nil
		},
	})
	defer proxy.Close()
	if said, ok := r.recover(ctx, t, proxy.URL+"/api", "--all"); ok {
		t.Fatalf("the command was not killed: %s", said)
	}
	if n := pgtest.Query[int](t, r.Database, `select count(*) from sheetdrop.source_file`); n != 3 {
		t.Fatalf("%d files, want the one that was kept and two", n)
	}
	kill(t, r.App)
	r.StartHost(t, e2e.Options{Functions: []string{"outbox-relay"}}) // for the messages that the handler had taken
	address := r.Host.URL() + "/api"
	second := make(chan string, 1)
	go func() {
		said, _ := r.recover(t.Context(), t, address, "--all")
		second <- said
	}()
	first, _ := r.recover(t.Context(), t, address, "--all")
	t.Logf("%s%s", first, <-second)
	for { // what the handler's death had refused
		if said, ok := r.recover(t.Context(), t, address, "--all"); ok && said == "0 recovered\n" {
			break
		}
	}
	r.wantAll(t)
}

// An owner who has sent a lost upload again, under its key, does not get it twice; the operator hears of it.
func TestLostUploadThatWasSentAgain(t *testing.T) {
	t.Parallel()
	r := restore(t, 2)
	r.relay.Tick(t)
	again := upload(t, r.relay, lostName, asCSV("0"))
	said, ok := r.recover(t.Context(), t, r.Host.URL()+"/api", "--all")
	if ok || !strings.Contains(said, "uploaded_again") || !strings.Contains(said, "1 recovered\n") {
		t.Errorf("recover: %s", said)
	}
	r.lost[0] = again
	r.wantAll(t)
}

// An operator begins the recovery after a restore that the relay has not noticed, and names the blobs to recover.
func TestRestoreThatWasNotNoticed(t *testing.T) {
	t.Parallel()
	r := restore(t, 1)
	address := r.Host.URL() + "/api"
	if said, ok := r.recover(t.Context(), t, address); ok || !strings.Contains(said, "no_recovery") {
		t.Errorf("the list: %s", said)
	}
	moment := pgtest.Query[string](t, r.Database, `select to_char((now() - interval '1 min') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)
	if said, ok := r.recover(t.Context(), t, address, "--begin", moment); !ok {
		t.Fatalf("begin: %s", said)
	}
	blob := slices.DeleteFunc(r.BlobNames(t), func(name string) bool { return !strings.HasSuffix(name, r.lost[0].File.ID.String()) })[0]
	if said, ok := r.recover(t.Context(), t, address); !ok || !strings.HasPrefix(said, blob+"\t") || !strings.HasSuffix(said, "\n1 lost\n") {
		t.Errorf("the list: %s", said)
	}
	if said, ok := r.recover(t.Context(), t, address, blob, "2026/01/01/none"); ok || !strings.Contains(said, "1 recovered\n") || !strings.Contains(said, "not_found") {
		t.Errorf("by name: %s", said)
	}
	r.wantAll(t)
	for _, args := range [][]string{{"--all", "--end"}, {"--all", blob}, {"--begin", "yesterday"}} {
		if said, ok := r.recover(t.Context(), t, address, args...); ok {
			t.Errorf("%v: %s", args, said)
		}
	}
}
