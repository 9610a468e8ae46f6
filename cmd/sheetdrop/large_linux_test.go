package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
)

// A large file goes straight to the store and becomes one file, whatever it meets on its way; what is stored of it is not sent again.
func TestLargeUpload(t *testing.T) {
	t.Parallel()
	running, queryAlone := runLocal(t)
	var one sync.Mutex // connection
	query := func(sql string, args ...any) string {
		one.Lock()
		defer one.Unlock()
		return queryAlone(sql, args...)
	}
	for name, test := range map[string]func(*network){
		"arrives":                           (*network).arrives,
		"is resumed after Ctrl+C":           (*network).isResumedAfterCtrlC,
		"is resumed after a kill":           (*network).isResumedAfterAKill,
		"is resumed after a lost network":   (*network).isResumedAfterALostNetwork,
		"goes on when the network returns":  (*network).goesOnWhenTheNetworkReturns,
		"outlives its address":              (*network).outlivesItsAddress,
		"is completed once":                 (*network).isCompletedOnce,
		"is completed once by two runs":     (*network).isCompletedOnceByTwoRuns,
		"is one file of two that resume":    (*network).isOneFileOfTwoThatResume,
		"is sent once by two that resume":   (*network).isSentOnceByTwoThatResume,
		"changed after it was broken off":   (*network).changedAfterItWasBrokenOff,
		"changed while it is sent":          (*network).changedWhileItIsSent,
		"has expired when it is resumed":    (*network).hasExpiredWhenItIsResumed,
		"is resumed without any upload":     (*network).isResumedWithoutAnyUpload,
		"is not kept where nothing can be":  (*network).isNotKeptWhereNothingCanBe,
		"is small and takes one request":    (*network).isSmallAndTakesOneRequest,
		"does not take memory for its size": (*network).doesNotTakeMemoryForItsSize,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newNetwork(t, running, query))
		})
	}
	t.Run("is put by a page", func(t *testing.T) { testPage(t, running) })
}

// network is between the command line and a running sheetdrop with its store, and can be broken. The API that it leads to names a store that is
// behind it, too.
type network struct {
	*testing.T
	url   string // of the API
	cache string // the user's cache folder
	file  string // a CSV file of a name of its own
	query func(sql string, args ...any) string

	mu    sync.Mutex
	sent  map[string]int                                 // Put Block requests by block id
	store func(block string, try int) storageproxy.Fault // what happens to each
	api   func(*http.Request) storageproxy.Fault
	held  chan struct{} // until it is closed
}

func newNetwork(t *testing.T, running instance.Addresses, query func(string, ...any) string) *network {
	t.Helper()
	n := &network{T: t, cache: t.TempDir(), query: query, sent: map[string]int{}}
	n.repair()
	n.file = filepath.Join(t.TempDir(), "one's folder", strings.ReplaceAll(t.Name(), "/", " ")+".csv")
	store := storageproxy.New(t, running.BlobURL, n.judgeStore)
	api := forward(t, running.APIURL, running.BlobURL, store)
	n.url = storageproxy.New(t, api, func(r *http.Request) storageproxy.Fault {
		n.mu.Lock()
		judge := n.api
		n.mu.Unlock()
		return judge(r)
	})
	return n
}

// forward leads to the API, and replaces an address in what it answers.
func forward(t *testing.T, api, from, to string) string {
	t.Helper()
	target, err := url.Parse(api)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host },
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			body = bytes.ReplaceAll(body, []byte(from), []byte(to))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", fmt.Sprint(len(body)))
			return err
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

func (n *network) judgeStore(r *http.Request) storageproxy.Fault {
	block := r.URL.Query().Get("blockid")
	n.mu.Lock()
	n.sent[block]++
	judge, try, held := n.store, n.sent[block], n.held
	n.mu.Unlock()
	fault := judge(block, try)
	if fault == hold {
		_, _ = io.Copy(io.Discard, r.Body) // only then the end of the connection is noticed
		select {
		case <-r.Context().Done():
		case <-held:
		}
		return storageproxy.Cut
	}
	return fault
}

// hold is the fault of a request that is not answered until the network changes.
const hold storageproxy.Fault = -1

// The ids of the first two blocks.
const block0, block1 = "MDAwMDAwMDAwMDAw", "MDAwMDAwMDAwMDAx"

// holdAfterTwo lets the first two blocks through and holds the others.
func (n *network) holdAfterTwo() {
	n.set(func(block string, _ int) storageproxy.Fault {
		if block == block0 || block == block1 {
			return storageproxy.None
		}
		return hold
	}, whole)
}

