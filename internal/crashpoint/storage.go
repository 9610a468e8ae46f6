//go:build crashpoints

package crashpoint

import (
	"cmp"
	"net/http"
	"net/url"
)

// Storage watches the calls that go through a transport.
func Storage(transport http.RoundTripper) http.RoundTripper { return watched{transport} }

type watched struct{ next http.RoundTripper }

// RoundTrip is one call of storage, an effect where it is answered well.
func (w watched) RoundTrip(request *http.Request) (*http.Response, error) {
	effect := cmp.Or(name(), request.Method+" "+component(request.URL))
	reach(request.Context(), effect)
	response, err := w.next.RoundTrip(request)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		return response, err
	}
	passed(effect)
	if loses(effect) {
		_ = response.Body.Close()
		return nil, errLost
	}
	return response, nil
}

// component says which part of a blob a call is about: the SDK sends the blocks of a large upload from goroutines of its own.
func component(u *url.URL) string { return cmp.Or(u.Query().Get("comp"), "blob") }
