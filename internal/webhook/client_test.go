package webhook

import (
	"bufio"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var message = Message{ID: "1", At: time.Unix(1_700_000_000, 0), Body: []byte(`{"type":"webhook.test"}`), Secrets: [][]byte{make([]byte, 32)}}

func local(t *testing.T, h Hooks) *Client {
	t.Helper()
	return NewClient(policy(t, Settings{Local: true}), h)
}

// A receiver that answers with 2xx has the event, whatever it answers besides; nothing else counts, and a redirect leads nowhere.
func TestWhatCountsAsDelivered(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/elsewhere":
			elsewhere.Add(1)
		case "/busy":
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/redirect":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/accepted":
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write([]byte("th\x00ank\xff you"))
		case "/broken-body":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		case "/broken":
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	client := local(t, Hooks{})
	for path, want := range map[string]struct {
		status    int
		delivered bool
		body      string
		pause     time.Duration
	}{
		"/": {200, true, "", 0}, "/accepted": {202, true, "th\uFFFDank\uFFFD you", 0}, "/broken-body": {200, true, "half", 0}, "/broken": {0, false, "", 0},
		"/busy": {503, false, "", 2 * time.Minute}, "/redirect": {307, false, "", 0}, "/gone": {410, false, "", 0},
	} {
		a := client.Post(t.Context(), server.URL+path, message)
		if a.Status != want.status || (a.Err == nil) != want.delivered || a.Body != want.body || a.RetryAfter != want.pause || a.Gone() != (path == "/gone") {
			t.Errorf("%s: %+v, want %+v", path, a, want)
		}
	}
	if elsewhere.Load() != 0 {
		t.Error("a redirect was followed")
	}
}

// Of a long answer 64 KiB are read, and 1 KiB is kept; a compressed one is not unpacked.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	stopped := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" {
			t.Errorf("the request accepts %q", r.Header.Get("Accept-Encoding"))
		}
		_, err := io.Copy(w, io.LimitReader(endless{}, 10<<20))
		stopped <- err
	}))
	t.Cleanup(server.Close)
	a := local(t, Hooks{}).Post(t.Context(), server.URL, message)
	if a.Err != nil || a.Body != strings.Repeat("x", keptAnswer) {
		t.Errorf("the answer is %d bytes, %v", len(a.Body), a.Err)
	}
	if err := <-stopped; err == nil {
		t.Error("all of ten megabytes was taken")
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// A receiver that takes the request and never answers, that answers byte by byte, or whose header has no end, is left in time.
func TestSlowReceivers(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(net.Conn, <-chan struct{}){
		"no answer": func(_ net.Conn, ended <-chan struct{}) { <-ended },
		"byte by byte": func(c net.Conn, ended <-chan struct{}) {
			ticker := time.NewTicker(20 * time.Millisecond)
			defer ticker.Stop()
			for _, b := range []byte("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 100_000)) {
				select {
				case <-ended:
					return
				case <-ticker.C:
					_, _ = c.Write([]byte{b})
				}
			}
		},
		"endless header": func(c net.Conn, _ <-chan struct{}) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for n, err := 0, error(nil); err == nil; n++ {
				_, err = fmt.Fprintf(c, "X-%d: y\r\n", n)
			}
		},
		"no HTTP": func(c net.Conn, _ <-chan struct{}) { _, _ = io.WriteString(c, "220 smtp.test ESMTP\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := local(t, Hooks{Timeout: time.Second}).Post(t.Context(), "http://"+listen(t, answer), message)
			if a.Err == nil || a.Status != 0 {
				t.Errorf("%+v, want no answer", a)
			}
		})
	}
}

// listen takes connections, reads a request from each and then does with it what it is told; ended is closed with the test.
func listen(t *testing.T, answer func(c net.Conn, ended <-chan struct{})) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					answer(c, t.Context().Done())
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// A name that had a public address when it was allowed, and has a private one when it is called, is not called; nor is one with both kinds, at
// its private one. The server of the test is behind that address and hears of nothing.
func TestRebindingIsRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	allowed := policy(t, Settings{Hosts: []string{"*:" + port}, Local: true})
	for _, address := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "169.254.169.254", "168.63.129.16", "0.0.0.0", "::", "64:ff9b::7f00:1", "fd00::1"} {
		asked := new(atomic.Int32)
		client := NewClient(allowed, Hooks{Resolver: resolver(t, netip.MustParseAddr(address), asked), Roots: roots, Timeout: 10 * time.Second})
		a := client.Post(t.Context(), "https://example.com:"+port+"/", message)
		if a.Err != errNotPublic || a.Status != 0 || asked.Load() == 0 { //nolint:errorlint // the very one
			t.Errorf("a name of %s: %+v after %d questions", address, a, asked.Load())
		}
	}
	if reached.Load() != 0 {
		t.Error("a private address was called")
	}
}

// A name that is this machine's by the policy must be this machine's when it is called.
func TestLoopbackNameOfAnotherMachine(t *testing.T) {
	t.Parallel()
	asked := new(atomic.Int32)
	client := NewClient(policy(t, Settings{Local: true}), Hooks{Resolver: resolver(t, netip.MustParseAddr("10.1.2.3"), asked), Timeout: 10 * time.Second})
	for _, transport := range []*http.Transport{client.loopback, client.public} {
		if transport.Proxy != nil { // which would be connected to in place of what was checked
			t.Error("a proxy can be used")
		}
		r := &http.Request{Method: http.MethodPost, URL: &url.URL{Scheme: "http", Host: "example.com"}, Header: http.Header{}}
		if _, err := transport.RoundTrip(r.WithContext(t.Context())); err == nil || explain(err) != errNotPublic { //nolint:errorlint // the very one
			t.Errorf("a name of 10.1.2.3: %v", err)
		}
	}
}

// resolver returns one that asks a DNS server of the test, for which each name has one address.
func resolver(t *testing.T, address netip.Addr, asked *atomic.Int32) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		for buffer := make([]byte, 1500); ; {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			asked.Add(1)
			_, _ = server.WriteTo(resolve(buffer[:n], address), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("udp", server.LocalAddr().String())
	}}
}

// resolve answers a DNS query with the address, if it asks for one of its kind, and with nothing otherwise (RFC 1035, section 4).
func resolve(query []byte, address netip.Addr) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	end := header
	for query[end] != 0 { // the labels of the name
		end += int(query[end]) + 1
	}
	asked, end := int(query[end+1])<<8|int(query[end+2]), end+5
	answer := append([]byte{}, query[:end]...)
	answer[2], answer[3] = 0x84, 0x00 // a response, authoritative, without an error
	copy(answer[6:], []byte{0, 0, 0, 0, 0, 0})
	kind := typeAAAA
	if address.Is4() {
		kind = typeA
	}
	if asked != kind {
		return answer
	}
	answer[7] = 1
	data := address.AsSlice()
	answer = append(answer, 0xC0, header, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(data)))
	return append(answer, data...)
}

// What a receiver's certificate does not prove is sent to nobody.
func TestCertificatesAreVerified(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	if a := local(t, Hooks{}).Post(t.Context(), server.URL, message); a.Err == nil || a.Status != 0 {
		t.Errorf("an unknown certificate: %+v", a)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	if a := local(t, Hooks{Roots: roots}).Post(t.Context(), server.URL, message); a.Err != nil || a.Status != http.StatusNoContent {
		t.Errorf("a known certificate: %+v", a)
	}
}
