package flap

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// way is how a request to storage fails.
type way string

const (
	forbidden  way = "no right"         // 403
	busy       way = "the service busy" // 503
	away       way = "no network"       // the request does not arrive
	lostAnswer way = "answer lost"      // it is carried out, and nobody hears of it
)

var ways = []way{forbidden, busy, away, lostAnswer}

// relay passes requests on to a service of storage, but for those that fail, and returns its own address.
func relay(t *testing.T, service string, judge func(r *http.Request) (way, bool)) string {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host // path and headers, which are signed, stay
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch fault, fails := judge(r); {
		case !fails:
			proxy.ServeHTTP(w, r)
		case fault == forbidden:
			w.Header().Set("X-Ms-Error-Code", "AuthorizationPermissionMismatch")
			w.WriteHeader(http.StatusForbidden)
		case fault == busy:
			w.Header().Set("X-Ms-Error-Code", "ServerBusy")
			w.WriteHeader(http.StatusServiceUnavailable)
		case fault == lostAnswer:
			proxy.ServeHTTP(discard{http.Header{}}, r)
			panic(http.ErrAbortHandler)
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

// discard takes an answer that nobody gets.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

// through is a connection string whose services are reached by relays.
func through(t *testing.T, connection string, judge func(r *http.Request) (way, bool)) string {
	t.Helper()
	for part := range strings.SplitSeq(connection, ";") {
		if name, service, _ := strings.Cut(part, "="); strings.HasSuffix(name, "Endpoint") {
			connection = strings.Replace(connection, part, name+"="+relay(t, service, judge), 1)
		}
	}
	return connection
}
