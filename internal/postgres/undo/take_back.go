package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	table, kind, err := holdTable(ctx, run, targetID)
	if err != nil {
		return counts, nil, err
	}
	found, err := database.One[struct {
		Definition target.Definition
		Undone     bool
	}](ctx, tx, `select v.definition, l.undone_at is not null as undone
from sheetdrop.target t
join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
join sheetdrop.target_load l on l.target_id = t.id and l.id = $2
where t.id = $1 and t.dropped_at is null for no key update of l`, targetID, load)
	switch {
	case err != nil:
		return counts, nil, run.Explain(fmt.Errorf("find the load to undo: %w", err))
	case found == nil:
		return counts, nil, ErrNoLoad
	case found.Undone:
		return counts, nil, nil
	}
	err = targetload.CheckAdopted(ctx, run, table.Role, kind, pgx.Identifier{table.Schema, table.Name}.Sanitize(), found.Definition)
	if err != nil {
		return counts, nil, err
	}
	table.define(found.Definition)
	if counts, kept, err = Apply(ctx, tx, table, load); err != nil {
		return counts, nil, targetload.Explained(run.Explain(err))
	}
	_, err = tx.Exec(ctx, `update sheetdrop.target_load set undone_at = clock_timestamp() where id = $1`, load)
	return counts, kept, run.Explain(err)
}

// holdTable keeps a target's columns from being changed until the transaction ends. The target's row stays unlocked: claims of its tasks
// and cancels lock it behind a task, and would wait as long as the undo takes.
func holdTable(ctx context.Context, run *postgres.Load, targetID uuid.UUID) (table Table, kind string, err error) {
	table.TargetID = targetID
	tx := run.SQL()
	err = tx.QueryRow(ctx, `select schema_name::text, table_name::text, kind from sheetdrop.target where id = $1 and dropped_at is null`, targetID).
		Scan(&table.Schema, &table.Name, &kind)
	if errors.Is(err, pgx.ErrNoRows) {
		return table, kind, ErrNoLoad
	}
	if err == nil {
		table.Role, err = targetload.LoaderRole(ctx, tx)
	}
	if err != nil {
		return table, kind, run.Explain(fmt.Errorf("find the table of an undo: %w", err))
	}
	err = targetload.HoldTable(ctx, run, table.Role, pgx.Identifier{table.Schema, table.Name}.Sanitize())
	return table, kind, targetload.ExplainGone(kind, err)
}

func (t *Table) define(d target.Definition) {
	t.Key, t.Defaults = d.Key, map[string]string{}
	for _, c := range d.Columns {
		if slices.Contains(d.Key, c.Name) {
			continue
		}
		t.Columns = append(t.Columns, c.Name)
		if c.Default != nil {
			t.Defaults[c.Name] = *c.Default
		}
	}
}
