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

// Taken is what taking a load back has done.
type Taken struct {
	Counts
	KeptKeys []json.RawMessage // of rows that stay, maxKept of them at most
	Returned []int64           // loads that count again: the load had taken their place
	// Corrections are the loads of its corrected rejects, which were taken back with it.
	Corrections []int64
}

// TakeBack takes a load of a target back in the transaction of a task's run, and brings those back whose place it had taken. A load that is
// taken back already stays so: the counts are zero. Where the table refuses what has to be done, as a foreign key of others does, the error
// is a *targetload.RefusedError.
func TakeBack(ctx context.Context, run *postgres.Load, targetID uuid.UUID, load int64) (taken Taken, err error) {
	tx := run.SQL()
	if _, err := tx.Exec(ctx, database.LimitIdle); err != nil {
		return taken, run.Explain(err)
	}
	table, kind, err := holdTable(ctx, run, targetID)
	if err != nil {
		return taken, err
	}
	found, err := database.One[struct {
		Definition                                target.Definition
		Undone, Superseded, Settled, IsCorrecting bool
	}](ctx, tx, `select v.definition, l.undone_at is not null as undone, l.superseded_by is not null as superseded, l.settled_at is not null as settled,
  l.corrects is not null as is_correcting
from sheetdrop.target t
join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
join sheetdrop.target_load l on l.target_id = t.id and l.id = $2
where t.id = $1 and t.dropped_at is null for no key update of l`, targetID, load)
	switch {
	case err != nil:
		return taken, run.Explain(fmt.Errorf("find the load to undo: %w", err))
	case found == nil:
		return taken, ErrNoLoad
	case found.Undone && !found.Superseded:
		return taken, nil
	case found.Settled:
		return taken, ErrSettled
	}
	err = targetload.CheckAdopted(ctx, run, table.Role, kind, pgx.Identifier{table.Schema, table.Name}.Sanitize(), found.Definition)
	if err != nil {
		return taken, err
	}
	table.define(found.Definition)
	taken, err = takeBack(ctx, tx, table, load, found.Superseded)
	if err == nil && (found.IsCorrecting || len(taken.Corrections) > 0) {
		err = reopen(ctx, run, append(taken.Corrections, load))
	}
	return taken, targetload.Explained(run.Explain(err))
}

// takeBack takes a load back that counts, or that another one has superseded: its rows are out of the table already. Its corrections go
// with it, the newest first.
func takeBack(ctx context.Context, tx pgx.Tx, table Table, load int64, isSuperseded bool) (taken Taken, err error) {
	corrections, err := correctionsOf(ctx, tx, table.TargetID, load)
	if err != nil {
		return taken, err
	}
	for _, c := range corrections {
		if err := taken.takeOut(ctx, tx, table, c.ID, c.IsSuperseded); err != nil {
			return taken, err
		}
		taken.Corrections = append(taken.Corrections, c.ID)
	}
	return taken, taken.takeOut(ctx, tx, table, load, isSuperseded)
}

// takeOut takes the rows of a load out of the table, if they are in it, and ends it.
func (t *Taken) takeOut(ctx context.Context, tx pgx.Tx, table Table, load int64, isSuperseded bool) error {
	if isSuperseded {
		if err := Forget(ctx, tx, table, load); err != nil {
			return err
		}
		return t.bringBack(ctx, tx, table, load)
	}
	others, err := LoadsSince(ctx, tx, table.TargetID, load+1)
	if err != nil {
		return err
	}
	counts, kept, err := Apply(ctx, tx, table, load, others, false)
	if err != nil {
		return err
	}
	t.Counts.add(counts)
	t.KeptKeys = append(t.KeptKeys, kept...)
	return t.bringBack(ctx, tx, table, load)
}

// bringBack ends a load, and brings those back whose place it had taken.
func (t *Taken) bringBack(ctx context.Context, tx pgx.Tx, table Table, load int64) error {
	if _, err := tx.Exec(ctx, `update sheetdrop.target_load set undone_at = clock_timestamp(), superseded_by = null where id = $1`, load); err != nil {
		return fmt.Errorf("note that a load is undone: %w", err)
	}
	counts, kept, returned, err := returnSuperseded(ctx, tx, table, load)
	t.Counts.add(counts)
	t.KeptKeys = append(t.KeptKeys, kept...)
	t.KeptKeys = t.KeptKeys[:min(len(t.KeptKeys), maxKept)]
	t.Returned = returned
	return err
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
