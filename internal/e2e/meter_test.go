package e2e_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
)

// meter stands in front of storage and database, and counts what is asked of them, and the lines that are logged.
type meter struct {
	direct   *pgtest.Database
	database *pgproxy.Proxy
	storage  devtest.StorageParts // through the meter
	log      lines

	mu         sync.Mutex
	operations map[string]int
}

func newMeter(t *testing.T) *meter {
	t.Helper()
	m := &meter{direct: pgtest.New(t), operations: map[string]int{}}
	m.database = pgproxy.New(t, m.direct.URL)
	m.storage = devtest.Storage(t)
	fields := strings.Split(m.storage.ConnectionString, ";")
	for i, field := range fields {
		if name, endpoint, _ := strings.Cut(field, "="); name == "BlobEndpoint" || name == "QueueEndpoint" {
			fields[i] = name + "=" + m.inFront(t, endpoint)
		}
	}
	m.storage.ConnectionString = strings.Join(fields, ";")
	return m
}

func (m *meter) inFront(t *testing.T, endpoint string) string {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	upstream := &url.URL{Scheme: u.Scheme, Host: u.Host}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(upstream) },
		ModifyResponse: m.count,
	})
	t.Cleanup(server.Close)
	return server.URL + u.Path
}

// count notes an operation that has been answered, by its name in the service's documentation. To ask a queue that is empty is an operation of
// its own: how often that happens depends on the time, not on the files.
func (m *meter) count(answer *http.Response) error {
	name := operation(answer.Request)
	if name == "Get Messages" {
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Contains(body, []byte("<MessageText>")) && !strings.Contains(answer.Request.URL.Path, "-poison/") {
			name = "Get Messages, none there"
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.operations[name]++
	return nil
}

func operation(r *http.Request) string {
	part := r.URL.Query().Get("comp")
	messages := strings.Contains(r.URL.Path, "/messages")
	container := r.URL.Query().Get("restype") == "container"
	switch call := r.Method + " " + part; {
	case messages && r.Method == http.MethodPost:
		return "Put Message"
	case messages && r.Method == http.MethodGet:
		return "Get Messages"
	case messages && r.Method == http.MethodDelete:
		return "Delete Message"
	case container && call == "GET ":
		return "Get Container Properties"
	case container && call == "PUT metadata":
		return "Set Container Metadata"
	case call == "PUT block":
		return "Put Block"
	case call == "PUT blocklist":
		return "Put Block List"
	case call == "PUT ":
		return "Put Blob"
	case call == "HEAD ":
		return "Get Blob Properties"
	case call == "GET ":
		return "Get Blob"
	case call == "DELETE ":
		return "Delete Blob"
	case call == "GET list":
		return "List Blobs"
	case call == "GET metadata":
		return "Get Queue Metadata"
	default:
		return r.Method + " " + r.URL.String()
	}
}

// calls gives how often what was done so far, leaving out what depends on the time: looks into an empty queue, heartbeats, and the driver's
// own pings of connections that were idle.
func (m *meter) calls() map[string]int {
	m.mu.Lock()
	calls := maps.Clone(m.operations)
	m.mu.Unlock()
	delete(calls, "Get Messages, none there")
	for _, sql := range m.database.Statements() {
		switch {
		case sql == "-- ping" || strings.Contains(sql, "beat as materialized"):
		case sql == "commit":
			calls["COMMIT"]++
			fallthrough
		default:
			calls["Statement"]++
		}
	}
	if n := m.log.count("\n"); n > 0 {
		calls["Log line"] = n
	}
	return calls
}

// awaitFiles waits until nothing more is asked for on behalf of so many files.
func (m *meter) awaitFiles(t *testing.T, n int) {
	t.Helper()
	m.direct.Await(t, `select count(*) = $1 and not exists (select from sheetdrop.outbox_message) from sheetdrop.task where status = 'COMPLETED'`, n)
	m.log.await(`"msg":"task completed"`, n)
	awaitCount(n, func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.operations["Delete Message"]
	})
}

// lines are what is logged.
type lines struct{ devtest.Log }

func (l *lines) count(text string) int { return strings.Count(l.String(), text) }

func (l *lines) await(text string, n int) {
	awaitCount(n, func() int { return l.count(text) })
}

// awaitCount waits until something was counted n times.
func awaitCount(n int, count func() int) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for count() < n {
		<-tick.C
	}
}

// difference gives what was done between two looks, and how often.
func difference(after, before map[string]int) map[string]int {
	maps.DeleteFunc(after, func(name string, n int) bool { return n == before[name] })
	for name := range after {
		after[name] -= before[name]
	}
	return after
}
