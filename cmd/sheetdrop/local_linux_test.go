package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// No process is left behind, whether the program is killed, the `go run` that started it is, or it is interrupted. While it runs, other
// programs find its services in local.json.
func TestLocalLeavesNothing(t *testing.T) {
	t.Parallel()
	data := newData(t)

	goRun := startCommand(t, exec.Command("go", "run", "./cmd/sheetdrop", "local", "--no-samples", "--data", data), "")
	running := awaitAddresses(t, data, 0)
	pids := append(partsOf(t, data), running.HostPID, running.HandlerPID)
	kill(t, goRun.Process.Pid, syscall.SIGKILL)
	goRun.end()
	awaitGone(t, pids)

	killed := start(t, "local", "--no-samples", "--data", data)
	running = awaitAddresses(t, data, 0)
	if running.HostPID != killed.Process.Pid {
		t.Errorf("host_pid is %d, want %d", running.HostPID, killed.Process.Pid)
	}
	first := running.HandlerPID
	kill(t, first, syscall.SIGKILL)
	await.Until(t, "local.json names the new handler", func() bool {
		running, _ = instance.ReadAddresses(data)
		return running.HandlerPID != first && isRunning(running.HandlerPID)
	})
	pids = append(partsOf(t, data), first, running.HandlerPID)
	kill(t, killed.Process.Pid, syscall.SIGKILL)
	killed.end()
	awaitGone(t, pids)

	// The killed one has left its local.json. Another program may use its address by now.
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	defer stranger.Close()
	running.APIURL = stranger.URL + "/api"
	left, err := json.Marshal(running)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(data, "local.json"), string(left))
	asked := start(t, "local", "--no-samples", "--data", data)
	running = awaitAddresses(t, data, running.HostPID)
	if status, p := run(t, "local", "--data", data); status == 0 || !strings.Contains(p.progress.String(), "runs here already") {
		t.Errorf("two at once: exit status %d", status)
	}
	if status, p := run(t, "upload", "--url", running.APIURL, filepath.Join("samples", "prices.csv")); status != 0 {
		t.Errorf("upload: exit status %d", status)
	} else {
		want(t, p.out.String(), "prices.csv: 40 rows loaded, 3 rejected, 1 skipped\n")
	}
	pids = append(partsOf(t, data), running.HostPID, running.HandlerPID)
	kill(t, asked.Process.Pid, syscall.SIGTERM)
	if status := asked.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, asked.out.String(), `psql "`+running.DatabaseURL+`"`)
	awaitGone(t, pids)
	if _, err := os.Stat(filepath.Join(data, "local.json")); err == nil {
		t.Error("local.json is still there")
	}
}

// An installed `func` is the host, and its processes end with the program.
func TestInstalledFuncIsTheHost(t *testing.T) {
	t.Parallel()
	data, bin := newData(t), t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "func"))
	}
	if err != nil {
		t.Fatal(err)
	}
	p := startCommand(t, exec.Command(self, "local", "--no-samples", "--data", data, "--port", freePort(t)), bin)
	running := awaitAddresses(t, data, 0)
	want(t, p.progress.String(), "func ("+bin)
	if running.HostPID == p.Process.Pid || !isRunning(running.HostPID) || !isRunning(running.HandlerPID) {
		t.Errorf("func's process ids are %d and %d", running.HostPID, running.HandlerPID)
	}

	bad := filepath.Join(t.TempDir(), "picture.csv")
	if err := os.WriteFile(bad, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, uploaded := run(t, "upload", "--url", running.APIURL, filepath.Join("samples", "stock.xlsx"), bad)
	if status == 0 {
		t.Error("a picture was loaded")
	}
	want(t, uploaded.out.String(), "stock.xlsx: 37 rows loaded, 2 rejected, 1 skipped\n", "picture.csv: ")

	pids := append(partsOf(t, data), running.HostPID, running.HandlerPID)
	kill(t, p.Process.Pid, syscall.SIGINT)
	if status := p.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	awaitGone(t, pids)
}