func whole(*http.Request) storageproxy.Fault { return storageproxy.None }

func (n *network) set(store func(string, int) storageproxy.Fault, api func(*http.Request) storageproxy.Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.held != nil {
		close(n.held)
	}
	n.store, n.api, n.held = store, api, make(chan struct{})
}

func (n *network) repair() {
	n.set(func(string, int) storageproxy.Fault { return storageproxy.None }, whole)
}

// write writes a CSV file of so many MiB, and returns the number of its rows. It is as sheetdrop writes CSV.
func (n *network) write(mib int) (rows int) {
	n.Helper()
	var content bytes.Buffer
	fmt.Fprintf(&content, "number,%s\r\n", n.name())
	for ; content.Len() < mib<<20; rows++ {
		fmt.Fprintf(&content, "%d,%s\r\n", rows+1, strings.Repeat(fmt.Sprint("text", rows), 200))
	}
	write(n.T, n.file, content.String())
	return rows
}

// upload starts an upload of the file.
func (n *network) upload(flags ...string) *program {
	n.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"upload", "--url", n.url, n.file}, flags...)...)
	cmd.Env = []string{"XDG_CACHE_HOME=" + n.cache}
	return startCommand(n.T, cmd, "")
}

// breakOff starts an upload that has stored two blocks and gets no further.
func (n *network) breakOff(flags ...string) *program {
	n.Helper()
	n.holdAfterTwo()
	p := n.upload(flags...)
	await.Until(n, "two blocks are stored", func() bool {
		id := n.query(`select coalesce(max(id::text), '') from sheetdrop.upload where name = $1 and status = 'OPEN'`, n.name())
		return id != "" && strings.Contains(n.get("/uploads/"+id), `"stored":[{"first":0,"last":1}]`)
	})
	return p
}

// breakOffByAKill starts such an upload, and kills the program.
func (n *network) breakOffByAKill() {
	n.Helper()
	p := n.breakOff()
	kill(n.T, p.Process.Pid, syscall.SIGKILL)
	p.end()
}

func (n *network) name() string { return filepath.Base(n.file) }

func (n *network) get(path string) string {
	n.Helper()
	answer, err := http.Get(n.url + path)
	if err != nil {
		n.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		n.Fatal(err)
	}
	return string(body)
}

// followHint runs the command that a program has printed to go on.
func (n *network) followHint(p *program) *program {
	n.Helper()
	_, hint, found := strings.Cut(p.progress.String(), "To go on:\n  ")
	hint, _, _ = strings.Cut(hint, "\n")
	if !found || !strings.Contains(hint, "sheetdrop upload --resume ") {
		n.Fatalf("nobody says how to go on: %s", p.progress)
	}
	bin := n.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "sheetdrop"))
	}
	if err != nil {
		n.Fatal(err)
	}
	shell := exec.Command("bash", "-c", hint)
	shell.Env = []string{"XDG_CACHE_HOME=" + n.cache}
	return startCommand(n.T, shell, bin)
}

// loaded fails the test unless the program has ended with all rows loaded, of the one file that there is.
func (n *network) loaded(p *program, rows int) {
	n.Helper()
	if status := p.end(); status != 0 {
		n.Errorf("exit status %d", status)
	}
	want(n.T, p.out.String(), fmt.Sprintf("%s: %d rows loaded, 0 rejected\n", n.name(), rows))
	n.isOneFile()
}

// isOneFile fails the test unless the file is there once, with each byte and each row, and nothing is kept to go on with.
func (n *network) isOneFile() {
	n.Helper()
	if files := n.query(`select count(*)::text from sheetdrop.source_file where name = $1`, n.name()); files != "1" {
		n.Errorf("%s files", files)
	}
	task := n.query(`select max(t.id::text) from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where f.name = $1`, n.name())
	content, err := os.ReadFile(n.file)
	if err != nil {
		n.Fatal(err)
	}
	if rows := n.get("/tasks/" + task + "/sheets/1/rows?format=csv"); strings.TrimPrefix(rows, "\ufeff") != string(content) {
		n.Errorf("the rows are not those of the file: %d bytes as CSV, want %d", len(rows), len(content))
	}
	if left, err := os.ReadDir(filepath.Join(n.cache, "sheetdrop", "uploads")); err == nil && len(left) > 0 {
		n.Errorf("%s is left", left[0].Name())
	}
}

// notSentAgain fails the test if one of the first two blocks was sent more than once.
func (n *network) notSentAgain() {
	n.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sent[block0] != 1 || n.sent[block1] != 1 {
		n.Errorf("sent were %v", n.sent)
	}
}

