package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/verify/e2e"
)

// azOf stands in for the Azure CLI where somebody is signed in; the SDK asks it for a token.
const azOf = `#!/bin/sh
case "$*" in
*"--resource api://11111111-2222-3333-4444-555555555555"*) echo '{"accessToken":"a-token","expiresOn":"2099-01-01 00:00:00.000000","expires_on":4070908800,"tokenType":"Bearer"}' ;;
*) echo "ERROR: no such resource: $*" >&2; exit 1 ;;
esac
`

// platformBefore does what App Service does in front of an app: it lets in who has the right token, says who that is, and believes nobody else.
// It is a stand-in, as the real one is not to be had here; the handler behind it is real, and requires its word.
func platformBefore(t *testing.T, app *e2e.App) (address string, refused *atomic.Int32) {
	t.Helper()
	behind, err := url.Parse(app.Host.URL())
	if err != nil {
		t.Fatal(err)
	}
	refused = new(atomic.Int32)
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind)
		r.Out.Header.Set("X-MS-CLIENT-PRINCIPAL", somebody)
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer a-token" {
			refused.Add(1)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		r.Header.Del("Authorization")
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL, refused
}

// The server fetches what the command line names by its URL, and people see it as they see a file of their own.
func TestCommandUploadsByURL(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a,b\n1,2\n")) }))
	t.Cleanup(elsewhere.Close)
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"UPLOAD_URL_HOSTS": strings.TrimPrefix(elsewhere.URL, "http://")}})
	for _, c := range []struct{ url, says string }{
		{elsewhere.URL + "/june/list.csv", "list.csv: 1 row loaded, 0 rejected"},
		{elsewhere.URL + "/july/list.csv", "list.csv: the same as list.csv of "},
		{"https://192.0.2.1/list.csv", "(url_not_allowed)"},
	} {
		cmd := exec.CommandContext(t.Context(), e2e.CommandProgram(t), "upload", c.url, "--url", app.Host.URL())
		cmd.Env = []string{"HOME=" + t.TempDir(), "LC_ALL=C"}
		if text, _ := cmd.CombinedOutput(); !strings.Contains(string(text), c.says) {
			t.Errorf("%s: %s", c.url, text)
		}
	}
}

// Who is signed in to Azure on this machine uploads to a deployed app by a profile, without a token in sight. Without the profile nobody is let
// in, and the token goes to no other server.
func TestDeployedAppIsCalledWithTheAzureSignIn(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True"}})
	front, refused := platformBefore(t, app)
	home, bin := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "az"), []byte(azOf), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "list.csv")
	if err := os.WriteFile(file, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := e2e.CommandProgram(t)
	sheetdrop := func(succeeds bool, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command, args...)
		cmd.Dir = home
		// AZURE_TOKEN_CREDENTIALS leaves the managed identity out of the chain, for which the SDK would look in the network.
		cmd.Env = []string{
			"HOME=" + home, "PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "LC_ALL=C", "AZURE_TOKEN_CREDENTIALS=dev",
		}
		text, err := cmd.CombinedOutput()
		if (err == nil) != succeeds {
			t.Errorf("%q: %v\n%s", args, err, text)
		}
		return string(text)
	}
	if text := sheetdrop(false, "files", "--url="+front); !strings.Contains(text, "requires you to sign in") || refused.Load() == 0 {
		t.Errorf("without a sign-in: %s", text)
	}
	sheetdrop(true, "profile", "add", "deployed", front, "--client-id=11111111-2222-3333-4444-555555555555")
	if text := sheetdrop(true, "upload", file); !strings.Contains(text, "list.csv: 1 row loaded, 0 rejected") {
		t.Errorf("signed in: %s", text)
	}
	if text := sheetdrop(true, "files"); !strings.Contains(text, "list.csv") {
		t.Errorf("signed in: %s", text)
	}
	sheetdrop(true, "profile", "add", "other", front, "--client-id=99999999-2222-3333-4444-555555555555")
	if text := sheetdrop(false, "files", "--profile=other"); !strings.Contains(text, "no Azure sign-in works on this machine") {
		t.Errorf("another application: %s", text)
	}
	if text := sheetdrop(false, "profile", "add", "plain", "http://192.0.2.1", "--client-id=11111111-2222-3333-4444-555555555555"); !strings.Contains(text, "is not https") {
		t.Errorf("without https: %s", text)
	}
	kept, err := os.Stat(filepath.Join(home, ".config", "sheetdrop", "config.json"))
	if err != nil || kept.Mode().Perm() != 0o600 {
		t.Errorf("the profiles are kept as %v, %v", kept, err)
	}
}
