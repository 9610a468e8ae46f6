package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// postFileInput has no body field: huma would read the whole body into memory before the operation starts. The operation reads the
// request's own body.
type postFileInput struct {
	Name           string `query:"name" minLength:"1" maxLength:"255" doc:"The name of a raw body's file. It wins over Content-Disposition."`
	Disposition    string `header:"Content-Disposition" example:"attachment; filename*=UTF-8''orders.csv" doc:"The name of a raw body's file, in filename or filename*."`
	IdempotencyKey string `header:"Idempotency-Key" minLength:"1" maxLength:"255" pattern:"^[!-~]+$" doc:"Sending the same again with the same key gives the same ids, and uploads nothing twice."`

	request *http.Request
}

// Resolve is called by huma before the operation.
func (in *postFileInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humago.Unwrap(ctx)
	return nil
}

type postFileOutput struct {
	Location string `header:"Location" doc:"The task's path, where one file was sent."`
	Body     any
}

// Uploaded is the answer to a multipart upload: the files in the order in which they were sent, with tasks that do not repeat the options.
type Uploaded struct {
	Options json.RawMessage `json:"options" doc:"The parse options that were given, for all files."`
	Items   []FileAndTask   `json:"items"`
}

// postFile takes files, if there is a place for one more upload. It answers after the commit and never before.
func (h *Handler) postFile(ctx context.Context, in *postFileInput) (*postFileOutput, error) {
	release, err := h.uploading.take(ctx, callerOf(ctx).Owner, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	return h.takeFiles(ctx, in)
}

func (h *Handler) takeFiles(ctx context.Context, in *postFileInput) (*postFileOutput, error) {
	key, err := in.key()
	if err != nil {
		return nil, err
	}
	mediaType, boundary, err := bodyType(in.request.Header)
	if err != nil {
		return nil, err
	}
	if in.request.ContentLength > h.settings.MaxBytes {
		return nil, tooLarge(h.settings.MaxBytes)
	}
	query, err := in.query()
	if err != nil {
		return nil, err
	}
	if err := h.needQuota(ctx, key); err != nil {
		return nil, err
	}
	intake := &intake{h: h, owner: callerOf(ctx).Owner, key: key}
	if boundary == "" {
		err = intake.raw(ctx, in, mediaType, query)
	} else {
		err = intake.multipart(ctx, in.request.Body, boundary, query)
	}
	if err != nil {
		intake.discard(ctx, nil)
		return nil, err
	}
	uploaded, err := intake.commit(ctx)
	if err != nil {
		return nil, err
	}
	if boundary != "" {
		for i := range uploaded {
			uploaded[i].Task.Options = nil
		}
		return &postFileOutput{Body: Uploaded{intake.options, uploaded}}, nil
	}
	return &postFileOutput{Location: fmt.Sprintf("/api/tasks/%s", uploaded[0].Task.ID), Body: uploaded[0]}, nil
}

// query reads the whole query, and so the name once more.
func (in *postFileInput) query() (url.Values, error) {
	query, err := readQuery(in.request)
	if err != nil {
		return nil, err
	}
	in.Name = query.Get("name")
	return query, nil
}

// key gives the idempotency key, "" where there is none.
func (in *postFileInput) key() (string, error) {
	const maxLen = 255
	values := in.request.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	valid := len(values) == 1 && len(key) >= 1 && len(key) <= maxLen
	for i := range len(key) {
		valid = valid && key[i] > ' ' && key[i] <= '~'
	}
	if !valid {
		return "", problem(InvalidKey, "Idempotency-Key must be given once and have 1 to %d visible ASCII characters.", maxLen)
	}
	return key, nil
}

// fileName is the name of a raw body's file.
func (in *postFileInput) fileName() (string, error) {
	if in.Name != "" {
		return checkName(in.Name)
	}
	name, _, err := dispositionName(in.Disposition)
	if err != nil {
		return "", err
	}
	return checkName(name)
}
