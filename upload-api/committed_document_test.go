package upload

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json")

// The clients of this repository are generated from openapi.json, and reviewers see there what changes for all others: it is the document that
// the API serves. After a change: go test ./upload-api -run TestCommittedDocument -update && go generate ./internal/client
func TestCommittedDocument(t *testing.T) {
	t.Parallel()
	h, err := New(Settings{Auth: AuthLocal, MaxBytes: 1, AtOnce: 1}, nil, nil, nil, nil, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served, err := h.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := json.Indent(&want, served, "", " "); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	if *update {
		if err := os.WriteFile("openapi.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile("openapi.json"); err != nil || !bytes.Equal(committed, want.Bytes()) {
		t.Errorf("openapi.json is not what the API serves: write it with -update, and generate the clients again (%v)", err)
	}
}
