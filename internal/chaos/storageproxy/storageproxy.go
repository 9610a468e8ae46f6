// Package storageproxy stands in front of blobs and queues, for tests, and makes single requests fail as storage makes
// them fail. What it lets pass it leaves as it is, since requests are signed.
package storageproxy

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Fault is what happens to a request: nothing, one of the others below, or an answer with that HTTP status in place of storage's.
type Fault int

// Faults beside statuses.
const (
	None       Fault = iota
	Cut              // the connection is closed, and the request does not arrive
	LostAnswer       // the connection is closed when the request has been carried out
	CutShort         // the connection is closed in the middle of an answer's body, or at its end where it is short
	Stalled          // nothing more comes there, until the client gives up
)

// partBytes is how much of its body an answer has that is cut short or stalls.
const partBytes = 1 << 20

// codes are the error codes with which storage explains a status.
var codes = map[Fault]string{
	http.StatusForbidden: "AuthorizationPermissionMismatch", http.StatusNotFound: "MessageNotFound",
	http.StatusConflict: "LeaseIdMismatchWithLeaseOperation", http.StatusServiceUnavailable: "ServerBusy",
}

// New stands in front of an endpoint of a storage account until the test ends, and returns its own address. judge is
// called for each request, by many at once.
func New(t testing.TB, endpoint string, judge func(*http.Request) Fault) string {
	t.Helper()
	target, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	storage := &httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch fault := judge(r); fault {
		case None:
			storage.ServeHTTP(w, r)
		case Cut:
			panic(http.ErrAbortHandler)
		case LostAnswer:
			storage.ServeHTTP(discard{http.Header{}}, r)
			panic(http.ErrAbortHandler)
		case CutShort:
			storage.ServeHTTP(&part{w, partBytes, func() {}}, r)
			panic(http.ErrAbortHandler)
		case Stalled:
			storage.ServeHTTP(&part{w, partBytes, func() { <-r.Context().Done() }}, r)
		default:
			w.Header().Set("X-Ms-Error-Code", codes[fault])
			w.WriteHeader(int(fault))
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

// Through returns a connection string whose endpoints, or those of them that are named ("QueueEndpoint"), are behind proxies.
func Through(t testing.TB, connection string, judge func(*http.Request) Fault, endpoints ...string) string {
	t.Helper()
	parts := strings.Split(connection, ";")
	for i, part := range parts {
		name, endpoint, _ := strings.Cut(part, "=")
		if strings.HasSuffix(name, "Endpoint") && (len(endpoints) == 0 || slices.Contains(endpoints, name)) {
			parts[i] = name + "=" + New(t, endpoint, judge)
		}
	}
	return strings.Join(parts, ";")
}

// discard takes an answer that nobody gets.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

// part passes so many bytes of an answer's body on, and ends it then.
type part struct {
	http.ResponseWriter

	left int
	wait func() // before it ends
}

func (p *part) Write(b []byte) (int, error) {
	if p.left == 0 {
		_ = http.NewResponseController(p.ResponseWriter).Flush()
		p.wait()
		panic(http.ErrAbortHandler)
	}
	n, err := p.ResponseWriter.Write(b[:min(p.left, len(b))])
	p.left -= n
	if err != nil || n == len(b) {
		return n, err
	}
	return p.Write(b[n:]) // which ends it
}
