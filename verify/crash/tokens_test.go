package crash

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// elsewhere is another server, with a file to fetch.
var elsewhere = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(sheet(5, 10)) }))

const productOrigin = "https://app.example.com"

// byOthers is what happens to what other products' pages and servers upload.
var byOthers = map[string]scenario{
	"a file is fetched": {
		settings: map[string]string{"UPLOAD_URL_HOSTS": strings.TrimPrefix(elsewhere.URL, "http://")},
		act: func(t *testing.T, s *scene) {
			f := &file{key: uuid.NewString(), content: sheet(5, 10), want: "COMPLETED"}
			header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {f.key}}
			var accepted struct{ File, Task struct{ ID uuid.UUID } }
			text := s.insist(t, http.MethodPost, "/api/files", header, []byte(`{"url":"`+elsewhere.URL+`/list.csv"}`))
			if err := json.Unmarshal(text, &accepted); err != nil {
				t.Fatal(err)
			}
			f.id, f.task = accepted.File.ID, accepted.Task.ID
			s.files = append(s.files, f)
		},
	},
	"an upload token is made": {
		settings: map[string]string{"CORS_ORIGINS": productOrigin},
		act: func(t *testing.T, s *scene) {
			f := &file{key: uuid.NewString(), content: sheet(5, 10), want: "COMPLETED"}
			header := http.Header{
				"Content-Type": {"application/octet-stream"}, "Idempotency-Key": {f.key}, "Origin": {productOrigin}, "Upload-Token": {s.token(t).Token},
			}
			var accepted struct{ File, Task struct{ ID uuid.UUID } }
			if err := json.Unmarshal(s.insist(t, http.MethodPost, "/api/embed/files?name=list.csv", header, f.content), &accepted); err != nil {
				t.Fatal(err)
			}
			f.id, f.task = accepted.File.ID, accepted.Task.ID
			s.files = append(s.files, f)
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "upload_token_task", 1) },
	},
	"an upload token is deleted": {
		settings: map[string]string{"CORS_ORIGINS": productOrigin},
		act: func(t *testing.T, s *scene) {
			s.upload(t, sheet(5, 10), "COMPLETED")
			made := s.token(t)
			s.insist(t, http.MethodDelete, "/api/upload-tokens/"+made.ID, nil, nil, http.StatusNotFound) // an answer that was lost
			header := http.Header{"Content-Type": {"application/octet-stream"}, "Origin": {productOrigin}, "Upload-Token": {made.Token}}
			text := s.insist(t, http.MethodPost, "/api/embed/files?name=list.csv", header, sheet(5, 10), http.StatusUnauthorized)
			if !strings.Contains(string(text), "invalid_upload_token") {
				t.Errorf("a token that was deleted is answered %s", text)
			}
		},
	},
}

// token makes an upload token.
func (s *scene) token(t *testing.T) (made struct{ ID, Token string }) {
	t.Helper()
	if err := json.Unmarshal(s.sendJSON(t, http.MethodPost, "/api/upload-tokens", `{"origin":"`+productOrigin+`"}`), &made); err != nil {
		t.Fatal(err)
	}
	return made
}
