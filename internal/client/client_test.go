package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

func open(t *testing.T, serve http.HandlerFunc) *Client {
	t.Helper()
	service := httptest.NewServer(serve)
	t.Cleanup(service.Close)
	c, err := NewClient(service.URL + "/api")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A file larger than memory can be uploaded: it is sent while it is read, in one piece whose length the server knows from the beginning.
func TestUploadIsSentWhileItIsRead(t *testing.T) {
	t.Parallel()
	begun := make(chan string, 1)
	c := open(t, func(w http.ResponseWriter, r *http.Request) {
		first := make([]byte, 2)
		if _, err := io.ReadFull(r.Body, first); err != nil {
			t.Error(err)
		}
		begun <- string(first)
		rest, err := io.ReadAll(r.Body)
		if err != nil || r.ContentLength != 4 || string(rest) != "1\n" || r.URL.Query().Get("name") != "a&b.csv" {
			t.Errorf("length %d, rest %q of %s (%v)", r.ContentLength, rest, r.URL, err)
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"task": {"status": "PENDING"}}`)
	})
	body, to := io.Pipe()
	go func() {
		_, _ = io.WriteString(to, "a\n")
		<-begun // which does not come before the first bytes have arrived
		_, _ = io.WriteString(to, "1\n")
		to.Close()
	}()
	params := &PostFileParams{Name: new("a&b.csv")}
	taken, err := Decode[FileAndTask](c.PostFileWithBody(t.Context(), params, "application/octet-stream", body, WithLength(4)))
	if err != nil || taken.Task.Status != TaskStatusPENDING {
		t.Errorf("%+v, %v", taken, err)
	}
}

// A cell is shown as it was sent: 0.10 does not become 0.1, nor a long number another one.
func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	c := open(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"columns": [], "rows": [[0.10, 12345678901234567890, null]], "next": null}`)
	})
	page, err := Decode[Rows](c.GetRows(t.Context(), [16]byte{}, 1, nil))
	if err != nil || len(page.Rows) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	cells, err := CellsOf(page.Rows[0])
	if want := []any{json.Number("0.10"), json.Number("12345678901234567890"), nil}; err != nil || !slices.Equal(cells, want) {
		t.Errorf("%#v, %v", cells, err)
	}
}

// A caller learns the code of an error, or that a proxy answered and not the API.
func TestErrorsHaveTheirCodes(t *testing.T) {
	t.Parallel()
	for body, check := range map[string]func(error) bool{
		`{"code": "invalid_cursor", "detail": "No.", "errors": [{"location": "query.cursor", "message": "what"}]}`: func(err error) bool {
			problem, ok := errors.AsType[*Problem](err)
			return ok && problem.Code == "invalid_cursor" && err.Error() == "No. query.cursor: what (invalid_cursor)"
		},
		"<html>": func(err error) bool {
			other, ok := errors.AsType[*UnexpectedAnswer](err)
			return ok && other.StatusCode == http.StatusBadRequest
		},
	} {
		c := open(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, body)
		})
		if _, err := Decode[Task](c.GetTask(context.Background(), [16]byte{}, nil)); !check(err) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
