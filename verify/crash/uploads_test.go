package crash

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
)

// byUploads is what happens to files that go straight to the blob store.
var byUploads = map[string]scenario{
	"a file goes to the store": {act: func(t *testing.T, s *scene) { s.uploadDirectly(t, sheet(5, 10)) }},
	"an upload is aborted": {
		act: func(t *testing.T, s *scene) {
			id, _ := s.begin(t, sheet(5, 10))
			s.insist(t, http.MethodDelete, "/api/uploads/"+id.String(), nil, nil)
		},
		after: func(t *testing.T, s *scene) { s.Database.Await(t, `select status = 'ABANDONED' from sheetdrop.upload`) },
	},
	"an upload was abandoned": {
		prepare: func(t *testing.T, s *scene) {
			s.Exec(t, `insert into sheetdrop.upload (id, owner, name, media_type, size_bytes, block_bytes, options, blob_name, task_id, expires_at, writable_until)
values (gen_random_uuid(), 'local', 'a.csv', 'text/csv', 2, 2, '{}', $1, gen_random_uuid(), now() - interval '25 h', now() - interval '25 h')`, abandoned)
			address, err := s.blobs.WriteAddress(t.Context(), abandoned, time.Now().Add(10*time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			putBlock(t, address, []byte("a\n"))
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.upload)`)
			if left, _, err := s.blobs.List(t.Context(), "", 10); err != nil || len(left) > 0 {
				t.Errorf("left are %v, %v", left, err)
			}
		},
	},
	"a lost file of the store is recovered": {errors: []string{restoredAlert}, act: func(t *testing.T, s *scene) {
		s.uploadDirectly(t, sheet(5, 10))
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		blob := pgtest.Query[string](t, s.Database, `select blob_name from sheetdrop.source_file`)
		s.Exec(t, `with lost as (select id from sheetdrop.sheet), rows as (delete from sheetdrop.sheet_row where sheet_id in (select id from lost)),
  rejects as (delete from sheetdrop.row_reject where sheet_id in (select id from lost)), files as (delete from sheetdrop.source_file)
insert into sheetdrop.recovery (restored_to) values (now() - interval '1 h')`)
		s.command(t, "/api/recovery/files", `{"blob":"`+blob+`"}`)
		s.command(t, "/api/recovery/end", "", http.StatusConflict)
	}},
}

const abandoned = "2026/01/01/abandoned"

// begin begins an upload under a key of its own, however often it takes, and returns its id and address.
func (s *scene) begin(t *testing.T, content []byte) (id uuid.UUID, address string) {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {uuid.NewString()}}
	text := s.insist(t, http.MethodPost, "/api/uploads", header, fmt.Appendf(nil, `{"name":"list.csv","size_bytes":%d}`, len(content)))
	var begun struct {
		ID      uuid.UUID
		Address struct{ URL string }
	}
	if err := json.Unmarshal(text, &begun); err != nil {
		t.Fatalf("the answer to an upload: %v in %s", err, text)
	}
	return begun.ID, begun.Address.URL
}

func putBlock(t *testing.T, address string, content []byte) {
	t.Helper()
	url := address + "&comp=block&blockid=" + base64.StdEncoding.EncodeToString([]byte("000000000000"))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("put a block: %s", response.Status)
	}
}

// uploadDirectly sends a file of one block to the store and completes its upload until that is answered well.
func (s *scene) uploadDirectly(t *testing.T, content []byte) {
	t.Helper()
	id, address := s.begin(t, content)
	putBlock(t, address, content)
	s.insist(t, http.MethodPost, "/api/uploads/"+id.String()+"/sas", nil, nil)
	s.insist(t, http.MethodGet, "/api/uploads/"+id.String(), nil, nil)
	text := s.insist(t, http.MethodPost, "/api/uploads/"+id.String()+"/complete", nil, nil)
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil || answer.File.ID != id {
		t.Fatalf("the answer to the completion of %s: %v in %s", id, err, text)
	}
	s.files = append(s.files, &file{content: content, id: id, task: answer.Task.ID, want: "COMPLETED"})
}
