package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/response"
)

// postFileInput has no body field: huma would read the whole body into memory before the operation starts. The
// operation reads the request itself; the other fields are for the OpenAPI document.
type postFileInput struct {
	Name           string `query:"name" minLength:"1" maxLength:"255" doc:"The file name of a raw body. It takes precedence over Content-Disposition."`
	Disposition    string `header:"Content-Disposition" example:"attachment; filename*=UTF-8''orders.csv" doc:"The file name of a raw body, as filename or filename*."`
	IdempotencyKey string `header:"Idempotency-Key" minLength:"1" maxLength:"255" pattern:"^[!-~]+$" doc:"Repeating a request with the same key returns the same ids and uploads nothing twice."`

	Preview    int    `query:"preview" minimum:"1" maximum:"1000" doc:"Show this many rows of the file, and store nothing: no file, no task."`
	Partial    bool   `query:"partial" doc:"Of a preview: the body is only the beginning of the file. Not of a workbook or a zip archive."`
	Duplicates string `query:"duplicates" enum:"accept,refuse" default:"accept" doc:"refuse: nothing is stored if a file with the same bytes is there already. Also a form field."`

	request *http.Request
}

// Resolve implements huma.Resolver.
func (in *postFileInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humago.Unwrap(ctx)
	return nil
}

type postFileOutput struct {
	Status   int
	Location string `header:"Location" doc:"The task's path, if one file was sent."`
	Replayed string `header:"Idempotent-Replayed" doc:"true if an earlier request with the same Idempotency-Key has uploaded this."`
	Body     any
}

// Uploaded is the response to an upload: the files in the order in which they were sent, with tasks that do not repeat
// the options.
type Uploaded struct {
	Options json.RawMessage        `json:"options" doc:"The parse options of the request, for all files."`
	Items   []response.FileAndTask `json:"items" doc:"In the order in which they were sent; one for a raw body."`

	File   *response.File `json:"file,omitempty" doc:"Of a raw body: that of the only item."`
	Task   *response.Task `json:"task,omitempty" doc:"Of a raw body: that of the only item."`
	SameAs *task.SameFile `json:"same_as,omitempty" doc:"Of a raw body: that of the only item."`
}

// postFile receives files, if there is a place for one more upload, or shows a preview. It responds only after the commit.
func (h *Handler) postFile(ctx context.Context, in *postFileInput) (*postFileOutput, error) {
	sender := caller.Of(ctx)
	if receive.IsPreview(in.request) {
		return h.preview(ctx, sender.Owner, in.request)
	}
	release, err := h.uploading.take(ctx, sender.Owner, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	received, err := h.receiver.Receive(ctx, sender.Names(), in.request)
	if err != nil {
		return nil, err
	}
	return showReceived(ctx, received), nil
}

// preview reads the beginning of a file, if there is a place for one more preview, and stores nothing.
func (h *Handler) preview(ctx context.Context, owner string, request *http.Request) (*postFileOutput, error) {
	release, err := h.previewing.take(ctx, owner, h.placeWait)
	if err != nil {
		return nil, err
	}
	defer release()
	found, err := h.previewer.Preview(ctx, request)
	if err != nil {
		return nil, err
	}
	return &postFileOutput{Status: http.StatusOK, Body: found}, nil
}

func showReceived(ctx context.Context, received *receive.Received) *postFileOutput {
	shown := make([]response.FileAndTask, len(received.Files))
	for i, f := range received.Files {
		shown[i] = response.OfFileAndTask(f)
		if embed.Of(ctx) != nil {
			shown[i].SameAs = nil // another file of the owner's
		}
	}
	output := &postFileOutput{Status: http.StatusAccepted}
	if received.Replayed {
		output.Replayed = "true"
	}
	body := Uploaded{Options: received.Options, Items: shown}
	if !received.Multipart {
		only := shown[0]
		body.File, body.Task, body.SameAs = &only.File, &only.Task, only.SameAs
		output.Location = embed.Location(ctx, fmt.Sprintf("/api/tasks/%s", only.Task.ID))
	}
	for i := range shown {
		shown[i].Task.Options = nil
	}
	output.Body = body
	return output
}
