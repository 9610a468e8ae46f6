package upload

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// P8: AUTH=local is for this machine alone, also behind a proxy on this machine and against a page that has its own name lead here.
func TestIdentifyLocal(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		remote, host string
		headers      map[string]string
		in           bool
	}{
		"direct":                  {"127.0.0.1:5000", "127.0.0.1:8080", nil, true},
		"IPv6":                    {"[::1]:5000", "[::1]:8080", nil, true},
		"mapped IPv4":             {"[::ffff:127.0.0.1]:5000", "localhost", nil, true},
		"through the host":        {"127.0.0.1:5000", "127.0.0.1:8080", map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost:7071"}, true},
		"with a port":             {"127.0.0.1:5000", "127.0.0.1:8080", map[string]string{"X-Forwarded-For": "[::1]:4711"}, true},
		"from elsewhere":          {"192.0.2.7:5000", "localhost:8080", nil, false},
		"through, from elsewhere": {"127.0.0.1:5000", "127.0.0.1:8080", map[string]string{"X-Forwarded-For": "192.0.2.7"}, false},
		"through two proxies":     {"127.0.0.1:5000", "127.0.0.1:8080", map[string]string{"X-Forwarded-For": "127.0.0.1, 192.0.2.7"}, false},
		"rebound name":            {"127.0.0.1:5000", "evil.example:8080", nil, false},
		"rebound name, through":   {"127.0.0.1:5000", "127.0.0.1:8080", map[string]string{"X-Forwarded-Host": "evil.example"}, false},
		"name like localhost":     {"127.0.0.1:5000", "localhost.evil.example", nil, false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/api/files", nil)
		r.RemoteAddr, r.Host = test.remote, test.host
		for header, value := range test.headers {
			r.Header.Set(header, value)
		}
		got, err := identifyLocal(r)
		if in := err == nil; in != test.in || in && !reflect.DeepEqual(got, caller.Caller{Owner: "local", Operator: true}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// P8: whoever is not signed in gets nothing but the word that the server lives, and a word that cannot be read is no word.
func TestNobodySignedIn(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	const id = "/0197c7ba-0000-7000-8000-000000000000"
	header := func(text string) string {
		return "X-MS-CLIENT-PRINCIPAL: " + base64.StdEncoding.EncodeToString([]byte(text))
	}
	for _, headers := range [][]string{
		nil,
		{"X-MS-CLIENT-PRINCIPAL: ?"},
		{header(`{`)},
		{header(`{}`)},
		{header(`{"auth_typ":"aad","claims":[{"typ":"name","val":"Ann"},{"typ":"oid","val":"only half of an id"}]}`)},
		{"X-MS-CLIENT-PRINCIPAL-ID: ann", "X-MS-CLIENT-PRINCIPAL-NAME: ann"},
	} {
		for _, path := range []string{"/api/files", "/api/files" + id, "/api/tasks" + id, "/api/ready", "/api/openapi.json", "/api/nothing"} {
			d.get(path, headers...).problem(problem.SignInNeeded)
		}
		d.post("/api/files?name=a.csv", "a", headers...).problem(problem.SignInNeeded)
	}
	d.nothingLeft()
	if a := d.get("/api/health"); a.status != http.StatusOK {
		t.Errorf("health: %d", a.status)
	}
}

// P8: owners are told apart by ids that last, whatever names they have.
func TestOwner(t *testing.T) {
	t.Parallel()
	const tenant, object = "http://schemas.microsoft.com/identity/claims/tenantid", "http://schemas.microsoft.com/identity/claims/objectidentifier"
	for _, test := range []struct {
		principal principal
		want      caller.Caller
	}{
		{principal{Provider: "aad", Claims: []claim{{tenant, "t"}, {object, "o"}, {"name", "Ann"}}}, caller.Caller{Owner: "aad:t/o"}},
		{principal{Provider: "aad", Claims: []claim{{"oid", "o"}, {"tid", "t"}, {"sub", "s"}}}, caller.Caller{Owner: "aad:t/o"}},
		{principal{Provider: "google", Claims: []claim{{"iss", "https://accounts.google.com"}, {"sub", "1"}}}, caller.Caller{Owner: "google:https://accounts.google.com/1"}},
		{principal{Provider: "aad", RoleType: "myrole", Claims: []claim{{"oid", "o"}, {"tid", "t"}, {"myrole", "operator"}}}, caller.Caller{Owner: "aad:t/o", Operator: true, Roles: []string{"operator"}}},
		{principal{Provider: "aad", Claims: []claim{{"oid", "o"}, {"tid", "t"}, {"roles", "reader"}, {"roles", "operator"}}}, caller.Caller{Owner: "aad:t/o", Operator: true, Roles: []string{"reader", "operator"}}},
		{principal{Provider: "aad", Claims: []claim{{"oid", "o"}, {"tid", "t"}, {"name", "operator"}}}, caller.Caller{Owner: "aad:t/o"}},
	} {
		got, err := identifyPrincipal(base64.StdEncoding.EncodeToString([]byte(jsonOf(test.principal))))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: %+v, %v", test.principal, got, err)
		}
	}
}

// A page of another site can make a browser send requests; those that change something are refused.
func TestCrossSite(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const cross = "Sec-Fetch-Site: cross-site"
	d.post("/api/files?name=a.csv", "a", cross).problem(problem.CrossSite)
	taken := d.upload("a.csv", "a", "Sec-Fetch-Site: same-origin")
	d.send(http.MethodDelete, "/api/files/"+taken.File.ID.String(), nil, cross).problem(problem.CrossSite)
	d.send(http.MethodPost, "/api/tasks/"+taken.Task.ID.String()+"/cancel", nil, cross).problem(problem.CrossSite)
	if a := d.get("/api/files/"+taken.File.ID.String(), cross); a.status != http.StatusOK {
		t.Errorf("reading: %d", a.status)
	}
	for _, page := range [][]string{
		{"Sec-Fetch-Site: same-site"}, {"Sec-Fetch-Site: CROSS-SITE"}, {"Sec-Fetch-Site: same-site", "Origin: http://localhost"}, // another port, a sibling's name
		{"Origin: http://evil.example"}, {"Origin: null"}, {"Origin: http://localhost:1"}, // browsers without Fetch Metadata
		{"Origin: http://evil.example", "X-Forwarded-Host: localhost"},
	} {
		d.post("/api/files?name=a.csv", "a", page...).problem(problem.CrossSite)
	}
	d.upload("a.csv", "a", "Origin: http://localhost:7071", "X-Forwarded-Host: localhost:7071") // our own page behind the host's proxy
	d.upload("a.csv", "a", "Origin: http://localhost:1", "Sec-Fetch-Site: same-origin")
}

// P8: where it is deployed it does not start without the platform's authentication.
func TestSettings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings Settings
		good     bool
	}{
		"local":                        {Settings{Auth: AuthLocal, MaxBytes: 1, AtOnce: 1}, true},
		"nobody in front":              {Settings{Auth: AuthEasyAuth, MaxBytes: 1, AtOnce: 1}, false},
		"the platform in front":        {Settings{Auth: AuthEasyAuth, MaxBytes: 1, AtOnce: 1, Platform: Platform{AuthEnabled: true}}, true},
		"deployed":                     {Settings{Auth: AuthEasyAuth, MaxBytes: 1, AtOnce: 1, Platform: Platform{PodName: "p", AuthEnabled: true}}, true},
		"deployed, switched off":       {Settings{Auth: AuthEasyAuth, MaxBytes: 1, AtOnce: 1, Platform: Platform{PodName: "p"}}, false},
		"unknown":                      {Settings{Auth: "none", MaxBytes: 1}, false},
		"unset":                        {Settings{MaxBytes: 1}, false},
		"a limit that lets nothing in": {Settings{Auth: AuthLocal, AtOnce: 1}, false},
		"no place for an upload":       {Settings{Auth: AuthLocal, MaxBytes: 1}, false},
	} {
		if _, err := New(test.settings, nil, nil, nil, nil, nil, nil); (err == nil) != test.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// withEasyAuth makes the platform's word of a caller count.
func withEasyAuth() part {
	return withSettings(func(s *Settings) { s.Auth, s.Platform.AuthEnabled = AuthEasyAuth, true })
}

// signedIn is the platform's header for a caller.
func signedIn(name string, roles ...string) string {
	p := principal{Provider: "aad", RoleType: "roles", Claims: []claim{
		{"http://schemas.microsoft.com/identity/claims/tenantid", "tenant"},
		{"http://schemas.microsoft.com/identity/claims/objectidentifier", name},
	}}
	for _, role := range roles {
		p.Claims = append(p.Claims, claim{"roles", role})
	}
	return "X-MS-CLIENT-PRINCIPAL: " + base64.StdEncoding.EncodeToString([]byte(jsonOf(p)))
}
