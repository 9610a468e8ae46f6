package upload

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/export"
)

// The document is served, is of version 3.1, and has every operation. That every answer is as it says is checked in every test (see contract).
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var document struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			RequestBody struct{ Content map[string]any }
			Responses   map[string]struct{ Content map[string]any }
		}
	}
	a := d.get("/api/openapi.json")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != export.TypeJSON {
		t.Fatalf("%d %s", a.status, a.header.Get("Content-Type"))
	}
	if err := json.Unmarshal(a.body, &document); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1.") || len(document.Servers) != 1 || document.Servers[0].URL != "/api" {
		t.Errorf("version %s, servers %v", document.OpenAPI, document.Servers)
	}
	var operations []string
	for path, methods := range document.Paths {
		for method := range methods {
			operations = append(operations, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(operations)
	want := []string{
		"DELETE /embed/uploads/{id}", "DELETE /files/{id}", "DELETE /targets/{id}", "DELETE /targets/{id}/choices", "DELETE /tasks/{id}",
		"DELETE /upload-tokens/{id}", "DELETE /uploads/{id}", "DELETE /views/{id}", "DELETE /webhooks/{id}", "GET /actions", "GET /bulk/{id}",
		"GET /dead-letters", "GET /embed/tasks/{id}", "GET /embed/tasks/{id}/sheets", "GET /embed/tasks/{id}/sheets/{number}/rejects",
		"GET /embed/tasks/{id}/sheets/{number}/rows", "GET /embed/uploads/{id}", "GET /events", "GET /files", "GET /files/{id}", "GET /files/{id}/content",
		"GET /files/{id}/preview", "GET /files/{id}/tasks", "GET /health", "GET /me", "GET /outbox", "GET /overview", "GET /ready", "GET /recovery/blobs",
		"GET /targets", "GET /targets/{id}", "GET /targets/{id}/choices", "GET /targets/{id}/loads", "GET /targets/{id}/rows", "GET /targets/{id}/shares",
		"GET /tasks", "GET /tasks/{id}", "GET /tasks/{id}/history", "GET /tasks/{id}/sheets", "GET /tasks/{id}/sheets/{number}/rejects", "GET /tasks/{id}/sheets/{number}/rows",
		"GET /uploads/{id}", "GET /views", "GET /views/{id}", "GET /webhooks", "GET /webhooks/{id}", "GET /webhooks/{id}/deliveries",
		"GET /webhooks/{id}/deliveries/{delivery}", "PATCH /targets/{id}", "PATCH /webhooks/{id}", "POST /bulk/tasks", "POST /embed/files",
		"POST /embed/uploads", "POST /embed/uploads/{id}/complete", "POST /embed/uploads/{id}/sas", "POST /files", "POST /files/{id}/tasks",
		"POST /outbox/redrive", "POST /outbox/{id}/redrive", "POST /recovery", "POST /recovery/end", "POST /recovery/files", "POST /targets",
		"POST /targets/propose", "POST /targets/{id}/loads/{load}/undo", "POST /targets/{id}/match", "POST /tasks/retry", "POST /tasks/{id}/cancel",
		"POST /tasks/{id}/retry", "POST /tasks/{id}/sheets/{number}/view", "POST /upload-tokens", "POST /uploads", "POST /uploads/{id}/complete",
		"POST /uploads/{id}/sas", "POST /webhooks", "POST /webhooks/{id}/deliveries/{delivery}/redeliver", "POST /webhooks/{id}/rotate-secret",
		"POST /webhooks/{id}/test", "PUT /targets/{id}/choices", "PUT /targets/{id}/shares",
	}
	if !slices.Equal(operations, want) {
		t.Errorf("operations %q", operations)
	}
	upload := document.Paths["/files"]["post"]
	for _, mediaType := range []string{"application/octet-stream", "multipart/form-data"} {
		if upload.RequestBody.Content[mediaType] == nil {
			t.Errorf("the upload's body may not be %s", mediaType)
		}
	}
	for _, path := range []string{"/tasks/{id}/sheets/{number}/rows", "/tasks/{id}/sheets/{number}/rejects", "/targets/{id}/rows"} {
		for _, mediaType := range []string{export.TypeJSON, export.TypeNDJSON, export.TypeCSV, export.TypeXLSX, export.TypeParquet} {
			if document.Paths[path]["get"].Responses["200"].Content[mediaType] == nil {
				t.Errorf("%s may not be %s", path, mediaType)
			}
		}
	}
	if strings.Contains(string(a.body), "$schema") {
		t.Error("answers have $schema")
	}
}

// The host's proxy changes what is escaped in a path: %2F arrives as %252F, and %ff as %25ff. So no name stands there,
// only ids and numbers, which need no escape.
func TestPathsHoldNoNames(t *testing.T) {
	t.Parallel()
	var checked int
	for path, item := range newTestAPI(t).api.OpenAPI().Paths {
		for _, operation := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if operation == nil {
				continue
			}
			for _, p := range operation.Parameters {
				if p.In != "path" {
					continue
				}
				checked++
				if p.Schema.Format != "uuid" && p.Schema.Type != huma.TypeInteger {
					t.Errorf("%s of %s is a %s %s", p.Name, path, p.Schema.Type, p.Schema.Format)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d parameters of paths were found", checked)
	}
}
