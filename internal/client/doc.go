// Package client calls sheetdrop's HTTP API. Its requests and types are generated from the OpenAPI document, upload-api/openapi.json: a
// Client has a method for each operation, and Decode reads what that returns.
//
//	task, err := client.Decode[client.Task](c.GetTask(ctx, id, nil))
//
// Bodies and answers are streamed: PostFileWithBody sends a reader as it is read, and the rows of GetRows in NDJSON or CSV, or the bytes of
// GetContent, are read from the answer's body rather than decoded. To send a body with its length rather than in chunks, see WithLength.
//
//go:generate go tool -modfile=../../tools/go.mod oapi-codegen -config config.yaml -o client.gen.go ../../upload-api/openapi.json
package client
