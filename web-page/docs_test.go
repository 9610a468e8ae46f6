package page_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	page "sheetdrop/web-page"
)

var docs = page.Docs()

func getDocs(t *testing.T, method, path string, header http.Header) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	docs.ServeHTTP(w, r)
	answer := w.Result()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

var (
	hrefs = regexp.MustCompile(`href="([^"]+)"`)
	ids   = regexp.MustCompile(` id="([^"]+)"`)
)

// walkDocs returns the pages of the documentation by their paths, found by following their links, with the ids that each has.
func walkDocs(t *testing.T) (texts map[string]string, idsOf map[string][]string) {
	t.Helper()
	texts, idsOf = map[string]string{}, map[string][]string{}
	for todo := []string{"/api/docs"}; len(todo) > 0; todo = todo[1:] {
		path := todo[0]
		if _, seen := texts[path]; seen {
			continue
		}
		answer, text := getDocs(t, http.MethodGet, path, nil)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
		texts[path], idsOf[path] = text, submatches(ids, text)
		for _, href := range submatches(hrefs, text) {
			to, _, _ := strings.Cut(href, "#")
			if strings.HasPrefix(to, "/api/docs") && !strings.HasSuffix(to, ".css") {
				todo = append(todo, to)
			}
		}
	}
	return texts, idsOf
}

func submatches(expression *regexp.Regexp, text string) (all []string) {
	for _, match := range expression.FindAllStringSubmatch(text, -1) {
		all = append(all, html.UnescapeString(match[1]))
	}
	return all
}

// Whoever follows a link of the documentation gets to what it names: each page and each place is there, once. A link to what only the
// repository has is none.
func TestDocsLinksLead(t *testing.T) {
	t.Parallel()
	texts, idsOf := walkDocs(t)
	for _, want := range []string{"", "/api", "/errors", "/sql", "/command-line", "/formats", "/importing", "/embedding", "/tutorial", "/reference"} {
		if texts["/api/docs"+want] == "" {
			t.Errorf("no link leads to %q", want)
		}
	}
	links := 0
	for path, text := range texts {
		if sorted := slices.Sorted(slices.Values(idsOf[path])); len(slices.Compact(slices.Clone(sorted))) != len(sorted) {
			t.Errorf("%s: an id twice, of %q", path, sorted)
		}
		for _, href := range submatches(hrefs, text) {
			to, place, _ := strings.Cut(href, "#")
			if to == "" {
				to = path
			}
			links++
			known := strings.HasPrefix(to, "https://") || slices.Contains([]string{"/", "/assets/icon.svg", "/api/docs/docs.css", "/api/openapi.json"}, to)
			if texts[to] == "" && !known || place != "" && texts[to] != "" && !slices.Contains(idsOf[to], place) {
				t.Errorf("%s links to %s, which is not there", path, href)
			}
		}
	}
	if links < 500 {
		t.Errorf("only %d links were found", links)
	}
}

// The type of a problem, /api/docs/errors#code, opens what explains it: each code of a request, a task and a record has its place.
func TestEveryErrorCodeHasAPlace(t *testing.T) {
	t.Parallel()
	_, text := getDocs(t, http.MethodGet, "/api/docs/errors", nil)
	places := submatches(ids, text)
	document, err := os.ReadFile("../upload-api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var openapi struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	if err := json.Unmarshal(document, &openapi); err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile("../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := slices.Concat(openapi.Components.Schemas["Problem"].Properties["code"].Enum, submatches(regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|"), string(listed)))
	if len(codes) < 120 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	for _, code := range codes {
		if !slices.Contains(places, code) {
			t.Errorf("%s has no place", code)
		}
	}
}

// Search finds every section and every code, and costs a phone little: what it looks through is asked for when somebody searches.
func TestDocsSearchIndex(t *testing.T) {
	t.Parallel()
	const mostReceived = 120_000
	answer, packed := getDocs(t, http.MethodGet, "/api/docs/index.json", browser)
	_, text := getDocs(t, http.MethodGet, "/api/docs/index.json", nil)
	if answer.Header.Get("Content-Type") != "application/json" || len(packed) > mostReceived {
		t.Errorf("%q, %d bytes; at most %d", answer.Header.Get("Content-Type"), len(packed), mostReceived)
	}
	var entries []struct{ URL, Page, Title, Text string }
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		t.Fatal(err)
	}
	_, idsOf := walkDocs(t)
	titles := map[string]string{}
	for _, e := range entries {
		path, place, _ := strings.Cut(e.URL, "#")
		if e.Title == "" || place != "" && !slices.Contains(idsOf[path], place) {
			t.Errorf("%+v leads nowhere", e)
		}
		titles[e.Title] = e.URL
	}
	for title, want := range map[string]string{
		"Large files": "/api/docs/api#large-files", "ambiguous_header": "/api/docs/errors#ambiguous_header", "not_found": "/api/docs/errors#not_found",
		"QUOTA_OPEN_TASKS": "/api/docs/api#QUOTA_OPEN_TASKS", "POST /api/files": "/api/docs/reference#post-file", "Encodings": "/api/docs/formats#encodings",
	} {
		if titles[title] != want {
			t.Errorf("%s leads to %q, want %q", title, titles[title], want)
		}
	}
	t.Logf("%d entries, %d bytes, of which a browser receives %d", len(entries), len(text), len(packed))
}

// The documentation is the same for everybody: it runs nothing but its own script, changes nothing, and is in no other page's frame.
func TestHeadersOfTheDocs(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{
		"/api/docs": 200, "/api/docs/errors": 200, "/api/docs/docs.js": 200, "/api/docs/": 308, "/api/docs/none": 404, "/api/docs/missing": 404,
		"/api/docs/layout.tmpl": 404, "/api/docs/../files": 404, "/api/docs/errors/": 404,
	} {
		answer, text := getDocs(t, http.MethodGet, path, nil)
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
		if want == http.StatusPermanentRedirect {
			continue
		}
		policy := answer.Header.Get("Content-Security-Policy")
		for _, part := range []string{
			"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self';", "frame-ancestors 'none'", "form-action 'none'",
			"require-trusted-types-for 'script'",
		} {
			if !strings.Contains(policy, part) || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: %s", path, policy)
			}
		}
		if strings.Contains(text, "style=") || strings.Contains(text, "<script>") || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s has what its policy stops, or is sniffed", path)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		if answer, _ := getDocs(t, method, "/api/docs", nil); answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, answer.StatusCode)
		}
	}
}

// A page is what the repository has: its tables, code and headings, with nothing cut.
func TestDocsShowWhatIsWritten(t *testing.T) {
	t.Parallel()
	_, text := getDocs(t, http.MethodGet, "/api/docs/api", nil)
	written, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	headings := regexp.MustCompile(`(?m)^##+ (.+)$`).FindAllStringSubmatch(string(written), -1)
	for _, heading := range headings {
		if !strings.Contains(text, ">"+html.EscapeString(heading[1])+"</h") {
			t.Errorf("no heading %q", heading[1])
		}
	}
	rows := regexp.MustCompile(`(?m)^\| [^-]`).FindAllString(string(written), -1)
	if got := strings.Count(text, "<tr"); len(headings) < 15 || got != len(rows) {
		t.Errorf("%d headings, %d rows; %d were written", len(headings), got, len(rows))
	}
	if _, first := getDocs(t, http.MethodGet, "/api/docs", nil); strings.Contains(first, ">Deploy<") || !strings.Contains(first, ">What it reads<") {
		t.Error("the first page has what is for developers, or lacks what is for users")
	}
}
