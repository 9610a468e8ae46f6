package house

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// P8: a deployment whose files anybody can read, or anybody who says that the platform has signed them in, does not
// count as one that works.
func TestSmoke(t *testing.T) {
	t.Parallel()
	answer := func(status int, kind string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
		}
	}
	believing := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-MS-CLIENT-PRINCIPAL") == "" {
			w.WriteHeader(http.StatusFound)
		}
	}
	for name, c := range map[string]struct {
		app    http.HandlerFunc
		passes bool
	}{
		"sent to sign in":         {answer(http.StatusFound, ""), true},
		"refused by the platform": {answer(http.StatusUnauthorized, "text/html"), true},
		"refused by the handler":  {answer(http.StatusUnauthorized, "application/problem+json"), false},
		"let in":                  {answer(http.StatusOK, "application/json"), false},
		"believed":                {believing, false},
		"not there":               {answer(http.StatusNotFound, ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := http.NewServeMux()
			app.HandleFunc("/", c.app)
			app.HandleFunc("/api/health", func(http.ResponseWriter, *http.Request) {})
			server := httptest.NewServer(app)
			defer server.Close()
			if out, err := script(t, "smoke.sh", server.URL).CombinedOutput(); (err == nil) != c.passes {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// site is a publishing site as Flex Consumption has them. It answers by the lists, one answer a request, and the last one again and again.
type site struct {
	sending  []string // statuses of sending; "" breaks the connection off
	watching []string // statuses of asking for the deployment, or with 200 its state
	sent     int
	nameless bool // it does not say which deployment it is
	faults   []string
}

const (
	aPackage    = "PK a package"
	aDeployment = "8f6c1b8e-0000-4000-8000-1234567890ab"
)

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer a-token" {
		s.faults = append(s.faults, "no token: "+r.URL.String())
	}
	id, quoted := aDeployment, `"`+aDeployment+`"`
	if s.nameless {
		id, quoted = "latest", ""
	}
	switch r.Method + " " + r.URL.String() {
	case "POST /api/publish?RemoteBuild=false":
		s.sent++
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != aPackage || r.Header.Get("Content-Type") != "application/zip" {
			s.faults = append(s.faults, "not the package")
		}
		s.answer(w, &s.sending, quoted)
	case "GET /api/deployments/" + id:
		s.answer(w, &s.watching, "")
	case "GET /api/deployments/" + id + "/log":
		_, _ = io.WriteString(w, `[{"message":"the package has no host.json"}]`)
	default:
		s.faults = append(s.faults, r.Method+" "+r.URL.String())
		w.WriteHeader(http.StatusNotFound)
	}
}

// answer returns the next answer of a list: a status, or a state of the deployment.
func (s *site) answer(w http.ResponseWriter, answers *[]string, id string) {
	next := (*answers)[0]
	if len(*answers) > 1 {
		*answers = (*answers)[1:]
	}
	switch next {
	case "":
		panic(http.ErrAbortHandler)
	case "202":
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, id)
	case "401":
		w.WriteHeader(http.StatusUnauthorized)
	case "404":
		w.WriteHeader(http.StatusNotFound)
	case "409":
		w.WriteHeader(http.StatusConflict)
	case "503":
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		_, _ = io.WriteString(w, `{"id":"`+aDeployment+`","status":`+next+`,"status_text":"","complete":false}`)
	}
}

// A package counts as published when the site says that it is deployed, and as not published when it says so or says
// nothing: whatever happens on the way, the step neither passes by mistake nor waits for ever.
func TestPublish(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		site
		passes bool
		says   string
		sent   int
	}{
		"deployed":                   {site{sending: []string{"202"}, watching: []string{"404", "0", "1", "2", "4"}}, true, "deployed", 1},
		"deployed in part":           {site{sending: []string{"202"}, watching: []string{"2", "6"}}, true, "in part", 1},
		"deployed without a name":    {site{sending: []string{"202"}, watching: []string{"2", "4"}, nameless: true}, true, "deployed", 1},
		"failed":                     {site{sending: []string{"202"}, watching: []string{"1", "3"}}, false, "no host.json", 1},
		"in conflict":                {site{sending: []string{"202"}, watching: []string{"5"}}, false, "not deployed", 1},
		"canceled":                   {site{sending: []string{"202"}, watching: []string{"-1"}}, false, "not deployed", 1},
		"pending for ever":           {site{sending: []string{"202"}, watching: []string{"0"}}, false, "given up", 1},
		"never there":                {site{sending: []string{"202"}, watching: []string{"404"}}, false, "given up", 1},
		"no right to publish":        {site{sending: []string{"401"}}, false, "refused: 401", 1},
		"no right to watch":          {site{sending: []string{"202"}, watching: []string{"401"}}, false, "may not be watched", 1},
		"not taken at first":         {site{sending: []string{"503", "202"}, watching: []string{"4"}}, true, "deployed", 2},
		"never taken":                {site{sending: []string{"503"}}, false, "given up", 0},
		"answers fail in between":    {site{sending: []string{"202"}, watching: []string{"1", "503", "", "2", "4"}}, true, "deployed", 1},
		"the answer to it is lost":   {site{sending: []string{"", "409", "202"}, watching: []string{"4"}}, true, "deployed", 3},
		"nobody answers, at no time": {site{sending: []string{""}}, false, "given up", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&c.site)
			defer server.Close()
			pack := filepath.Join(t.TempDir(), "app.zip")
			if err := os.WriteFile(pack, []byte(aPackage), 0o600); err != nil {
				t.Fatal(err)
			}
			publish := script(t, "publish.sh", server.URL, pack)
			time := "PUBLISH_SECONDS=120"
			if c.says == "given up" {
				time = "PUBLISH_SECONDS=1"
			}
			publish.Env = append(publish.Env, "PUBLISH_PAUSE=0.1", time)
			out, err := publish.CombinedOutput()
			if (err == nil) != c.passes || !bytes.Contains(out, []byte(c.says)) {
				t.Errorf("%v\n%s", err, out)
			}
			server.Close() // and nobody writes any more
			if c.faults != nil || c.sent > 0 && c.site.sent != c.sent {
				t.Errorf("sent %d times, %q", c.site.sent, c.faults)
			}
		})
	}
}

// Without a sign-in nothing is sent.
func TestPublishNeedsSignIn(t *testing.T) {
	t.Parallel()
	nobody := &site{}
	server := httptest.NewServer(nobody)
	defer server.Close()
	publish := script(t, "publish.sh", server.URL, filepath.Join(root, "go.mod"))
	publish.Env = append(publish.Env, "SIGNED_OUT=1")
	if out, err := publish.CombinedOutput(); err == nil || nobody.sent > 0 {
		t.Errorf("sent %d times, %v\n%s", nobody.sent, err, out)
	}
}

// script is a script of infra, for whom `az` has signed in unless SIGNED_OUT says otherwise.
func script(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	folder := t.TempDir()
	const az = `#!/bin/sh
[ -z "$SIGNED_OUT" ] && [ "$*" = "account get-access-token --resource https://management.azure.com --query accessToken --output tsv" ] && echo a-token
`
	if err := os.WriteFile(filepath.Join(folder, "az"), []byte(az), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "infra", name)
	if _, err := os.Stat(path); err != nil { // and the result of the test is not kept when the script changes
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{path}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+strings.Join([]string{folder, os.Getenv("PATH")}, string(filepath.ListSeparator)))
	return cmd
}
