package upload

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
)

// declareTargetRows declares a long answer.
func (h *Handler) declareTargetRows(api huma.API) {
	op := operation.Get("get-target-rows", "/targets/{id}/rows", "The rows of a target, in the order of its key")
	operation.Declare(h.log, api, inForms(streamed(op, export.TypeJSON, operation.SchemaOf[export.TargetRows](api))), h.targetRows,
		problem.NotFound, problem.NotPermitted, problem.InvalidCursor, problem.NotEncodable, problem.TooManyColumns, problem.QueryTimeout,
		problem.Busy, problem.TooManyAtOnce)
}

// targetRows returns rows of a target that the caller owns or may read.
func (h *Handler) targetRows(ctx context.Context, in *export.TargetRowsInput) (*huma.StreamResponse, error) {
	table, err := targets.Readable(ctx, h.db, in.ID)
	if err != nil {
		return nil, err
	}
	return h.exporter.TargetRows(ctx, caller.Of(ctx).Owner, table, in)
}
