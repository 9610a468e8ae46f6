package page_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	page "sheetdrop/web-page"
)

const store = "https://files.example"

var served = page.New(store)

func get(t *testing.T, path string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	served.ServeHTTP(w, r)
	return w.Result()
}

// A link to a file, a sheet or its rejects opens the page; an address that means nothing says so.
func TestAddressesOfThePage(t *testing.T) {
	t.Parallel()
	const id = "0192f0c1-0000-7000-8000-000000000001"
	for path, want := range map[string]int{
		"/": 200, "/files/" + id: 200, "/files/" + id + "/sheets/2": 200, "/files/" + id + "/sheets/2/rejects": 200,
		"/files/" + id + "/tasks/" + id + "/sheets/1": 200, "/files/" + id + "/tasks/" + id + "/sheets/1/into": 200, "/tables": 200, "/tables/" + id: 200,
		"/tables/" + id + "/columns": 200, "/tables/" + id + "/sharing": 200, "/tables/" + id + "/choices": 200, "/tables/" + id + "/rows": 404, "/tables/sharing": 404,
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

// On a phone the page is there at once: a browser receives 150 kB at most for all of it, which is compressed. Uncompressed, and so to be read by
// somebody who wants to know what it does, it has 430 kB at most. Each file has a media type, and what a module or the document names is there
// (types are not: only the checker reads them).
func TestAssetsAreSmallAndComplete(t *testing.T) {
	t.Parallel()
	const mostReceived, mostWritten = 150_000, 430_000
	received, written := 0, 0
	named := regexp.MustCompile(`(?:from |import\(|import |src=|href=)["'](\.{0,2}/[^"']+\.\w+)["']`)
	err := fs.WalkDir(os.DirFS("."), "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		written += len(text)
		if sent, err := io.ReadAll(get(t, "/"+name, browser).Body); err == nil {
			received += len(sent)
		}
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
	t.Logf("%d bytes, of which a browser receives %d", written, received)
	if received > mostReceived || written > mostWritten {
		t.Errorf("the page has %d bytes, of which a browser receives %d; it may have %d and %d", written, received, mostWritten, mostReceived)
	}
}

// Every module is fetched with the document, and none one after the other as each names the next: the views that open later are there when the
// connection is not.
func TestDocumentPreloadsEveryModule(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("assets/index.html")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Glob("assets/*.js")
	if err != nil || len(modules) == 0 {
		t.Fatal(modules, err)
	}
	for _, name := range modules {
		if !strings.Contains(string(document), `="/`+filepath.ToSlash(name)+`"`) {
			t.Errorf("the document does not name %s", name)
		}
	}
}

// browser is what browsers accept.
var browser = http.Header{"Accept-Encoding": {"gzip, deflate, br, zstd"}}

// A browser receives the page compressed; whoever does not accept that receives it as it was written. Neither gets the other's bytes from a
// cache in between.
func TestAssetsAreCompressed(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("assets/main.js")
	if err != nil {
		t.Fatal(err)
	}
	for accept, coding := range map[string]string{
		"gzip": "gzip", "GZIP ; Q=0.5": "gzip", "br, *": "gzip", "deflate;q=1, gzip;q=1.0": "gzip", "x-gzip": "gzip",
		"": "", "identity": "", "gzip;q=0": "", "br, *;q=0": "", "gzip;q=0.000, *": "", "gzip;q=much": "", "notgzip": "",
	} {
		answer := get(t, "/assets/main.js", http.Header{"Accept-Encoding": {accept}})
		if answer.Header.Get("Content-Encoding") != coding || answer.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: Content-Encoding %q, Vary %q", accept, answer.Header.Get("Content-Encoding"), answer.Header.Get("Vary"))
			continue
		}
		body := io.Reader(answer.Body)
		if coding != "" {
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatalf("%q: %v", accept, err)
			}
		}
		if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: %d bytes, %v; want %d", accept, len(got), err, len(want))
		}
	}
}

// Of each form a browser can ask whether it has changed, how long it is, and for a part of it.
func TestFormsOfAnAssetAreToldApart(t *testing.T) {
	t.Parallel()
	plain, packed := get(t, "/assets/main.js", nil), get(t, "/assets/main.js", browser)
	if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
		t.Errorf("both forms have the ETag %s", plain.Header.Get("ETag"))
	}
	conditional := func(etag, accept string) *http.Response {
		return get(t, "/assets/main.js", http.Header{"If-None-Match": {etag}, "Accept-Encoding": {accept}})
	}
	same := conditional(packed.Header.Get("ETag"), "gzip")
	if same.StatusCode != http.StatusNotModified || same.Header.Get("Vary") != "Accept-Encoding" || same.Header.Get("ETag") != packed.Header.Get("ETag") {
		t.Errorf("the compressed form: %d %v", same.StatusCode, same.Header)
	}
	if other := conditional(packed.Header.Get("ETag"), "identity"); other.StatusCode != http.StatusOK || other.Header.Get("Content-Encoding") != "" {
		t.Errorf("the other form: %d %v", other.StatusCode, other.Header)
	}
	for _, form := range []*http.Response{plain, packed} {
		header := http.Header{"Accept-Encoding": {form.Header.Get("Content-Encoding")}}
		r := httptest.NewRequest(http.MethodHead, "/assets/main.js", nil)
		r.Header = header
		w := httptest.NewRecorder()
		served.ServeHTTP(w, r)
		body, err := io.ReadAll(form.Body)
		if err != nil || w.Body.Len() > 0 || w.Header().Get("Content-Length") != strconv.Itoa(len(body)) ||
			w.Header().Get("ETag") != form.Header.Get("ETag") || w.Header().Get("Content-Encoding") != form.Header.Get("Content-Encoding") {
			t.Errorf("HEAD: %v, %d bytes; GET has %d bytes, %v", w.Header(), w.Body.Len(), len(body), form.Header)
		}
		header.Set("Range", "bytes=10-19")
		part := get(t, "/assets/main.js", header)
		if got, err := io.ReadAll(part.Body); err != nil || part.StatusCode != http.StatusPartialContent || !bytes.Equal(got, body[10:20]) ||
			part.Header.Get("Content-Length") != "10" {
			t.Errorf("a part: %d, %d bytes, %v", part.StatusCode, len(got), part.Header)
		}
	}
}

// Another product's page loads the drop zone, which is at most 30 kB as it was written; nothing else of the page is for other origins.
func TestEmbedScriptIsSmallAndShared(t *testing.T) {
	t.Parallel()
	const most = 30_000
	plain, packed := get(t, "/embed.js", nil), get(t, "/embed.js", browser)
	text, err := io.ReadAll(plain.Body)
	if err != nil {
		t.Fatal(err)
	}
	received, err := io.ReadAll(packed.Body)
	if err != nil || plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%d %v, %v", plain.StatusCode, plain.Header, err)
	}
	if t.Logf("%d bytes, of which a browser receives %d", len(text), len(received)); len(text) > most {
		t.Errorf("%d bytes; it may have %d", len(text), most)
	}
	for path, want := range map[string]string{"/embed.js": "cross-origin", "/": "same-origin", "/assets/main.js": "same-origin", "/embed.html": "same-origin"} {
		if got := get(t, path, nil).Header.Get("Cross-Origin-Resource-Policy"); got != want {
			t.Errorf("%s: Cross-Origin-Resource-Policy %q, want %q", path, got, want)
		}
	}
	for _, unsafe := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "setAttribute(\"style", ".style"} {
		if bytes.Contains(text, []byte(unsafe)) {
			t.Errorf("the script has %s, which a page's policy may stop", unsafe)
		}
	}
}
