package funchost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
)

// fast is the time scale of tests: a minute lasts 0.6 s.
const fast = 0.01

// app is an app root in a temporary folder, whose handler does what the test says.
type app struct {
	t       *testing.T
	config  funchost.Config
	handle  http.HandlerFunc                    // answers the calls that reach the handler
	onBirth func(n int, b birth) (order string) // answers the n-th start of the handler, from 1 on

	setUp  sync.WaitGroup // done when the test has said it all
	mu     sync.Mutex
	births []birth
	log    devtest.Log
}

func newApp(t *testing.T, hostJSON string) *app {
	t.Helper()
	a := &app{t: t, onBirth: func(int, birth) string { return "" }, handle: succeed}
	a.setUp.Add(1)
	backend := httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(backend.Close)
	t.Cleanup(backend.CloseClientConnections)
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a.config = funchost.Config{
		Root:       t.TempDir(),
		Executable: executable,
		Settings:   map[string]string{backendVariable: backend.URL, "AzureFunctionsWebHost__hostid": uuid.NewString()},
		TimeScale:  fast,
		Logger:     slog.New(slog.NewTextHandler(&a.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	a.write("host.json", hostJSON)
	return a
}

// proxying is the least host.json.
const proxying = `{"version": "2.0", "customHandler": {"enableProxyingHttpRequest": true, "initializationTimeout": "00:00:20"}}`

func (a *app) write(name, content string) {
	a.t.Helper()
	path := filepath.Join(a.config.Root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

func (a *app) addHTTP(name, route string) {
	a.write(name+"/function.json", fmt.Sprintf(`{"bindings": [
		{"type": "httpTrigger", "direction": "in", "name": "req", "authLevel": "anonymous", "route": %q},
		{"type": "http", "direction": "out", "name": "res"}]}`, route))
}

func (a *app) addTimer(name, schedule string) {
	a.t.Helper()
	if _, ok := a.config.Settings["AzureWebJobsStorage"]; !ok {
		a.config.Settings["AzureWebJobsStorage"] = devtest.Storage(a.t).ConnectionString
	}
	a.write(name+"/function.json", fmt.Sprintf(
		`{"bindings": [{"type": "timerTrigger", "direction": "in", "name": "timer", "schedule": %q}]}`, schedule))
}

func (a *app) addQueue(name, queue, dataType string) {
	a.write(name+"/function.json", fmt.Sprintf(
		`{"bindings": [{"type": "queueTrigger", "direction": "in", "name": "msg", "queueName": %q, "dataType": %q}]}`, queue, dataType))
}

// start runs the host until the end of the test, and shows its log if the test has failed.
func (a *app) start() *funchost.Host {
	a.t.Helper()
	return a.running(a.tryStart())
}

// restart runs the app once more, after an earlier start.
func (a *app) restart() *funchost.Host {
	a.t.Helper()
	return a.running(funchost.Start(a.t.Context(), a.config))
}

func (a *app) running(h *funchost.Host, err error) *funchost.Host {
	a.t.Helper()
	if err != nil {
		a.t.Fatalf("start: %v\n%s", err, a.log.String())
	}
	a.t.Cleanup(func() {
		_ = h.Stop(context.Background()) // its error speaks of calls cut off, which many tests intend
		if a.t.Failed() {
			a.t.Log("host log:\n" + a.log.String())
		}
	})
	return h
}

func (a *app) tryStart() (*funchost.Host, error) {
	a.setUp.Done() // what the test has set up is seen by the calls that come through another process
	return funchost.Start(a.t.Context(), a.config)
}

func (a *app) serve(w http.ResponseWriter, r *http.Request) {
	a.setUp.Wait()
	switch r.URL.Path {
	case "/": // the readiness poll
		return
	case birthPath:
	default:
		a.handle(w, r)
		return
	}
	var b birth
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
		a.t.Errorf("birth: %v", err)
	}
	a.mu.Lock()
	a.births = append(a.births, b)
	n := len(a.births)
	a.mu.Unlock()
	_, _ = io.WriteString(w, a.onBirth(n, b))
}

func (a *app) birth(n int) birth {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.births[n-1]
}

// succeed is the answer that settles any invocation.
func succeed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"Outputs":{},"Logs":[],"ReturnValue":null}`)
}

// get returns status and body of a GET, or status 0 if the connection broke.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	return read(http.Get(url))
}

func read(answer *http.Response, err error) (int, string) {
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(body)
}

// getOnce does the same with a request that has a body, which the host does not send again when the handler dies of it.
func getOnce(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	return read(http.DefaultClient.Do(request))
}

func accepts(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// receive waits for the next value.
func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-await.Deadline(t):
		t.Fatalf("never came: %s", what)
		panic("unreachable")
	}
}
