package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/target"
)

// ErrNoLoad says that the target or the load is not there, or not any more.
var ErrNoLoad = errors.New("no such load")

// TakeBack takes a load of a target back in the transaction of a task's run. A load that is taken back already stays so: the counts are
// zero. Where the table refuses what has to be done, as a foreign key of others does, the error is a *targetload.RefusedError.
func TakeBack(ctx context.Context, run *postgres.Load, targetID uuid.UUID, load int64) (counts Counts, kept []json.RawMessage, err error) {
	tx := run.SQL()
	if _, err := tx.Exec(ctx, database.LimitIdle); err != nil {
		return counts, nil, run.Explain(err)
	}
	type place struct {
		SchemaName, TableName string
		Definition            target.Definition
		Undone                bool
	}
	found, err := database.One[place](ctx, tx, `select t.schema_name::text, t.table_name::text, v.definition, l.undone_at is not null as undone
from sheetdrop.target t
join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
join sheetdrop.target_load l on l.target_id = t.id and l.id = $2
where t.id = $1 and t.dropped_at is null for no key update of t, l`, targetID, load)
	switch {
	case err != nil:
		return counts, nil, run.Explain(fmt.Errorf("find the load to undo: %w", err))
	case found == nil:
		return counts, nil, ErrNoLoad
	case found.Undone:
		return counts, nil, nil
	}
	table := tableOf(found.Definition)
	table.TargetID, table.Schema, table.Name = targetID, found.SchemaName, found.TableName
	if table.Role, err = targetload.LoaderRole(ctx, tx); err != nil {
		return counts, nil, run.Explain(err)
	}
	if counts, kept, err = Apply(ctx, tx, table, load); err != nil {
		return counts, nil, targetload.Explained(run.Explain(err))
	}
	_, err = tx.Exec(ctx, `update sheetdrop.target_load set undone_at = clock_timestamp() where id = $1`, load)
	return counts, kept, run.Explain(err)
}

func tableOf(d target.Definition) Table {
	t := Table{Key: d.Key, Defaults: map[string]string{}}
	for _, c := range d.Columns {
		if slices.Contains(d.Key, c.Name) {
			continue
		}
		t.Columns = append(t.Columns, c.Name)
		if c.Default != nil {
			t.Defaults[c.Name] = *c.Default
		}
	}
	return t
}
