package outbound

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Nobody reaches the inside of the network by an address that they name: not this machine, not a private network, not what tells
// an app its secrets.
func TestOnlyPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, private := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.169.254", "169.254.255.1",
		"172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::10.0.0.1", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
		"::ffff:169.254.169.254", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:db8::1", "2002:a00:1::1", "3fff::1", "5f00::1", "fc00::1",
		"fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
	} {
		if Public(netip.MustParseAddr(private)) {
			t.Errorf("%s counts as public", private)
		}
	}
	for _, public := range []string{
		"1.1.1.1", "8.8.8.8", "20.60.0.1", "100.63.255.255", "168.63.129.15", "168.63.129.17", "172.32.0.1", "223.255.255.255", "::ffff:8.8.8.8",
		"2606:4700:4700::1111", "2a00::1",
	} {
		if !Public(netip.MustParseAddr(public)) {
			t.Errorf("%s does not count as public", public)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address counts as public")
	}
}

// The list of hosts means these hosts: no others below them, no other port, no other way of writing an address, and nothing without TLS.
func TestOnlyNamedHosts(t *testing.T) {
	t.Parallel()
	s := Settings{Hosts: []string{"files.example.com", "data.example.com:8443"}}
	for address, want := range map[string]bool{
		"https://files.example.com/a.csv": true, "https://FILES.example.com:443/": true, "https://data.example.com:8443/x?y": true,
		"http://files.example.com/": false, "https://files.example.com:8443/": false, "https://data.example.com/": false,
		"https://files.example.com.evil.example/": false, "https://evil.files.example.com/": false, "https://files.example.com./": false,
		"https://user@files.example.com/": false, "https://files.example.com@evil.example/": false, "https://127.0.0.1/": false,
		"ftp://files.example.com/": false, "file:///etc/passwd": false, "https:///a": false, "//files.example.com/": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckURL(u); (err == nil) != want || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := CheckHosts([]string{"a.example", "b.example:8443", "[2606:4700::1]:443"}); err != nil {
		t.Error(err)
	}
	for _, host := range []string{"", "*", "*.example.com", "https://a.example", "a.example/b", "u@a.example", "a b", "a.example:x"} {
		if CheckHosts([]string{host}) == nil {
			t.Errorf("%q is taken for a host", host)
		}
	}
}

// A name that leads to this machine is refused when the connection is made, whatever it led to before (DNS rebinding): nothing arrives.
func TestRebindingIsRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	host := "rebound.example:" + port
	for _, led := range []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1"), netip.MustParseAddr("169.254.169.254")} {
		resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nameServer(t, led), nil }}
		_, err := get(t, Client(Settings{Hosts: []string{host}, resolver: resolver}), "https://"+host+"/")
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", led, err)
		}
	}
	if reached.Load() != 0 {
		t.Error("a request has arrived")
	}
}

// nameServer is a connection to a name server for which every name leads to one address.
func nameServer(t *testing.T, led netip.Addr) net.Conn {
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close(); server.Close() })
	go func() {
		for {
			var length [2]byte // a pipe is no packet connection, so messages come as over TCP, with their length
			if _, err := io.ReadFull(server, length[:]); err != nil {
				return
			}
			text := make([]byte, int(length[0])<<8|int(length[1]))
			if _, err := io.ReadFull(server, text); err != nil {
				return
			}
			answer := answerTo(text, led)
			if _, err := server.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
				return
			}
		}
	}()
	return client
}

func answerTo(question []byte, led netip.Addr) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.Additionals = true, nil
	head := dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Type: m.Questions[0].Type, Class: dnsmessage.ClassINET}
	switch {
	case led.Is4() && head.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: led.As4()}}}
	case led.Is6() && head.Type == dnsmessage.TypeAAAA:
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AAAAResource{AAAA: led.As16()}}}
	}
	text, _ := m.Pack()
	return text
}

// A redirect is followed to an allowed host, as often as is allowed, and tells nobody where it came from.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var referer atomic.Value
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		referer.Store(r.Referer())
		switch r.URL.Path {
		case "/once":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/for-ever":
			http.Redirect(w, r, "/for-ever", http.StatusFound)
		}
	}))
	defer server.Close()
	hosts := []string{strings.TrimPrefix(server.URL, "http://")}
	following := Client(Settings{Hosts: hosts, Redirects: 2, Local: true})
	if status, err := get(t, following, server.URL+"/once?secret"); err != nil || status != http.StatusOK || referer.Load() != "" {
		t.Errorf("to an allowed host: %d, %v, Referer %q", status, err, referer.Load())
	}
	for _, path := range []string{"/away", "/for-ever"} {
		if _, err := get(t, following, server.URL+path); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if status, err := get(t, Client(Settings{Hosts: hosts, Local: true}), server.URL+"/once"); err != nil || status != http.StatusFound {
		t.Errorf("without redirects: %d, %v", status, err)
	}
	if elsewhere.Load() != 0 {
		t.Error("a host that is not allowed was reached")
	}
}

// Where it is not said that this machine is meant, it is not reached by its name or address either, and no proxy of the environment is used.
func TestThisMachineIsRefused(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:9")
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, "[::ffff:127.0.0.1]:" + port} {
		if _, err := get(t, Client(Settings{Hosts: []string{host}}), "https://"+host); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// get returns the status of the response to a GET request.
func get(t *testing.T, client *http.Client, address string) (int, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}
