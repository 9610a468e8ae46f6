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

// admit identifies the caller and refuses what a page of another origin makes a browser do.
func (h *Handler) admit(r *http.Request) (Caller, error) {
	caller, err := h.identify(r)
	if err != nil {
		return Caller{}, err
	}
	if err := new(http.CrossOriginProtection).Check(asSent(r)); err != nil {
		return Caller{}, problem.New(problem.CrossSite, "A page of another site may not change anything here.")
	}
	return caller, nil
}

// asSent is the request with the host that the client asked for, which the proxy in front has kept in a header that no page can set.
func asSent(r *http.Request) *http.Request {
	names := listed(r.Header.Values("X-Forwarded-Host"))
	if len(names) == 0 {
		return r
	}
	sent := r.WithContext(r.Context()) // a copy
	sent.Host = names[len(names)-1]
	return sent
}

// identify is the one place that says who is asking.
func (h *Handler) identify(r *http.Request) (Caller, error) {
	if h.settings.Auth == AuthLocal {
		return identifyLocal(r)
	}
	return identifyPrincipal(r.Header.Get("X-MS-CLIENT-PRINCIPAL"))
}

// identifyLocal lets callers on this machine in. Behind the host's proxy every request comes from loopback, so the proxy's word of the
// client counts as well; and a page whose own name was made to lead to loopback (DNS rebinding) betrays itself by that name.
func identifyLocal(r *http.Request) (Caller, error) {
	addresses := append([]string{r.RemoteAddr}, listed(r.Header.Values("X-Forwarded-For"))...)
	names := append([]string{r.Host}, listed(r.Header.Values("X-Forwarded-Host"))...)
	for _, address := range addresses {
		if !isLoopback(withoutPort(address)) {
			return Caller{}, problem.New(problem.NotLocal, "With AUTH=local only callers on the same machine are let in.")
		}
	}
	for _, name := range names {
		if host := withoutPort(name); !strings.EqualFold(host, "localhost") && !isLoopback(host) {
			return Caller{}, problem.New(problem.NotLocal, "With AUTH=local the server answers to localhost and loopback addresses only.")
		}
	}
	return Caller{Owner: "local", Operator: true}, nil
}

// listed splits headers that hold lists, which may come in several lines.
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
