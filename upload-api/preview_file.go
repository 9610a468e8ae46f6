package upload

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/problem"
)

// previewFileInput has the number of rows for the OpenAPI document; the operation reads the query itself, as all that have parse options.
type previewFileInput struct {
	FileInput
	OptionsInput

	Rows int `query:"rows" minimum:"1" maximum:"1000" default:"100" doc:"How many rows, rejects and skipped records are shown."`
}

type previewFileOutput struct{ Body sheet.Preview }

func (h *Handler) declarePreviewOfFile(api huma.API) {
	op := withParseOptions(huma.Operation{OperationID: "preview-file", Method: http.MethodGet, Path: "/files/{id}/preview",
		Summary: "How a stored file would be read", Description: "Nothing is stored: no task, no rows. Without options it is read with " +
			"those of its newest task, as when it is parsed again."})
	declare(h, api, op, owned(h.previewFile), problem.NotFound, problem.UnknownOption, problem.InvalidOption, problem.TooLarge,
		problem.PreviewTimeout, problem.ContentMissing, problem.StorageUnavailable, problem.Busy, problem.TooManyAtOnce)
}

// previewFile reads the beginning of a stored file, if there is a place for one more preview.
func (h *Handler) previewFile(ctx context.Context, owner string, in *previewFileInput) (*previewFileOutput, error) {
	asked, err := h.previewer.Stored(in.request)
	if err != nil {
		return nil, err
	}
	found, err := h.db.File(ctx, owner, in.ID)
	if err != nil {
		return nil, err
	}
	release, err := h.previewing.take(ctx, owner, h.placeWait)
	if err != nil {
		return nil, err
	}
	defer release()
	content, _, err := h.exporter.Open(ctx, found.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	preview, err := asked.Read(ctx, content, found.Task.Options)
	if err != nil {
		return nil, err
	}
	return &previewFileOutput{preview}, nil
}
