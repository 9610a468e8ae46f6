// Package docs renders the documentation that is served at /api/docs: Markdown files and the OpenAPI document become pages
// of HTML, with anchors and a search index. The pages are committed, so that nothing of this is in the handler.
package docs

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"
)

// root is the path at which the pages are served; the first page is at root itself.
const root = "/api/docs"

// Page is a rendered page.
type Page struct {
	Path     string // below root; "" is the first page
	Title    string
	HTML     string // of its content, without the layout
	Headings []Heading
}

// Heading is a place of a page to which one can link.
type Heading struct {
	ID    string
	Text  string
	Level int // 2 or 3
}

// URL is the page's address.
func (p Page) URL() string { return urlOf(p.Path) }

func urlOf(path string) string {
	if path == "" {
		return root
	}
	return root + "/" + path
}

// Entry is a section that search can find, with the text that it has.
type Entry struct {
	URL   string `json:"url"`
	Page  string `json:"page"`  // its title
	Title string `json:"title"` // of the section, or a code
	Text  string `json:"text"`
}

// source is a Markdown file that becomes a page.
type source struct {
	file, path, title string
}

// sources are in the order of the navigation. The reference stands behind them.
var sources = []source{
	{"README.md", "", "Overview"},
	{"docs/tutorial.md", "tutorial", "Tutorial"},
	{"docs/api.md", "api", "HTTP interface"},
	{"docs/errors.md", "errors", "Errors"},
	{"docs/sql.md", "sql", "SQL"},
	{"docs/command-line.md", "command-line", "Command line"},
	{"docs/doctor.md", "doctor", "What is wrong?"},
	{"docs/formats.md", "formats", "Formats"},
	{"docs/importing.md", "importing", "Importing"},
	{"docs/embedding.md", "embedding", "Embedding"},
}

// referenceFile is the OpenAPI document, from which the reference is made.
const referenceFile = "upload-api/openapi.json"

//go:embed layout.tmpl
var layoutText string

var layout = template.Must(template.New("layout").Parse(layoutText))

// Render returns the files that are served, by name, made of the repository's files: a page is NAME.html, and index.json is
// what search looks through, a list of Entry.
func Render(repository fs.FS) (map[string][]byte, error) {
	pages, entries, err := build(repository)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if files["index.json"], err = json.MarshalIndent(entries, "", ""); err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	for _, p := range append(pages, missing) {
		var out bytes.Buffer
		err := layout.Execute(&out, map[string]any{
			"Page": p, "Pages": pages, "Content": template.HTML(p.HTML), //nolint:gosec // rendered from the repository's files
		})
		if err != nil {
			return nil, err
		}
		files[p.file()] = out.Bytes()
	}
	return files, nil
}

// missing is shown where there is no page.
var missing = Page{Path: "missing", Title: "Not found", HTML: "<h1>Not found</h1><p>There is no such page. Search, or choose one of the list.</p>"}

func (p Page) file() string {
	if p.Path == "" {
		return "index.html"
	}
	return p.Path + ".html"
}

// build renders the pages, without the layout.
func build(repository fs.FS) (pages []Page, entries []Entry, err error) {
	document, err := readDocument(repository)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range sources {
		text, err := fs.ReadFile(repository, s.file)
		if err != nil {
			return nil, nil, err
		}
		if s.path == "" {
			text = []byte(withoutSections(string(text), forDevelopers))
		}
		m := parse(s, text)
		if s.path == "errors" {
			m.html += requestCodes(document, m)
		}
		pages = append(pages, m.page())
		entries = append(entries, m.entries...)
	}
	reference, found, err := renderReference(document)
	return append(pages, reference), append(entries, found...), err
}

// forDevelopers are the sections of the README that are not for people who use a running sheetdrop.
var forDevelopers = []string{"With Microsoft's own tools", "Deploy", "Where it runs", "Working on it"}

// withoutSections leaves out sections of the second level, by their headings.
func withoutSections(text string, headings []string) string {
	var kept strings.Builder
	for i, section := range strings.Split(text, "\n## ") {
		heading, _, _ := strings.Cut(section, "\n")
		if i > 0 && slices.Contains(headings, heading) {
			continue
		}
		if i > 0 {
			kept.WriteString("\n## ")
		}
		kept.WriteString(section)
	}
	return kept.String()
}
