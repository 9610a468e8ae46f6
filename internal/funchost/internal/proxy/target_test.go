package proxy

import (
	"net/url"
	"testing"
)

// What the handler gets is a request target that it can read, and that stays the same on its way through another host.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"/api/a%2Fb%20c%25?x=%zz&y=[1]#f", "/../%2e%2e/./a//b/..", "/%C3%A9%ff%E6%97", "*", "/a?", "/%", "/%4", "/%00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, requestURI string) {
		if _, err := url.ParseRequestURI(requestURI); err != nil || requestURI[0] != '/' {
			return // refused by net/http, or by refusal
		}
		first, ok := parseTarget(requestURI)
		if !ok {
			return
		}
		sent := first.String()
		if _, err := url.ParseRequestURI(sent); err != nil {
			t.Errorf("%q is sent as %q: %v", requestURI, sent, err)
		}
		if again, ok := parseTarget(sent); !ok || again.String() != sent {
			t.Errorf("%q is sent as %q, and that as %q", requestURI, sent, again)
		}
	})
}
