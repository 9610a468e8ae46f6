package upload

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// declareTargetRows declares a long answer.
func (h *Handler) declareTargetRows(api huma.API) {
	op := inForms(streamed(get("get-target-rows", "/targets/{id}/rows", "The rows of a target, in the order of its key"), export.TypeJSON,
		schemaOf[export.TargetRows](api)))
	declare(h, api, op, h.targetRows, problem.NotFound, problem.NotPermitted, problem.InvalidCursor, problem.NotEncodable,
		problem.TooManyColumns, problem.QueryTimeout, problem.Busy, problem.TooManyAtOnce)
}

// targetRows returns rows of a target that the caller owns or may read.
func (h *Handler) targetRows(ctx context.Context, in *export.TargetRowsInput) (*huma.StreamResponse, error) {
	found, err := h.targets.allowed(ctx, in.ID, postgres.MayRead)
	if err != nil {
		return nil, err
	}
	table := export.TargetTable{ID: found.ID, Name: found.Name, Schema: found.SchemaName, Table: found.TableName}
	if err := json.Unmarshal(found.Definition, &table.Definition); err != nil {
		return nil, fmt.Errorf("the definition of target %s: %w", found.ID, err)
	}
	return h.exporter.TargetRows(ctx, callerOf(ctx).Owner, table, in)
}