func (n *network) arrives() {
	rows := n.write(20)
	n.loaded(n.upload(), rows)
	if len(n.sent) != 3 {
		n.Errorf("sent were %v", n.sent)
	}
}

func (n *network) isResumedAfterCtrlC() {
	rows := n.write(40)
	p := n.breakOff()
	kill(n.T, p.Process.Pid, syscall.SIGINT)
	if status := p.end(); status != 130 {
		n.Errorf("exit status %d", status)
	}
	// It counts the blocks whose answers it has read, which the last one's may not be yet.
	want(n.T, strings.Replace(p.progress.String(), "; 19 %", "; 39 %", 1), "broken off; 39 % is stored, and kept until ")
	n.repair()
	resumed := n.followHint(p)
	n.loaded(resumed, rows)
	want(n.T, resumed.progress.String(), "39 % is stored already")
	n.notSentAgain()
}

func (n *network) isResumedAfterAKill() {
	rows := n.write(20)
	n.breakOffByAKill()
	entries, err := os.ReadDir(filepath.Join(n.cache, "sheetdrop", "uploads"))
	if err != nil || len(entries) != 1 {
		n.Fatalf("%v %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		n.Errorf("others can read %s (%v)", entries[0], err)
	}
	kept, err := os.ReadFile(filepath.Join(n.cache, "sheetdrop", "uploads", entries[0].Name()))
	if err != nil || bytes.Contains(kept, []byte("sig")) || bytes.Contains(kept, []byte("http")) {
		n.Errorf("an address is kept: %s (%v)", kept, err)
	}
	n.repair()
	n.loaded(n.upload("--resume"), rows)
	n.notSentAgain()
}

func (n *network) isResumedAfterALostNetwork() {
	rows := n.write(20)
	p := n.breakOff("--retry-for", "1s")
	cut := func(*http.Request) storageproxy.Fault { return storageproxy.Cut }
	n.set(func(string, int) storageproxy.Fault { return storageproxy.Cut }, cut)
	if status := p.end(); status != 1 {
		n.Errorf("exit status %d", status)
	}
	want(n.T, p.out.String(), "not taken: ")
	n.repair()
	n.loaded(n.followHint(p), rows)
	n.notSentAgain()
}

func (n *network) goesOnWhenTheNetworkReturns() {
	rows := n.write(20)
	var asked atomic.Int32
	n.set(func(_ string, try int) storageproxy.Fault {
		if try <= 2 {
			return storageproxy.Cut
		}
		return storageproxy.None
	}, func(r *http.Request) storageproxy.Fault {
		if strings.HasPrefix(r.URL.Path, "/api/uploads") && asked.Add(1)%2 == 1 {
			return storageproxy.Cut
		}
		return storageproxy.None
	})
	p := n.upload()
	n.loaded(p, rows)
	want(n.T, p.progress.String(), "trying again for 2m0s")
}

func (n *network) outlivesItsAddress() {
	rows := n.write(20)
	var renewed atomic.Int32
	n.set(func(_ string, try int) storageproxy.Fault {
		if try == 1 {
			return http.StatusForbidden
		}
		return storageproxy.None
	}, func(r *http.Request) storageproxy.Fault {
		if strings.HasSuffix(r.URL.Path, "/sas") {
			renewed.Add(1)
		}
		return storageproxy.None
	})
	n.loaded(n.upload(), rows)
	if renewed.Load() == 0 {
		n.Error("no other address was asked for")
	}
}

func (n *network) isCompletedOnce() {
	rows := n.write(20)
	var completed atomic.Int32
	n.set(n.store, func(r *http.Request) storageproxy.Fault {
		if strings.HasSuffix(r.URL.Path, "/complete") && completed.Add(1) <= 2 {
			return storageproxy.LostAnswer
		}
		return storageproxy.None
	})
	n.loaded(n.upload(), rows)
	if completed.Load() != 3 {
		n.Errorf("completed %d times", completed.Load())
	}
}

func (n *network) isCompletedOnceByTwoRuns() {
	rows := n.write(20)
	n.set(n.store, func(r *http.Request) storageproxy.Fault {
		if strings.HasSuffix(r.URL.Path, "/complete") {
			return storageproxy.LostAnswer
		}
		return storageproxy.None
	})
	p := n.upload()
	await.Until(n, "the upload is completed", func() bool {
		return n.query(`select count(*)::text from sheetdrop.upload where name = $1 and status = 'COMPLETED'`, n.name()) == "1"
	})
	kill(n.T, p.Process.Pid, syscall.SIGKILL)
	p.end()
	n.repair()
	n.loaded(n.upload("--resume"), rows)
}

func (n *network) isSentOnceByTwoThatResume() {
	rows := n.write(20)
	n.breakOffByAKill()
	var found atomic.Bool
	asks, completed := make(chan struct{}), make(chan struct{})
	n.set(func(string, int) storageproxy.Fault { return storageproxy.None }, func(r *http.Request) storageproxy.Fault {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/api/uploads/") && !found.Swap(true) {
			close(asks)
			<-completed
		}
		return storageproxy.None
	})
	late := n.upload("--resume")
	<-asks
	n.loaded(n.upload("--resume"), rows)
	close(completed)
	n.loaded(late, rows)
	n.notSentAgain()
}

