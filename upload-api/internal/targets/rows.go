package targets

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
)

// Readable returns the table of a target that the caller owns or may read.
func Readable(ctx context.Context, db *postgres.DB, id uuid.UUID) (table export.TargetTable, err error) {
	found, err := targetstore.Find(ctx, db, caller.Of(ctx).Names(), id.String())
	if found, err = needRight(found, err, targetstore.MayRead); err != nil {
		return table, err
	}
	table = export.TargetTable{ID: found.ID, Name: found.Name, Schema: found.SchemaName, Table: found.TableName}
	if err := json.Unmarshal(found.Definition, &table.Definition); err != nil {
		return table, fmt.Errorf("the definition of target %s: %w", found.ID, err)
	}
	return table, nil
}
