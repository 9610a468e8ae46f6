//go:build unix

package e2e_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// actionsOf are what Azure's built-in roles allow, as far as the app could ask for it (Microsoft Learn, "Azure built-in roles for Storage").
var actionsOf = map[string][]string{
	"storageBlobDataContributor":  {"containers/read", "containers/write", "containers/delete", "blobs/read", "blobs/write", "blobs/delete"},
	"storageQueueDataContributor": {"queues/read", "queues/write", "queues/delete", "messages/read", "messages/write", "messages/delete", "messages/process"},
}

// guard lets through to storage what the roles of Bicep allow, and nothing else. The emulator takes any token for everything.
type guard struct {
	t     *testing.T
	roles map[string]string // of the app's identity, by container or queue

	mu    sync.Mutex
	asked map[string]bool // "files blobs/read"
}

func newGuard(t *testing.T) *guard {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "infra", "bicep", "modules", "data-storage.bicep"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"account::blobs::files": "files", "account::queues::parse": "parse-tasks", "account::queues::poison": "parse-tasks-poison"}
	g := &guard{t: t, roles: map[string]string{}, asked: map[string]bool{}}
	assignment := regexp.MustCompile(`(?s)roleAssignments@[\d-]+' = \{\n  name: .*?\n  scope: (\S+)\n.*?roles\.(\w+)\)`)
	for _, given := range assignment.FindAllStringSubmatch(string(text), -1) {
		g.roles[names[given[1]]] = given[2]
	}
	return g
}

// before stands in front of a service.
func (g *guard) before(service http.Handler, actionOn func(*http.Request) (name, action string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, action := actionOn(r)
		g.mu.Lock()
		g.asked[name+" "+action] = true
		g.mu.Unlock()
		if !slices.Contains(actionsOf[g.roles[name]], action) {
			g.t.Errorf("the app may not do this, but tries: %s on %s (%s %s)", action, name, r.Method, r.URL)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		service.ServeHTTP(w, r)
	})
}

// serve serves what stands in front of a service of the stack under the stack's own certificate, and returns the address.
func (g *guard) serve(t *testing.T, stack *devtest.SecureStack, service string, actionOn func(*http.Request) (name, action string)) string {
	t.Helper()
	certificate, err := tls.LoadX509KeyPair(stack.Certificate, stack.Key)
	if err != nil {
		t.Fatal(err)
	}
	proxy, path := proxyTo(t, stack, service)
	server := httptest.NewUnstartedServer(g.before(proxy, actionOn))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // who does not trust the certificate
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL + path
}

// wantAsked waits until the app has done exactly these things.
func (g *guard) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	await.Value(t, fmt.Sprintf("the app has done exactly %q", want), g.done, func(done []string) bool { return slices.Equal(done, want) })
}

func (g *guard) done() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.asked))
}

// onBlobs and onQueues say what a request does, and on which container or queue (Microsoft Learn, "Permissions for calling data operations").
func onBlobs(r *http.Request) (container, action string) {
	container, blob, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/devstoreaccount1/"), "/")
	kind := "blobs"
	if query := r.URL.Query(); query.Get("restype") == "container" && query.Get("comp") != "list" {
		kind = "containers"
	} else if blob == "" && query.Get("comp") != "list" {
		return container, "unknown"
	}
	return container, kind + "/" + verb(r.Method)
}

func onQueues(r *http.Request) (queue, action string) {
	queue, message, isMessage := strings.Cut(strings.TrimPrefix(r.URL.Path, "/devstoreaccount1/"), "/messages")
	switch {
	case !isMessage:
		return queue, "queues/" + verb(r.Method)
	case r.Method == http.MethodPost:
		return queue, "messages/write"
	case r.Method == http.MethodGet && r.URL.Query().Get("peekonly") == "" || r.Method == http.MethodDelete && message != "":
		return queue, "messages/process"
	}
	return queue, "messages/" + verb(r.Method)
}

func verb(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead:
		return "read"
	case http.MethodDelete:
		return "delete"
	}
	return "write"
}
