// Package page serves the page in the browser: its documents, styles and modules, which are the same for everybody. What
// people see on it, the page asks the HTTP API for.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

//go:embed assets
var assets embed.FS

// mediaTypes are those of the assets, by the ending of their names.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

type asset struct {
	text      string
	mediaType string
	etag      string
}

// New returns the handler of everything but the API. store is the origin of the blob service, the one place besides the
// page's own origin that the page may send to.
func New(store string) http.Handler {
	p := &page{assets: map[string]asset{}, policy: policy(store)}
	_ = fs.WalkDir(assets, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := assets.ReadFile(name)
		sum := sha256.Sum256(text)
		p.assets["/"+name] = asset{string(text), mediaTypes[path.Ext(name)], `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
		return err
	}) // an embedded file can be read
	return p
}

// policy returns the Content-Security-Policy: nothing from elsewhere, no inline script or style, no HTML made from text.
func policy(store string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "worker-src 'self'", "connect-src 'self' " + store,
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
	}, "; ")
}

type page struct {
	assets map[string]asset
	policy string
}

// views are the addresses that the page knows: the list; below a file its tasks, sheets, rejects, and the way of a sheet into a table; the
// tables; and the part for operators.
var views = regexp.MustCompile(`^/(operate(/(outbox|letters|actions))?|tables(/[0-9a-f-]{36})?|` +
	`(files/[0-9a-f-]{36}(/tasks/[0-9a-f-]{36})?(/sheets/[0-9]{1,9}(/rejects|/into)?)?)?)$`)

const document = "/assets/index.html"

// ServeHTTP answers GET and HEAD. The document is the same at each address that the page knows.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", p.policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache") // asked for with its ETag each time, so that a new version is there at once
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	found, ok := p.assets[r.URL.Path]
	status := http.StatusOK
	if !ok || r.URL.Path == document {
		found = p.assets[document]
		if !views.MatchString(r.URL.Path) {
			status = http.StatusNotFound
		}
	}
	header.Set("Content-Type", found.mediaType)
	if status != http.StatusOK {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(found.text))
		return
	}
	header.Set("ETag", found.etag)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(found.text))
}
