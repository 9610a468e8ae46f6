// Package page serves the page in the browser: its documents, styles and modules, which are the same for everybody. What
// people see on it, the page asks the HTTP API for.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"sheetdrop/internal/acceptencoding"
)

//go:embed assets
var assets embed.FS

// embedScript is the drop zone for pages of other origins, which load it from embedPath.
//
//go:embed embed/embed.js
var embedScript []byte

const embedPath = "/embed.js"

// mediaTypes are those of the assets, by the ending of their names.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
}

// asset is a file of the page.
type asset struct {
	mediaType string
	shared    bool // pages of other origins may use it
	plain     form
	packed    func() form // compressed when it is first asked for: most processes of the app never serve the page
}

// form is a representation of an asset. Each has its own ETag, for its bytes are others.
type form struct {
	text string
	etag string
}

func newForm(text []byte) form {
	sum := sha256.Sum256(text)
	return form{string(text), `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

func newAsset(mediaType string, text []byte) asset {
	return asset{mediaType, false, newForm(text), sync.OnceValue(func() form { return newForm(compress(text)) })}
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
		p.assets["/"+name] = newAsset(mediaTypes[path.Ext(name)], text)
		return err
	}) // an embedded file can be read
	script := newAsset(mediaTypes[".js"], embedScript)
	script.shared = true
	p.assets[embedPath] = script
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
// tables and their parts; webhooks; and the part for operators.
var views = regexp.MustCompile(`^/(operate(/(outbox|letters|actions))?|webhooks|tables(/[0-9a-f-]{36}(/(columns|sharing|choices))?)?|` +
	`(files/[0-9a-f-]{36}(/tasks/[0-9a-f-]{36})?(/sheets/[0-9]{1,9}(/rejects|/into)?)?)?)$`)

const document = "/assets/index.html"

// ServeHTTP answers GET and HEAD. The document is the same at each address that the page knows.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := p.assets[r.URL.Path]
	status := http.StatusOK
	if !ok || r.URL.Path == document {
		found = p.assets[document]
		if !views.MatchString(r.URL.Path) {
			status = http.StatusNotFound
		}
	}
	serveAsset(w, r, found, status, p.policy)
}

// serveAsset answers GET and HEAD with an asset, compressed where the client accepts that.
func serveAsset(w http.ResponseWriter, r *http.Request, found asset, status int, policy string) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if found.shared {
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	header.Set("Cache-Control", "no-cache") // asked for with its ETag each time, so that a new version is there at once
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	header.Set("Content-Type", found.mediaType)
	header.Set("Vary", "Accept-Encoding")
	sent := found.plain
	if acceptencoding.Quality(r.Header, "gzip") > 0 {
		sent = found.packed()
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Length", strconv.Itoa(len(sent.text))) // http.ServeContent leaves it out of what is compressed
	if status != http.StatusOK {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, sent.text)
		return
	}
	header.Set("ETag", sent.etag)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(sent.text))
}
