package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// File is a file to upload.
type File struct {
	Name             string
	Size             int64  // in bytes
	SHA256           string // of its bytes, in hexadecimal; "" if it is not known
	Key              string // the idempotency key, or ""
	Options          string // JSON, or ""
	RefuseDuplicates bool   // do not store bytes that are in another file; a direct upload needs SHA256 for that
}

// Upload sends a file while it is read, and returns the task that parses it. replayed says that the same request was accepted before.
func (s *Server) Upload(ctx context.Context, f File, body io.Reader) (accepted client.FileAndTask, replayed bool, err error) {
	params := &client.PostFileParams{
		Name: &f.Name, IdempotencyKey: given[string](f.Key), Options: given[string](f.Options), Corrects: given[string](s.Corrects),
	}
	if f.RefuseDuplicates {
		params.Duplicates = new(client.PostFileParamsDuplicatesRefuse)
	}
	answer, err := s.client.PostFileWithBody(ctx, params, "application/octet-stream", body, client.WithLength(f.Size), s.into)
	replayed = err == nil && answer.Header.Get("Idempotent-Replayed") == "true"
	accepted, err = ask[client.FileAndTask](answer, err)
	return accepted, replayed, err
}

// UploadFrom has the service fetch a file from another server, and returns the task that parses it. Without a name the URL's last part is
// the file's.
func (s *Server) UploadFrom(ctx context.Context, f File, address string) (client.FileAndTask, error) {
	body := map[string]string{"url": address}
	if f.Name != "" {
		body["name"] = f.Name
	}
	text, err := json.Marshal(body)
	if err != nil {
		return client.FileAndTask{}, err
	}
	params := &client.PostFileParams{
		IdempotencyKey: given[string](f.Key), Options: given[string](f.Options), Corrects: given[string](s.Corrects),
	}
	if f.RefuseDuplicates {
		params.Duplicates = new(client.PostFileParamsDuplicatesRefuse)
	}
	return ask[client.FileAndTask](s.client.PostFileWithBody(ctx, params, "application/json", bytes.NewReader(text), s.into))
}

// Task returns a task once it has ended, or after the given time as it is then.
func (s *Server) Task(ctx context.Context, id uuid.UUID, wait time.Duration) (client.Task, error) {
	text := wait.String()
	return askAgain[client.Task](ctx, s, func(ctx context.Context) (*http.Response, error) {
		return s.client.GetTask(ctx, id, &client.GetTaskParams{Wait: &text})
	})
}

// Sheets returns all sheets of a task.
func (s *Server) Sheets(ctx context.Context, task uuid.UUID) (all []client.Sheet, err error) {
	params := &client.GetSheetsParams{}
	for {
		page, err := ask[client.ListSheet](s.client.GetSheets(ctx, task, params))
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == nil {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

// Rows returns the first rows of a sheet.
func (s *Server) Rows(ctx context.Context, task uuid.UUID, sheet, limit int64) (client.Rows, error) {
	return ask[client.Rows](s.client.GetRows(ctx, task, sheet, &client.GetRowsParams{Limit: &limit}))
}

// Rejects returns the first rejects of a sheet.
func (s *Server) Rejects(ctx context.Context, task uuid.UUID, sheet, limit int64) ([]client.Reject, error) {
	page, err := ask[client.ListReject](s.client.GetRejects(ctx, task, sheet, &client.GetRejectsParams{Limit: &limit}))
	return page.Items, err
}
