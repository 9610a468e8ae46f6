package upload

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"sheetdrop/upload-api/internal/problem"
)

// The values of AUTH.
const (
	AuthLocal    = "local"    // callers on this machine only
	AuthEasyAuth = "easyauth" // the platform signs callers in and says who they are
)

// admit identifies the caller and rejects changes that a page of another origin makes a browser send.
func (h *Handler) admit(r *http.Request) (Caller, error) {
	caller, err := h.identify(r)
	if err != nil {
		return Caller{}, err
	}
	if err := new(http.CrossOriginProtection).Check(asSent(r)); err != nil {
		return Caller{}, problem.New(problem.CrossSite, "Requests from a page of another site must not change anything.")
	}
	return caller, nil
}

// asSent returns the request with the host name the client used, which the proxy in front keeps in a header that no web
// page can set.
func asSent(r *http.Request) *http.Request {
	names := listed(r.Header.Values("X-Forwarded-Host"))
	if len(names) == 0 {
		return r
	}
	sent := r.WithContext(r.Context()) // a copy
	sent.Host = names[len(names)-1]
	return sent
}

// identify is the only place that decides who the caller is.
func (h *Handler) identify(r *http.Request) (Caller, error) {
	if h.settings.Auth == AuthLocal {
		return identifyLocal(r)
	}
	return identifyPrincipal(r.Header.Get("X-MS-CLIENT-PRINCIPAL"))
}

// identifyLocal admits callers on this machine. Behind the host's proxy every request comes from the loopback
// interface, so the forwarded client address counts as well. A web page whose own name was made to resolve to loopback
// (DNS rebinding) is recognised by that name.
func identifyLocal(r *http.Request) (Caller, error) {
	addresses := append([]string{r.RemoteAddr}, listed(r.Header.Values("X-Forwarded-For"))...)
	names := append([]string{r.Host}, listed(r.Header.Values("X-Forwarded-Host"))...)
	for _, address := range addresses {
		if !isLoopback(withoutPort(address)) {
			return Caller{}, problem.New(problem.NotLocal, "With AUTH=local only callers on the same machine are admitted.")
		}
	}
	for _, name := range names {
		if host := withoutPort(name); !strings.EqualFold(host, "localhost") && !isLoopback(host) {
			return Caller{}, problem.New(problem.NotLocal, "With AUTH=local the server must be addressed as localhost or by a loopback address.")
		}
	}
	return Caller{Owner: "local", Operator: true}, nil
}

// listed splits headers that hold lists, which may span several lines.
func listed(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	list := strings.Split(strings.Join(values, ","), ",")
	for i, v := range list {
		list[i] = strings.TrimSpace(v)
	}
	return list
}

func withoutPort(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
}

func isLoopback(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && ip.Unmap().IsLoopback()
}
