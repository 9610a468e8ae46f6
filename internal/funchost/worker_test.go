package funchost_test

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
)

// The handler finds the documented variables, the app's settings and the app root as its folder.
func TestHandlerGetsTheAppsSettings(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("api", "{*path}")
	a.config.Settings["GREETING"] = "hello"
	a.start()
	b := a.birth(1)
	port, id := b.Env["FUNCTIONS_CUSTOMHANDLER_PORT"], b.Env["FUNCTIONS_CUSTOMHANDLER_WORKER_ID"]
	if port == "" || port != b.Env["FUNCTIONS_HTTPWORKER_PORT"] || len(id) != 36 || id != b.Env["FUNCTIONS_HTTPWORKER_ID"] {
		t.Errorf("port %q, id %q in %v", port, id, b.Env)
	}
	if b.Env["FUNCTIONS_APP_ROOT_PATH"] != a.config.Root || b.Dir != a.config.Root {
		t.Errorf("app root %q, folder %q, want %q", b.Env["FUNCTIONS_APP_ROOT_PATH"], b.Dir, a.config.Root)
	}
	if b.Env["GREETING"] != "hello" || b.Env["PATH"] != os.Getenv("PATH") {
		t.Error("settings or the inherited environment are missing")
	}
}

// exits is a handler function that ends its process with the code that the path ends in.
func exits(w http.ResponseWriter, r *http.Request) {
	if code, ok := strings.CutPrefix(r.URL.Path, "/api/exit/"); ok {
		w.Header().Set(exitHeader, code)
		w.Header().Set(stdoutHeader, "out "+code)
		w.Header().Set(stderrHeader, "last words of "+code)
	}
	succeed(w, r)
}

func startExiting(t *testing.T) (*app, *funchost.Host) {
	a := newApp(t, proxying)
	a.addHTTP("api", "{*path}")
	a.handle = exits
	return a, a.start()
}

func TestExitCode200RestartsWithoutCounting(t *testing.T) {
	t.Parallel()
	a, h := startExiting(t)
	for n := 1; n <= 5; n++ {
		if status, _ := getOnce(t, h.URL()+"/api/exit/200"); status != http.StatusInternalServerError {
			t.Fatalf("the call in the dying handler: status %d", status)
		}
		await.Until(t, "the restart", func() bool { return h.Stats().HandlerStarts == n+1 })
	}
	if status, _ := get(t, h.URL()+"/api/x"); status != http.StatusOK {
		t.Errorf("status %d after the restarts", status)
	}
	if got := h.Stats().Restarts; got != 0 {
		t.Errorf("%d restarts of the host", got)
	}
	first, last := a.birth(1).Env, a.birth(6).Env
	if first["FUNCTIONS_CUSTOMHANDLER_PORT"] != last["FUNCTIONS_CUSTOMHANDLER_PORT"] {
		t.Error("the port changed with a restart")
	}
	if first["FUNCTIONS_CUSTOMHANDLER_WORKER_ID"] == last["FUNCTIONS_CUSTOMHANDLER_WORKER_ID"] {
		t.Error("the worker id did not change with a restart")
	}
}

func TestExitCode0IsNotRestarted(t *testing.T) {
	t.Parallel()
	_, h := startExiting(t)
	if status, _ := getOnce(t, h.URL()+"/api/exit/0"); status != http.StatusInternalServerError {
		t.Fatalf("the call in the ending handler: status %d", status)
	}
	await.Until(t, "the end of the handler", func() bool { return h.HandlerPID() == 0 })
	if status, body := get(t, h.URL()+"/api/x"); status != http.StatusInternalServerError || body != "" {
		t.Errorf("status %d, body %q with no handler", status, body)
	}
	if got := h.Stats(); got != (funchost.Stats{HandlerStarts: 1}) {
		t.Errorf("%+v", got)
	}
}

