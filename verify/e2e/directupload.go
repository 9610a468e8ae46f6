package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
)

// DirectUpload is an upload whose blocks the test puts into the store.
type DirectUpload struct {
	ID         uuid.UUID
	Blocks     int
	BlockBytes int `json:"block_bytes"` // of each but the last one
	Address    struct{ URL string }
	server     string // without /api
}

// BeginUpload begins one of that size in bytes at a host or a handler.
func BeginUpload(t testing.TB, server, name string, size int64) DirectUpload {
	t.Helper()
	u := DirectUpload{server: server}
	promise := fmt.Appendf(nil, `{"name":%q,"size_bytes":%d}`, name, size)
	answer(t, http.MethodPost, server+"/api/uploads", promise, http.StatusCreated, &u)
	return u
}

// Put stores a block, numbered from 0.
func (u DirectUpload) Put(t testing.TB, number int, block []byte) {
	t.Helper()
	id := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", number))
	answer(t, http.MethodPut, u.Address.URL+"&comp=block&blockid="+id, block, http.StatusCreated, nil)
}

// Complete completes the upload and returns the file's task.
func (u DirectUpload) Complete(t testing.TB) Task {
	t.Helper()
	var made struct{ Task Task }
	answer(t, http.MethodPost, u.server+"/api/uploads/"+u.ID.String()+"/complete", nil, http.StatusAccepted, &made)
	return made.Task
}

// UploadDirectly puts a file into the store, block by block, and returns its task once the upload is completed.
func (a *App) UploadDirectly(t testing.TB, name string, content []byte) Task {
	t.Helper()
	u := BeginUpload(t, a.Host.URL(), name, int64(len(content)))
	for number := range u.Blocks {
		u.Put(t, number, content[number*u.BlockBytes:min((number+1)*u.BlockBytes, len(content))])
	}
	return u.Complete(t)
}

// answer sends a request, which must be answered with that status, and reads the answer into a value, unless that is nil. It may be called
// by many at once.
func answer(t testing.TB, method, url string, body []byte, want int, into any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	if method == http.MethodPost && body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(response.Body); err != nil || response.StatusCode != want {
		t.Errorf("%s: %s %s, want %d; %v", method, response.Status, text.Bytes(), want, err)
		return
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(text.Bytes(), into); err != nil {
		t.Errorf("%s: %v in %s", method, err, text.Bytes())
	}
}
