package upload

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"sheetdrop/upload-api/internal/problem"
)

// answer is an HTTP response that has been read to its end.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// into checks the status and decodes the body.
func (a answer) into(status int, v any) {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		a.t.Fatalf("decode %s: %v", a.body, err)
	}
}

// noContent checks that it was done, and there is nothing to say.
func (a answer) noContent() {
	a.t.Helper()
	if a.status != http.StatusNoContent || len(a.body) > 0 {
		a.t.Fatalf("status %d: %s", a.status, a.body)
	}
}

// problem checks that the response is a problem with this code, its status and a human-readable detail.
func (a answer) problem(code problem.Code) problem.Problem {
	a.t.Helper()
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		a.t.Errorf("Content-Type %q of a problem: %d %s", got, a.status, a.body)
	}
	var p problem.Problem
	a.into(code.Status(), &p)
	if p.Code != code || p.Status != a.status || p.Detail == "" || p.Title == "" {
		a.t.Errorf("problem %+v with status %d, want code %s", p, a.status, code)
	}
	return p
}

// equalJSON compares two JSON texts by meaning.
func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
