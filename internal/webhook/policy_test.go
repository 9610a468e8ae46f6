package webhook

import (
	"strings"
	"testing"
)

func policy(t *testing.T, s Settings) Policy {
	t.Helper()
	p, err := NewPolicy(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Only https, to hosts of the list and on their ports, and without anything that reads differently for people and for programs.
func TestAddressesThatMayBeCalled(t *testing.T) {
	t.Parallel()
	listed := policy(t, Settings{Hosts: []string{"hooks.example.com", " *.Example.org ", "other.example.net:8443", ""}})
	for address, want := range map[string]error{
		"https://hooks.example.com/a?token=1": nil, "https://HOOKS.example.com./": nil, "https://hooks.example.com:443/": nil,
		"https://a.b.example.org/": nil, "https://other.example.net:8443/": nil,

		"http://hooks.example.com/": errScheme, "ftp://hooks.example.com/": errScheme, "//hooks.example.com/": errScheme,
		"https://hooks.example.com:8443/": errHost, "https://other.example.net/": errHost, "https://hooks.example.com.evil.test/": errHost,
		"https://evil.test/?hooks.example.com": errHost, "https://example.org/": errHost, "https://evilexample.org/": errHost, "https://.example.org/": errHost,
		"https://localhost/": errHost, "http://localhost/": errScheme, "https://127.0.0.1/": errNotPublic, "https://[::1]/": errNotPublic,
		"https://[::ffff:10.0.0.1]/": errNotPublic, "https://169.254.169.254/metadata": errNotPublic, "https://1.1.1.1/": errHost, "https://2130706433/": errHost,
		"https://user:password@hooks.example.com/": errUser, "https://hooks.example.com@evil.test/": errUser,
		"https://hooks.example.com/#a": errFragment, "https://hooks.example.com/#": errFragment,
		"https://hooks.example.com/\r\nX: 1": errNoURL, "https://hooks.example.com/ a": errNoURL, "https://hooks.example.com\\@evil.test/": errNoURL,
		"https://hooks.example。com/": errNoURL, "https:hooks.example.com": errNoURL, "https://": errNoURL, "": errNoURL, "/path": errNoURL,
		"https://hooks.example.com/" + strings.Repeat("a", maxURL): errTooLong,
	} {
		if _, err := listed.Check(address); err != want { //nolint:errorlint // the very one
			t.Errorf("%.100q: %v, want %v", address, err, want)
		}
	}
	everywhere := policy(t, Settings{Hosts: []string{"*"}})
	for address, want := range map[string]error{
		"https://anything.test/": nil, "https://1.1.1.1/": nil, "https://10.0.0.1/": errNotPublic, "https://[fd00::1]/": errNotPublic,
		"http://anything.test/": errScheme, "https://anything.test:8443/": errHost,
	} {
		if _, err := everywhere.Check(address); err != want { //nolint:errorlint // the very one
			t.Errorf("with *, %q: %v, want %v", address, err, want)
		}
	}
}

// This machine may be called where everybody who calls is on it, and nowhere else.
func TestLoopbackIsForLocalApps(t *testing.T) {
	t.Parallel()
	local := policy(t, Settings{Local: true})
	for address, want := range map[string]error{
		"http://127.0.0.1:8080/": nil, "https://localhost:1/": nil, "http://[::1]:9/": nil, "ftp://localhost/": errScheme,
		"http://10.0.0.1/": errScheme, "https://10.0.0.1/": errNotPublic, "https://hooks.example.com/": errHost,
	} {
		if _, err := local.Check(address); err != want { //nolint:errorlint // the very one
			t.Errorf("%q: %v, want %v", address, err, want)
		}
	}
	if local.Off() || !policy(t, Settings{}).Off() || policy(t, Settings{Hosts: []string{"a.test"}}).Off() || !policy(t, Settings{Hosts: []string{" "}}).Off() {
		t.Error("webhooks are off where no address may be called, and only there")
	}
}

func TestHostsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"https://a.test", "a.test/path", "a b", "a.test:0", "a.test:x", "a.*.test", "*a.test", "[::1]", "a..test"} {
		if _, err := NewPolicy(Settings{Hosts: []string{text}}); err == nil {
			t.Errorf("%q is taken for a host", text)
		}
	}
}