// Without its database nothing works, so it says so, and why, and ends, whether it waits or loads files; whoever starts it again finds
// everything.
func TestLocalEndsWithItsDatabase(t *testing.T) {
	t.Parallel()
	large := filepath.Join(t.TempDir(), "large.csv") // loading takes much longer than what ends the database
	write(t, large, "id,name\n"+strings.Repeat("4711,a name of some length\n", 2_000_000))
	for when, args := range map[string][]string{"while it waits": {"--no-samples"}, "while it loads a file": {"--once", large}} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			data := newData(t)
			p := start(t, append([]string{"local", "--data", data}, args...)...)
			running := awaitAddresses(t, data, 0)
			parts := partsOf(t, data)
			if args[0] == "--no-samples" {
				await.Until(t, "it is running", func() bool { return strings.Contains(p.out.String(), "Ctrl+C ends it") })
			}
			if err := os.Remove(filepath.Join(data, "postgres", "global", "pg_control")); err != nil { // as a disk that fails
				t.Fatal(err)
			}
			conn, err := pgx.Connect(t.Context(), running.DatabaseURL)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(context.Background())
			_, _ = conn.Exec(t.Context(), "checkpoint") // of which it dies
			if status := p.end(); status != 1 {
				t.Errorf("exit status %d", status)
			}
			want(t, p.progress.String(), "PostgreSQL or Azurite has ended by itself", "start it again", `could not open file "global/pg_control": No such file or directory`)
			awaitGone(t, parts)
		})
	}
}

// runLocal runs `sheetdrop local` without files until the test ends, when it must stop in order. Its database is on the server that all tests
// share, which is much sooner there than a server of its own. query asks it for one value, as text.
func runLocal(t *testing.T) (running instance.Addresses, query func(sql string, args ...any) (value string)) {
	t.Helper()
	data := newData(t)
	command := exec.Command(os.Args[0], "local", "--no-samples", "--data", data)
	command.Env = []string{"DATABASE_URL=" + devtest.Database(t)}
	local := startCommand(t, command, "")
	running = awaitAddresses(t, data, 0)
	db, err := pgx.Connect(t.Context(), running.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = db.Close(context.Background())
		kill(t, local.Process.Pid, syscall.SIGTERM)
		if status := local.end(); status != 0 {
			t.Errorf("exit status %d", status)
		}
		wantJSONLog(t, filepath.Join(data, "local.log"))
	})
	return running, func(sql string, args ...any) (value string) {
		t.Helper()
		if err := db.QueryRow(t.Context(), sql, args...).Scan(&value); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return value
	}
}

// wantJSONLog holds that whoever searches a log finds one format in it: what the host says, and what the handler says.
func wantJSONLog(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has a line that is no JSON: %s", line)
		}
	}
}

