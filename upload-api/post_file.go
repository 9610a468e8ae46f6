package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/upload-api/internal/receive"
)

// postFileInput has no body field: huma would read the whole body into memory before the operation starts. The
// operation reads the request itself; the other fields are for the OpenAPI document.
type postFileInput struct {
	Name           string `query:"name" minLength:"1" maxLength:"255" doc:"The file name of a raw body. It takes precedence over Content-Disposition."`
	Disposition    string `header:"Content-Disposition" example:"attachment; filename*=UTF-8''orders.csv" doc:"The file name of a raw body, as filename or filename*."`
	IdempotencyKey string `header:"Idempotency-Key" minLength:"1" maxLength:"255" pattern:"^[!-~]+$" doc:"Repeating a request with the same key returns the same ids and uploads nothing twice."`

	request *http.Request
}

// Resolve implements huma.Resolver.
func (in *postFileInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humago.Unwrap(ctx)
	return nil
}

type postFileOutput struct {
	Location string `header:"Location" doc:"The task's path, if one file was sent."`
	Body     any
}

// Uploaded is the response to a multipart upload: the files in the order in which they were sent, with tasks that do
// not repeat the options.
type Uploaded struct {
	Options json.RawMessage `json:"options" doc:"The parse options of the request, for all files."`
	Items   []FileAndTask   `json:"items"`
}

// postFile receives files, if there is a place for one more upload. It responds only after the commit.
func (h *Handler) postFile(ctx context.Context, in *postFileInput) (*postFileOutput, error) {
	caller := callerOf(ctx)
	release, err := h.uploading.take(ctx, caller.Owner, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	received, err := h.receiver.Receive(ctx, caller.who(), in.request)
	if err != nil {
		return nil, err
	}
	return showReceived(received), nil
}

func showReceived(received *receive.Received) *postFileOutput {
	shown := make([]FileAndTask, len(received.Files))
	for i, f := range received.Files {
		shown[i] = showFileAndTask(f)
	}
	if !received.Multipart {
		return &postFileOutput{Location: fmt.Sprintf("/api/tasks/%s", shown[0].Task.ID), Body: shown[0]}
	}
	for i := range shown {
		shown[i].Task.Options = nil
	}
	return &postFileOutput{Body: Uploaded{received.Options, shown}}
}
