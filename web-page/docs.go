package page

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:generate go run ./internal/docs/generate

//go:embed docs/docs.css docs/docs.js docs/pages
var docsFiles embed.FS

// docsRoot is the path of the documentation's first page; the others are below it.
const docsRoot = "/api/docs"

// docsPolicy is the Content-Security-Policy of the documentation: like that of the page, and nothing of the store.
var docsPolicy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
	"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// Docs returns the handler of the documentation, which is the same for everybody. It knows neither callers nor data.
func Docs() http.Handler {
	read := sync.OnceValue(readDocs) // most processes of the app never serve it
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == docsRoot+"/" {
			http.Redirect(w, r, docsRoot, http.StatusPermanentRedirect)
			return
		}
		assets := read()
		found, ok := assets[r.URL.Path]
		status := http.StatusOK
		if !ok {
			found, status = assets[docsMissing], http.StatusNotFound
		}
		serveAsset(w, r, found, status, docsPolicy)
	})
}

// docsMissing is the key of the page that is shown where there is none.
const docsMissing = "missing"

// readDocs returns all that is served, by path.
func readDocs() map[string]asset {
	assets := map[string]asset{}
	_ = fs.WalkDir(docsFiles, "docs", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := docsFiles.ReadFile(file)
		name, isPage := strings.CutSuffix(path.Base(file), ".html")
		key := docsRoot + "/" + name
		switch {
		case isPage && name == "index":
			key = docsRoot
		case isPage && name == docsMissing:
			key = docsMissing
		}
		assets[key] = newAsset(mediaTypes[path.Ext(file)], text)
		return err
	}) // an embedded file can be read
	return assets
}
