// Package outbound makes HTTP requests to addresses that people name. A client reaches the hosts of its settings alone, and
// never an address of a private network, of this machine or of the platform, whatever a name resolves to: the address is
// checked when the connection is made, so that a name which changes its address between two look-ups (DNS rebinding) is
// refused as well.
package outbound

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ErrRefused is returned for a URL or an address that the settings do not allow. No request was sent to it.
var ErrRefused = errors.New("not an allowed address")

// Settings say what a client may reach.
type Settings struct {
	// Hosts are names, or names with a port other than that of https. Nil allows every host that is not refused by its
	// address.
	Hosts     []string
	Redirects int           // that are followed, each to an allowed host; with 0 the redirect is the response
	Local     bool          // allows this machine's own addresses, and http to them: for tests and a developer's machine
	Timeout   time.Duration // of connecting, of the TLS handshake and until the response's header; 0 means 10 s for each

	resolver *net.Resolver // nil: the system's
}

// CheckHosts returns an error for a host that no URL can have.
func CheckHosts(hosts []string) error {
	for _, host := range hosts {
		u, err := url.Parse("https://" + host + "/")
		if err != nil || host == "" || u.Host != host || u.User != nil || u.Hostname() == "" || strings.ContainsAny(host, "*/?# ") {
			return fmt.Errorf("%q is not a host: write its name, or its name and a port, such as files.example.com:8443", host)
		}
	}
	return nil
}

// Client returns a client that reaches only what the settings allow, through a Transport. It keeps no cookies and is safe for
// concurrent use. A refused request returns ErrRefused.
func Client(s Settings) *http.Client {
	if s.Timeout == 0 {
		s.Timeout = 10 * time.Second
	}
	transport := Transport(Connections{Allowed: s.mayReach, Connect: s.Timeout, Header: s.Timeout, Resolver: s.resolver})
	return &http.Client{
		Transport: &guard{s, transport},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			switch {
			case s.Redirects == 0:
				return http.ErrUseLastResponse
			case len(via) > s.Redirects:
				return fmt.Errorf("%w: more than %d redirects", ErrRefused, s.Redirects)
			}
			return nil // guard checks the host
		},
	}
}

func (s Settings) mayReach(ip netip.Addr) bool { return Public(ip) || s.Local && ip.IsLoopback() }

// guard checks the URL of each request, those that follow a redirect too.
type guard struct {
	settings Settings
	next     http.RoundTripper
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.settings.CheckURL(r.URL); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Del("Referer") // after a redirect it would have the address before, which may be a secret
	return g.next.RoundTrip(r)
}

// CheckURL returns ErrRefused if a client with these settings sends nothing to the URL.
func (s Settings) CheckURL(u *url.URL) error {
	switch {
	case u.Scheme != "https" && (u.Scheme != "http" || !s.Local):
		return fmt.Errorf("%w: it must begin with https://", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: it must not have a user name", ErrRefused)
	case s.Hosts == nil && u.Hostname() != "", slices.ContainsFunc(s.Hosts, func(host string) bool { return sameHost(host, u) }):
		return nil
	}
	return fmt.Errorf("%w: the host %q is not one of those that are allowed here", ErrRefused, u.Host)
}

// sameHost compares a host of the settings with that of a URL, without regard to case and with the default port left out.
func sameHost(host string, u *url.URL) bool {
	port := u.Port()
	if port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		port = ""
	}
	name, allowedPort, err := net.SplitHostPort(host)
	if err != nil {
		name, allowedPort = strings.Trim(host, "[]"), ""
	}
	if allowedPort == "443" && u.Scheme == "https" {
		allowedPort = ""
	}
	return strings.EqualFold(name, u.Hostname()) && port == allowedPort
}
