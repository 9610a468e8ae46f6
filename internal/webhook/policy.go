package webhook

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"sheetdrop/internal/outbound"
)

// Settings say which addresses may be called.
type Settings struct {
	// Hosts are the names that may be called by https: hooks.example.com, *.example.com for all names below it, or * for all of the public
	// internet; with :8443 behind it for a port other than 443. None means that there are no webhooks, but to this machine when local.
	Hosts []string `env:"WEBHOOK_HOSTS" envSeparator:","`
	Local bool     // whether this machine may be called, by http as well; set where the app is local
}

// Policy says which addresses may be called. Its zero value allows none.
type Policy struct {
	hosts []host
	local bool
}

// host is an entry of Settings.Hosts.
type host struct{ name, port string }

var hostName = regexp.MustCompile(`^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*)$`)

// NewPolicy returns the policy of settings; it fails on an entry that is no host.
func NewPolicy(s Settings) (Policy, error) {
	p := Policy{local: s.Local}
	for _, text := range s.Hosts {
		text = strings.ToLower(strings.TrimSpace(text))
		if text == "" {
			continue
		}
		name, port, found := strings.Cut(text, ":")
		if !found {
			port = "443"
		}
		if !hostName.MatchString(name) || !isPort(port) {
			return Policy{}, fmt.Errorf("WEBHOOK_HOSTS has %q; an entry is a host's name, such as hooks.example.com, *.example.com or hooks.example.com:8443", text)
		}
		p.hosts = append(p.hosts, host{name, port})
	}
	return p, nil
}

var port = regexp.MustCompile(`^[1-9][0-9]{0,4}$`)

func isPort(text string) bool { return port.MatchString(text) }

// Off reports whether no address may be called.
func (p Policy) Off() bool { return len(p.hosts) == 0 && !p.local }

// maxURL is how long an address may be, in bytes.
const maxURL = 2048

// The reasons for which an address is refused, in words for its owner.
var (
	errNoURL     = errors.New("it is not an absolute URL without spaces and control characters")
	errTooLong   = fmt.Errorf("it has more than %d bytes", maxURL)
	errScheme    = errors.New("it must begin with https://")
	errUser      = errors.New("it must not have a user name or password")
	errFragment  = errors.New("it must not have a fragment (#)")
	errHost      = errors.New("its host is not one that this server may call (setting WEBHOOK_HOSTS)")
	errNotPublic = errors.New("its host has no public address")
)

// Check parses an address, or says why it is not allowed.
func (p Policy) Check(text string) (*url.URL, error) {
	if len(text) > maxURL {
		return nil, errTooLong
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Opaque != "", u.Hostname() == "", strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }):
		return nil, errNoURL
	case u.User != nil:
		return nil, errUser
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, errFragment
	}
	return u, p.checkHost(u)
}

func (p Policy) checkHost(u *url.URL) error {
	if p.local && isLoopback(u) {
		if u.Scheme != "https" && u.Scheme != "http" {
			return errScheme
		}
		return nil
	}
	if u.Scheme != "https" {
		return errScheme
	}
	name, at := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	if at == "" {
		at = "443"
	}
	if address, err := netip.ParseAddr(name); err == nil && !outbound.Public(address) {
		return errNotPublic
	}
	for _, allowed := range p.hosts {
		if allowed.port == at && allowed.covers(name) {
			return nil
		}
	}
	return errHost
}

// covers reports whether the entry allows a name.
func (h host) covers(name string) bool {
	below, wild := strings.CutPrefix(h.name, "*")
	return h.name == name || wild && strings.HasSuffix(name, below) && len(name) > len(below)
}

// isLoopback reports whether the URL names this machine.
func isLoopback(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && loopback(address)
}

// loopback reports whether an address is this machine's.
func loopback(address netip.Addr) bool { return address.Unmap().IsLoopback() }
