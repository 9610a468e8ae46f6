package page_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	page "sheetdrop/web-page"
)

const store = "https://files.example"

func get(t *testing.T, path string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	page.New(store).ServeHTTP(w, r)
	return w.Result()
}

// A link to a file, a sheet or its rejects opens the page; an address that means nothing says so.
func TestAddressesOfThePage(t *testing.T) {
	t.Parallel()
	const id = "0192f0c1-0000-7000-8000-000000000001"
	for path, want := range map[string]int{
		"/": 200, "/files/" + id: 200, "/files/" + id + "/sheets/2": 200, "/files/" + id + "/sheets/2/rejects": 200,
		"/files/" + id + "/tasks/" + id + "/sheets/1": 200, "/files/" + id + "/tasks/" + id + "/sheets/1/into": 200, "/tables": 200, "/tables/" + id: 200,
		"/operate": 200, "/operate/outbox": 200, "/operate/x": 404, "/tables/x": 404,
		"/files": 404, "/files/x": 404, "/assets/": 404, "/assets/none.js": 404, "/index.html": 404, "/parse-worker": 404, "/assets/../page.go": 404,
	} {
		answer := get(t, path, nil)
		if answer.StatusCode != want || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %s, want %d", path, answer.StatusCode, answer.Header.Get("Content-Type"), want)
		}
	}
}

// Whatever gets onto the page, it loads nothing from elsewhere, runs nothing that is not ours, and sends nothing but to us and the store.
func TestHeadersOfThePage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/assets/main.js", "/nothing"} {
		header := get(t, path, nil).Header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-cache",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		policy := header.Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self' " + store + ";", "frame-ancestors 'none'",
			"base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
		} {
			if !strings.Contains(policy+";", want) {
				t.Errorf("%s: the policy lacks %q: %s", path, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy allows what is unsafe: %s", path, policy)
		}
	}
}

// A page that was loaded once is asked for again at no cost, and a new version is there at the next load.
func TestUnchangedAssetsAreNotSentAgain(t *testing.T) {
	t.Parallel()
	first := get(t, "/assets/main.js", nil)
	etag := first.Header.Get("ETag")
	if first.StatusCode != http.StatusOK || etag == "" {
		t.Fatalf("%d, ETag %q", first.StatusCode, etag)
	}
	if again := get(t, "/assets/main.js", http.Header{"If-None-Match": {etag}}); again.StatusCode != http.StatusNotModified {
		t.Errorf("%d, want 304", again.StatusCode)
	}
	if changed := get(t, "/assets/main.js", http.Header{"If-None-Match": {`"another"`}}); changed.StatusCode != http.StatusOK {
		t.Errorf("%d, want 200", changed.StatusCode)
	}
}

// On a phone the page is there at once: all of it is 320 kB at most, each file has a media type, and what a module or the document names
// is there (types are not: only the checker reads them).
func TestAssetsAreSmallAndComplete(t *testing.T) {
	t.Parallel()
	const most = 320_000
	total := 0
	named := regexp.MustCompile(`(?:from |import\(|import |src=|href=)["'](\.{0,2}/[^"']+\.\w+)["']`)
	err := fs.WalkDir(os.DirFS("."), "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		total += len(text)
		if answer := get(t, "/"+name, nil); filepath.Base(name) != "index.html" && (answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") == "") {
			t.Errorf("%s: %d %q", name, answer.StatusCode, answer.Header.Get("Content-Type"))
		}
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			path := match[1]
			if strings.HasPrefix(path, ".") {
				path = "/" + filepath.Join(filepath.Dir(name), path)
			}
			if answer := get(t, path, nil); answer.StatusCode != http.StatusOK {
				t.Errorf("%s names %s, which is not there", name, match[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > most {
		t.Errorf("the page has %d bytes, and may have %d", total, most)
	}
}
