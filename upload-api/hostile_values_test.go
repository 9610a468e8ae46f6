package upload

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// hostile are values that are invalid for any parameter, some of which only the database would reject. FILE and TASK
// stand for the ids of existing ones.
var hostile = []string{
	"", "\x00", "\xff", "'; drop table sheetdrop.task; --", `\`, "-1", "2147483648", "9223372036854775808", "1e9", "１", "NaN",
	"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-14:00", "../..", "%2e%2e", "{}", "null", "urn:uuid:TASK", "TASK",
}

// Whatever a path, a query or a JSON body contains, the response is a success or a problem with status 4xx, never an
// internal error. The database has a task with rows, so that what only the database would reject is found as well. The
// operations and their parameters come from the OpenAPI document, so none is forgotten; uploads have their own tests.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	s := newAttack(t)
	for i, op := range s.operations {
		for _, value := range hostile {
			s.send(t, i, value, "1", "", `{}`)
			s.send(t, i, "TASK", value, "", value)
			for _, name := range op.query {
				s.send(t, i, op.id(), "1", name+"="+url.QueryEscape(value), `{}`)
			}
			for _, name := range op.body {
				for _, body := range []string{`{%q:%s}`, `{%q:[%s]}`, `{%q:{"error_code":%s}}`, `{%q:{"after":%s}}`, `{%q:{"created_after":%s}}`, `{%q:[{"file_id":%s}]}`} {
					s.send(t, i, op.id(), "1", "", fmt.Sprintf(body, name, jsonOf(value)))
				}
			}
		}
		s.send(t, i, "TASK", "1", "cursor="+export.EncodeCursor("rejects/1", map[string]any{"r": 1, "e": 1 << 40}), strings.Repeat("[", 20_000))
	}
	if n := s.api.count("sheet_row"); n != 3 {
		t.Errorf("%d rows are left of 3", n)
	}
}

// The same, with what nobody has thought of.
func FuzzRequests(f *testing.F) {
	s := newAttack(f)
	for i, op := range s.operations {
		f.Add(uint8(i), op.id(), "1", strings.Join(op.query, "=&")+"=", `{"filter":{"status":"FAILED"},"ids":["TASK"],"created_after":"2026-01-02T03:04:05Z"}`)
	}
	f.Fuzz(func(t *testing.T, operation uint8, id, number, query, body string) {
		s.send(t, int(operation)%len(s.operations), id, number, query, body)
	})
}

// attack is a testAPI and all of its operations.
type attack struct {
	api        *testAPI
	ids        *strings.Replacer
	operations []attackedOperation
}

func newAttack(t testing.TB) *attack {
	t.Helper()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	fill(d, sheetOf(d, taken.Task.ID, "a", "b"), 3)
	ids := strings.NewReplacer("FILE", taken.File.ID.String(), "TASK", taken.Task.ID.String())
	return &attack{d, ids, attackedOperations(d.Handler)}
}

func (s *attack) send(t *testing.T, operation int, id, number, query, body string) {
	t.Helper()
	op := s.operations[operation]
	path := strings.NewReplacer("{id}", url.PathEscape(s.ids.Replace(id)), "{number}", url.PathEscape(number), "{load}", url.PathEscape(number), "{delivery}", url.PathEscape(number)).Replace(op.path)
	r, err := http.NewRequestWithContext(t.Context(), op.method, prefix+path, strings.NewReader(s.ids.Replace(body)))
	if err != nil || strings.ContainsFunc(query, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return // which net/http would not read from a connection
	}
	r.URL.RawQuery, r.RemoteAddr, r.Host = s.ids.Replace(query), "127.0.0.1:1", "localhost"
	r.Header.Set("Content-Type", export.TypeJSON)
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	var p problem.Problem
	switch {
	case w.Code < 400:
	case w.Code >= 500:
		t.Errorf("%s %s?%s %.200q: %d %s", op.method, path, query, body, w.Code, w.Body)
	case json.Unmarshal(w.Body.Bytes(), &p) != nil || p.Code.Status() != w.Code || p.Detail == "":
		t.Errorf("%s %s?%s %.200q: no problem: %d %s", op.method, path, query, body, w.Code, w.Body)
	}
}

type attackedOperation struct {
	method, path string
	query, body  []string // the names of what it may be given
}

// id is that of what is there, but where it would not be there any more.
func (op attackedOperation) id() string {
	switch {
	case op.method == http.MethodDelete:
		return "0197c7ba-0000-7000-8000-000000000000"
	case strings.HasPrefix(op.path, "/files/"):
		return "FILE"
	}
	return "TASK"
}

// attackedOperations are all of the OpenAPI document but the upload, and the one that asks the blob store and the queue.
func attackedOperations(h *Handler) (operations []attackedOperation) {
	document := h.api.OpenAPI()
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		item := document.Paths[path]
		for method, op := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete} {
			if op == nil || slices.Contains(op.Tags, embedTag) || op.OperationID == "post-file" || op.OperationID == "get-ready" {
				continue
			}
			attacked := attackedOperation{method: method, path: path}
			for _, p := range op.Parameters {
				if p.In == "query" {
					attacked.query = append(attacked.query, p.Name)
				}
			}
			if op.RequestBody != nil {
				schema := document.Components.Schemas.SchemaFromRef(op.RequestBody.Content[export.TypeJSON].Schema.Ref)
				attacked.body = slices.Sorted(maps.Keys(schema.Properties))
			}
			operations = append(operations, attacked)
		}
	}
	slices.SortFunc(operations, func(a, b attackedOperation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return operations
}