func (n *network) isOneFileOfTwoThatResume() {
	rows := n.write(20)
	n.breakOffByAKill()
	var begun atomic.Int32
	both := make(chan struct{})
	n.set(func(string, int) storageproxy.Fault { return storageproxy.None }, func(r *http.Request) storageproxy.Fault {
		if r.Method == http.MethodPost && r.URL.Path == "/api/uploads" {
			if begun.Add(1) == 2 {
				close(both)
			}
			<-both
		}
		return storageproxy.None
	})
	first, second := n.upload("--resume"), n.upload("--resume")
	n.loaded(first, rows)
	n.loaded(second, rows)
	n.notSentAgain()
}

func (n *network) changedAfterItWasBrokenOff() {
	rows := n.write(20)
	n.breakOffByAKill()
	n.repair()
	n.addRow(rows + 1)
	p := n.upload("--resume")
	n.loaded(p, rows+1)
	want(n.T, p.progress.String(), "it has changed since its upload was broken off; the upload starts anew")
	if open := n.query(`select count(*)::text from sheetdrop.upload where name = $1 and status = 'OPEN'`, n.name()); open != "0" {
		n.Errorf("%s uploads are open", open)
	}
}

func (n *network) changedWhileItIsSent() {
	rows := n.write(20)
	p := n.breakOff()
	n.addRow(rows + 1)
	n.repair()
	if status := p.end(); status != 1 {
		n.Errorf("exit status %d", status)
	}
	want(n.T, p.out.String(), "not taken: it was changed while it was uploaded; upload it again")
	if files := n.query(`select count(*)::text from sheetdrop.source_file where name = $1`, n.name()); files != "0" {
		n.Errorf("%s files", files)
	}
	n.loaded(n.upload(), rows+1)
}

func (n *network) addRow(number int) {
	n.Helper()
	file, err := os.OpenFile(n.file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(file, "%d,added\r\n", number)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		n.Fatal(err)
	}
}

func (n *network) hasExpiredWhenItIsResumed() {
	rows := n.write(20)
	n.breakOffByAKill()
	n.repair()
	n.query(`update sheetdrop.upload set expires_at = now() where name = $1 returning ''`, n.name())
	p := n.upload("--resume")
	n.loaded(p, rows)
	want(n.T, p.progress.String(), "what was stored of it is gone, as it is after a day; the upload starts anew")
}

func (n *network) isResumedWithoutAnyUpload() {
	rows := n.write(20)
	p := n.upload("--resume")
	n.loaded(p, rows)
	want(n.T, p.progress.String(), "was broken off here; it starts anew")
}

func (n *network) isNotKeptWhereNothingCanBe() {
	rows := n.write(20)
	n.cache = n.file // which is no folder
	p := n.upload()
	n.loaded(p, rows)
	want(n.T, p.progress.String(), "if the upload is broken off, it will have to start anew: ")
}

func (n *network) isSmallAndTakesOneRequest() {
	rows := n.write(3)
	n.loaded(n.upload(), rows)
	if uploads := n.query(`select count(*)::text from sheetdrop.upload where name = $1`, n.name()); uploads != "0" || len(n.sent) > 0 {
		n.Errorf("%s direct uploads", uploads)
	}
}

// P9: what the program needs does not grow with the file, nor with its blocks.
func (n *network) doesNotTakeMemoryForItsSize() {
	write(n.T, n.file, strings.Repeat("\x00\x01\x02\x03\x04\x05\x06\x07", 160<<20/8))
	p := n.upload()
	peaks := make(chan int64)
	go func() { peaks <- watchMemory(p.Process.Pid) }()
	status, peak := p.end(), <-peaks
	want(n.T, p.out.String(), "FAILED")
	n.Logf("%d MiB at the peak", peak>>20)
	if status != 1 || peak == 0 || peak > 64<<20 {
		n.Errorf("exit status %d, %d bytes at the peak", status, peak)
	}
}