// P2: a handler that keeps dying ends the host, and the next one serves at the same address. Requests that came after the
// third death hang until then.
func TestThirdDeathEndsTheHost(t *testing.T) {
	t.Parallel()
	a, h := startExiting(t)
	for n, end := range []func(){
		func() { getOnce(t, h.URL()+"/api/exit/3") },
		func() { kill(t, h.HandlerPID()) },
	} {
		end()
		await.Until(t, "the next start", func() bool { return h.Stats().HandlerStarts == n+2 })
		if status, body := get(t, h.URL()+"/api/x"); status != http.StatusOK { // waits for readiness
			t.Fatalf("after death %d: status %d %s", n+1, status, body)
		}
	}
	getOnce(t, h.URL()+"/api/exit/201")
	if status, body := get(t, h.URL()+"/api/x"); status == http.StatusOK && h.Stats().Restarts == 0 {
		t.Errorf("after the third death: status %d %s", status, body)
	}
	await.Until(t, "the next host", func() bool { status, _ := get(t, h.URL()+"/api/x"); return status == http.StatusOK })
	if got := h.Stats(); got != (funchost.Stats{HandlerStarts: 4, Restarts: 1}) {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"last words of 201", "exited with code 137 (0x89)", "Language Worker Process exited.",
		"Exceeded http worker restart retry count. Shutting down Functions Host"} {
		if !strings.Contains(a.log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	if a.birth(3).Env["FUNCTIONS_CUSTOMHANDLER_PORT"] != a.birth(1).Env["FUNCTIONS_CUSTOMHANDLER_PORT"] {
		t.Error("the port changed within a host")
	}
	kill(t, h.HandlerPID()) // the first death in the next host
	await.Until(t, "the next start", func() bool { return h.Stats().HandlerStarts == 5 })
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A handler that gets ready late, or dies before, is an error like any other; three of them at the start are told.
func TestStartReportsAHandlerThatIsNeverReady(t *testing.T) {
	t.Parallel()
	const impatient = `{"customHandler": {"enableProxyingHttpRequest": true, "initializationTimeout": "00:00:02"}}`
	for name, c := range map[string]struct {
		orders []string // "" afterwards
		starts int
		err    string
	}{
		"ready at once":            {nil, 1, ""},
		"silent, then dead, ready": {[]string{staySilent, "exit 7"}, 3, ""},
		"exit 0 waits and counts":  {[]string{"exit 0"}, 2, ""},
		"exit 200 does not count":  {[]string{"exit 200", "exit 200", "exit 200", "exit 200"}, 5, ""},
		"dead three times":         {[]string{"exit 7", "exit 7", "exit 7"}, 3, "exited with code 7"},
		"never ready":              {[]string{"exit 7", "exit 7", staySilent}, 3, "did not answer GET /"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, impatient)
			a.addHTTP("api", "{*path}")
			a.onBirth = func(n int, _ birth) string { return append(c.orders, make([]string, 9)...)[n-1] }
			starts := 0
			a.config.OnHandlerStart = func(int) { starts++ }
			h, err := a.tryStart()
			if err == nil {
				defer h.Stop(t.Context())
			}
			if (err == nil) != (c.err == "") || (err != nil && !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %v, want %q\n%s", err, c.err, a.log.String())
			}
			if starts != c.starts {
				t.Errorf("%d starts, want %d", starts, c.starts)
			}
			for n := range starts - 1 {
				if alive(a.birth(n + 1).PID) {
					t.Errorf("handler %d was left", n+1)
				}
			}
		})
	}
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// While the handler restarts calls wait, and none is lost.
func TestCallsWaitForTheHandler(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("api", "{*path}")
	restarted, release := make(chan bool, 1), make(chan bool)
	a.onBirth = func(n int, _ birth) string {
		if n == 2 {
			restarted <- true
			<-release
		}
		return ""
	}
	h := a.start()
	kill(t, h.HandlerPID())
	receive(t, restarted, "the second start")
	status := make(chan int, 3)
	for range cap(status) {
		go func() {
			s, _ := get(t, h.URL()+"/api/x")
			status <- s
		}()
	}
	select {
	case s := <-status:
		t.Fatalf("an answer %d without a handler", s)
	default:
	}
	close(release)
	for range cap(status) {
		if s := receive(t, status, "the answer"); s != http.StatusOK {
			t.Errorf("status %d", s)
		}
	}
}

// A handler that accepts and never answers GET / stops the clock of its readiness; a call that waits for it ends the host.
func TestWaitingTooLongEndsTheHost(t *testing.T) {
	t.Parallel()
	a := newApp(t, `{"customHandler": {"enableProxyingHttpRequest": true, "initializationTimeout": "00:00:01.5"}}`)
	a.addHTTP("api", "{*path}")
	a.onBirth = func(n int, _ birth) string {
		if n == 2 {
			return acceptOnly
		}
		return ""
	}
	h := a.start()
	kill(t, h.HandlerPID())
	await.Until(t, "the second start", func() bool { return h.Stats().HandlerStarts == 2 })
	if status, _ := get(t, h.URL()+"/api/x"); status != http.StatusServiceUnavailable {
		t.Errorf("status %d for the call that waited", status)
	}
	await.Until(t, "the next host", func() bool { status, _ := get(t, h.URL()+"/api/x"); return status == http.StatusOK })
	if got := h.Stats(); got != (funchost.Stats{HandlerStarts: 3, Restarts: 1}) {
		t.Errorf("%+v", got)
	}
}

// HandlerOutput gets the lines of both streams of all handler processes; it need not be safe for concurrent use.
func TestOutputArrivesLineByLine(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("api", "{*path}")
	a.handle = exits
	var output bytes.Buffer
	a.config.HandlerOutput = &output
	h := a.start()
	for n := range 2 {
		getOnce(t, h.URL()+"/api/exit/200")
		await.Until(t, "the restart", func() bool { return h.Stats().HandlerStarts == n+2 })
	}
	if err := h.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := output.String(), strings.Repeat("out 200\nlast words of 200\n", 2); sorted(got) != sorted(want) {
		t.Errorf("%q, want the lines of %q", got, want)
	}
}

func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}
