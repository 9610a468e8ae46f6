package upload

import (
	"net/http"
	"strings"
	"testing"
	"unicode"

	"sheetdrop/upload-api/internal/problem"
)

// Who prefers Japanese reads every problem in it, whichever part of the service writes it, and whatever it quotes.
func TestProblemsAreInTheLanguageOfTheCaller(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, c := range []struct {
		method, path, body string
		code               problem.Code
	}{
		{http.MethodGet, "/api/nothing", "", problem.NotFound},
		{http.MethodGet, "/api/files/0192f0c1-0000-7000-8000-000000000001", "", problem.NotFound},
		{http.MethodPut, "/api/files", "", problem.MethodNotAllowed},
		{http.MethodGet, "/api/files?limit=0", "", problem.InvalidParameter},
		{http.MethodGet, "/api/files?limit=many", "", problem.InvalidParameter},
		{http.MethodGet, "/api/files/12", "", problem.InvalidParameter},
		{http.MethodGet, "/api/files?colour=x", "", problem.UnknownParameter},
		{http.MethodGet, "/api/files?cursor=x", "", problem.InvalidCursor},
		{http.MethodPost, "/api/files?name=a.csv", "", problem.EmptyFile},
		{http.MethodPost, "/api/files?name=a.csv&header=x", "a", problem.InvalidOption},
		{http.MethodPost, "/api/files?name=a.csv&column=a%3Ainteger%3Bpattern%3D%2A", "a", problem.InvalidOption},
		{http.MethodPost, "/api/files?name=a.csv&target=none", "a", problem.NoSuchTarget},
		{http.MethodPost, "/api/bulk/tasks", "", problem.InvalidBody},
	} {
		var english, inJapanese problem.Problem
		for preference, p := range map[string]*problem.Problem{"en": &english, "ja,en;q=0.5": &inJapanese} {
			headers := []string{"Accept-Language: " + preference, "Content-Type: text/csv"}
			a := d.send(c.method, c.path, strings.NewReader(c.body), headers...)
			*p = a.problem(c.code)
			if want, got := preference[:2], a.header.Get("Content-Language"); got != want || !strings.Contains(strings.Join(a.header.Values("Vary"), ","), "Accept-Language") {
				t.Errorf("%s %s: Content-Language %q, Vary %q", c.method, c.path, got, a.header.Values("Vary"))
			}
		}
		if english.Type != "/api/docs/errors#"+string(c.code) || inJapanese.Type != english.Type {
			t.Errorf("%s %s: type %q", c.method, c.path, english.Type)
		}
		texts := []string{inJapanese.Title, inJapanese.Detail}
		for _, fault := range inJapanese.Errors {
			texts = append(texts, fault.Message)
		}
		for _, text := range texts {
			if !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
				t.Errorf("%s %s: %q is not Japanese", c.method, c.path, text)
			}
		}
		if strings.ContainsFunc(english.Title+english.Detail, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Han) }) {
			t.Errorf("%s %s: %q is not English", c.method, c.path, english.Detail)
		}
	}
}
