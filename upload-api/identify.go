package upload

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// The values of AUTH.
const (
	AuthLocal    = "local"    // callers on this machine only
	AuthEasyAuth = "easyauth" // the platform signs callers in and says who they are
)

// admit identifies the caller and rejects changes that a page of another origin makes a browser send.
func (h *Handler) admit(r *http.Request) (caller.Caller, error) {
	sender, err := h.identify(r)
	if err != nil {
		return caller.Caller{}, err
	}
	if err := new(http.CrossOriginProtection).Check(asSent(r)); err != nil {
		return caller.Caller{}, problem.New(problem.CrossSite, "Requests from a page of another site must not change anything.")
	}
	return sender, nil
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
func (h *Handler) identify(r *http.Request) (caller.Caller, error) {
	if h.settings.Auth == AuthLocal {
		return identifyLocal(r)
	}
	return identifyPrincipal(r.Header.Get("X-MS-CLIENT-PRINCIPAL"))
}

// identifyLocal admits callers on this machine. Behind the host's proxy every request comes from the loopback
// interface, so the forwarded client address counts as well. A web page whose own name was made to resolve to loopback
// (DNS rebinding) is recognised by that name.
func identifyLocal(r *http.Request) (caller.Caller, error) {
	addresses := append([]string{r.RemoteAddr}, listed(r.Header.Values("X-Forwarded-For"))...)
	names := append([]string{r.Host}, listed(r.Header.Values("X-Forwarded-Host"))...)
	for _, address := range addresses {
		if !isLoopback(withoutPort(address)) {
			return caller.Caller{}, problem.New(problem.NotLocal, "With AUTH=local only callers on the same machine are admitted.")
		}
	}
	for _, name := range names {
		if host := withoutPort(name); !strings.EqualFold(host, "localhost") && !isLoopback(host) {
			return caller.Caller{}, problem.New(problem.NotLocal, "With AUTH=local the server must be addressed as localhost or by a loopback address.")
		}
	}
	return caller.Caller{Owner: "local", Operator: true}, nil
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

// operatorRole is the app role whose holders are operators.
const operatorRole = "operator"

// principal is what the platform says about a signed-in caller: base64 of JSON. The platform removes the header from
// outside requests, so it can be trusted exactly where authentication is switched on.
//
// Format: Microsoft Learn, "Work with user identities in Azure App Service authentication", client principal header.
type principal struct {
	Provider string  `json:"auth_typ"`
	RoleType string  `json:"role_typ"`
	Claims   []claim `json:"claims"`
}

type claim struct {
	Type  string `json:"typ"`
	Value string `json:"val"`
}

// The platform passes on some claims under the long names of WS-Federation.
var (
	tenantClaims  = []string{"tid", "http://schemas.microsoft.com/identity/claims/tenantid"}
	objectClaims  = []string{"oid", "http://schemas.microsoft.com/identity/claims/objectidentifier"}
	issuerClaims  = []string{"iss"}
	subjectClaims = []string{"sub", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"}
	roleClaims    = []string{"roles", "http://schemas.microsoft.com/ws/2008/06/identity/claims/role"}
)

func identifyPrincipal(header string) (caller.Caller, error) {
	var p principal
	if header == "" {
		return caller.Caller{}, problem.New(problem.SignInNeeded, "Sign in first.")
	}
	text, err := base64.StdEncoding.DecodeString(header)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return caller.Caller{}, problem.New(problem.SignInNeeded, "The signed-in user cannot be read from the request.")
	}
	owner := p.owner()
	if owner == "" {
		return caller.Caller{}, problem.New(problem.SignInNeeded,
			"The signed-in user has no permanent id: neither a tenant and an object id, nor a subject.")
	}
	return caller.Caller{Owner: owner, Operator: slices.Contains(p.roles(), operatorRole), Roles: p.roles()}, nil
}

// owner consists of ids that are never reused for somebody else, unlike names and mail addresses; "" if they are
// missing.
func (p principal) owner() string {
	if tenant, object := p.first(tenantClaims), p.first(objectClaims); tenant != "" && object != "" {
		return p.Provider + ":" + tenant + "/" + object
	}
	if subject := p.first(subjectClaims); subject != "" {
		return p.Provider + ":" + p.first(issuerClaims) + "/" + subject
	}
	return ""
}

// roles returns the app roles of the sign-in.
func (p principal) roles() (roles []string) {
	types := append([]string{p.RoleType}, roleClaims...)
	for _, c := range p.Claims {
		if slices.Contains(types, c.Type) && c.Value != "" {
			roles = append(roles, c.Value)
		}
	}
	return roles
}

func (p principal) first(types []string) string {
	for _, c := range p.Claims {
		if slices.Contains(types, c.Type) && c.Value != "" {
			return c.Value
		}
	}
	return ""
}