// Two instances that start at the same moment both find the usual port free, and both must come up: here the other one takes it just before
// this one listens on it.
func TestInstancesStartedAtOnceBothRun(t *testing.T) {
	t.Parallel()
	data := newData(t)
	local := start(t, "local", "--no-samples", "--data", data)
	await.Until(t, "it has chosen its port", func() bool {
		return strings.Contains(local.progress.String(), "starting the Functions host")
	})
	if other, err := net.Listen("tcp", "127.0.0.1:7071"); err == nil { // else another test has it
		defer other.Close()
	}
	awaitAddresses(t, data, 0)
	kill(t, local.Process.Pid, syscall.SIGTERM)
	if status := local.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// The database is where --database-port says, or nowhere, and that is said.
func TestDatabasePortIsChosen(t *testing.T) {
	t.Parallel()
	data := newData(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	status, p := run(t, "local", "--no-samples", "--data", data, "--database-port", port)
	if status == 0 {
		t.Error("exit status 0")
	}
	want(t, p.progress.String(), "port "+port+" is taken by another program")

	port = freePort(t)
	local := start(t, "local", "--no-samples", "--data", data, "--database-port", port)
	if running := awaitAddresses(t, data, 0); !strings.Contains(running.DatabaseURL, "@127.0.0.1:"+port+"/") {
		t.Errorf("the database is at %s, want port %s", running.DatabaseURL, port)
	}
	kill(t, local.Process.Pid, syscall.SIGTERM)
	if status := local.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// Addresses that somebody has noted, of the page or of the storage, are good after the next start, too. A port that is taken then is said, and not
// forgotten.
func TestLocalKeepsItsPorts(t *testing.T) {
	t.Parallel()
	data := newData(t)
	startOnce := func(options ...string) (a instance.Addresses, said string) {
		t.Helper()
		local := start(t, append([]string{"local", "--no-samples", "--data", data}, options...)...)
		a = awaitAddresses(t, data, 0)
		kill(t, local.Process.Pid, syscall.SIGTERM)
		if status := local.end(); status != 0 {
			t.Errorf("exit status %d", status)
		}
		return a, local.progress.String()
	}
	first, _ := startOnce("--port", freePort(t)) // other tests want the usual one
	if again, said := startOnce(); again.APIURL != first.APIURL || again.BlobURL != first.BlobURL || again.QueueURL != first.QueueURL {
		t.Errorf("first at %+v, then at %+v: %s", first, again, said)
	}
	api, err := url.Parse(first.APIURL)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", api.Host)
	if err != nil {
		t.Fatal(err)
	}
	other, said := startOnce()
	want(t, said, api.Host+" is taken by another program: the API is served at ")
	if other.APIURL == first.APIURL {
		t.Errorf("it is served at %s", other.APIURL)
	}
	taken.Close()
	if again, _ := startOnce(); again.APIURL != first.APIURL {
		t.Errorf("at %s once the port is free, not at %s", again.APIURL, first.APIURL)
	}
}

// freePort returns a port that nobody has, below the range from which the system takes those of outgoing connections: so it stays free.
func freePort(t *testing.T) string {
	t.Helper()
	const first, behind = 10240, 32768
	for tries := 1; ; tries++ {
		port := strconv.Itoa(first + rand.IntN(behind-first))
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			if err := listener.Close(); err != nil {
				t.Fatal(err)
			}
			return port
		}
		if tries == 100 {
			t.Fatal(err)
		}
	}
}

// awaitAddresses waits for a local.json that is not that of an earlier host, and makes sure that what it says is true.
func awaitAddresses(t *testing.T, data string, earlier int) (a instance.Addresses) {
	t.Helper()
	await.Until(t, "local.json is there", func() bool {
		var err error
		a, err = instance.ReadAddresses(data)
		return err == nil && a.HostPID != earlier
	})
	s, err := server.At(a.APIURL, nil)
	if err == nil {
		err = s.Ready(t.Context())
	}
	if err != nil || !strings.HasSuffix(a.APIURL, "/api") {
		t.Errorf("%s is not ready: %v", a.APIURL, err)
	}
	if !isRunning(a.HandlerPID) || a.DatabaseURL == "" || a.BlobURL == "" || a.QueueURL == "" || a.ConnectionString == "" {
		t.Errorf("local.json: %+v", a)
	}
	return a
}

// partsOf returns the process ids of the keeper and its parts.
func partsOf(t *testing.T, data string) []int {
	t.Helper()
	var keeper struct {
		PID   int
		Parts []struct{ PID int }
	}
	text, err := os.ReadFile(filepath.Join(data, "stack.json"))
	if err == nil {
		err = json.Unmarshal(text, &keeper)
	}
	if err != nil || len(keeper.Parts) != 2 {
		t.Fatalf("the keeper's state: %s %v", text, err)
	}
	return []int{keeper.PID, keeper.Parts[0].PID, keeper.Parts[1].PID}
}

func isRunning(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty for one that has ended and was not yet noticed
	return err == nil && len(line) > 0
}

func awaitGone(t *testing.T, pids []int) {
	t.Helper()
	await.Until(t, fmt.Sprintf("all of %d have ended", pids), func() bool { return !slices.ContainsFunc(pids, isRunning) })
}

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
}
