package undo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// ErrSettled says that a load can no longer be taken back: what its target has kept for that is no longer needed.
var ErrSettled = errors.New("the load can no longer be taken back")

// ErrNewer says that the file's load was followed by that of another file of its series.
var ErrNewer = errors.New("a newer file of the series counts")

// errTaken says that somebody else has taken the same loads back meanwhile.
var errTaken = fault.New(fault.Service, "the loads to replace have changed meanwhile")

// Place is where a load belongs among those of its target. It takes the place of the earlier ones of its series, and of those of the same
// sheet of its file, with their corrections.
type Place struct {
	Target        uuid.UUID
	Series        string // "" where it has none
	File          uuid.UUID
	Sheet         int  // from 1
	KeepsSameFile bool // what the same sheet has loaded before stays
}

// Earlier are loads whose place another one takes.
type Earlier struct {
	Loads   []int64 // oldest first
	Counts  Counts  // of the last TakeBack
	table   Table
	history []Load // that count, from the oldest of them on
}

// FindEarlier returns the loads whose place a load of a run takes; nil where there are none. ErrSettled says that one of them can no longer
// be taken back, ErrNewer that the file is not the newest of its series. schema and table are the target's.
func FindEarlier(ctx context.Context, run *postgres.Load, p Place, schema, table string, def target.Definition) (*Earlier, error) {
	of := Table{TargetID: p.Target, Schema: schema, Name: table}
	of.define(def)
	e, err := findEarlier(ctx, run.SQL(), p, of)
	return e, run.Explain(err)
}

func findEarlier(ctx context.Context, tx pgx.Tx, p Place, table Table) (*Earlier, error) {
	type load struct {
		ID      int64
		Settled bool
	}
	found, err := database.All[load](ctx, tx, `select id, settled_at is not null and series is null as settled
from sheetdrop.target_load l where target_id = $1 and undone_at is null and (series = $2 or not $5 and exists (
  select from sheetdrop.target_load o where o.id = coalesce(l.corrects, l.id) and o.file_id = $3 and o.sheet_number = $4)) order by id`,
		p.Target, p.Series, p.File, p.Sheet, p.KeepsSameFile)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if isOld, err := isFollowed(ctx, tx, p); err != nil || isOld {
		return nil, cmp.Or(err, ErrNewer)
	}
	e := &Earlier{table: table}
	for _, l := range found {
		if l.Settled {
			return nil, ErrSettled
		}
		e.Loads = append(e.Loads, l.ID)
	}
	e.history, err = LoadsSince(ctx, tx, p.Target, e.Loads[0])
	return e, err
}

// isFollowed reports whether the same sheet of the file has been loaded into the series before, and another file has followed. Parsing the
// old file again must not bring it back in place of the newer one.
func isFollowed(ctx context.Context, tx pgx.Tx, p Place) (found bool, err error) {
	err = tx.QueryRow(ctx, `select exists (
  select from sheetdrop.target_load old join sheetdrop.target_load newer
    on newer.target_id = old.target_id and newer.series = old.series and newer.undone_at is null and newer.file_id <> old.file_id
    and newer.corrects is null
  where old.target_id = $1 and old.series = $2 and old.file_id = $3 and old.sheet_number = $4 and old.superseded_by is not null)`,
		p.Target, p.Series, p.File, p.Sheet).Scan(&found)
	return found, err
}

// TakeBack takes the loads back so that they may return. The session's role must be one that may write the target.
func (e *Earlier) TakeBack(ctx context.Context, tx pgx.Tx) error {
	e.Counts = Counts{}
	others := slices.Clone(e.history)
	for _, load := range e.Loads {
		others = slices.DeleteFunc(others, func(l Load) bool { return l.ID == load })
		counts, _, err := Apply(ctx, tx, e.table, load, others, true)
		if err != nil {
			return err
		}
		e.Counts.add(counts)
	}
	return nil
}

// Record notes that a load has taken their place.
func (e *Earlier) Record(ctx context.Context, run *postgres.Load, by int64) error {
	return run.Explain(e.record(ctx, run.SQL(), by))
}

func (e *Earlier) record(ctx context.Context, tx pgx.Tx, by int64) error {
	tag, err := tx.Exec(ctx, `update sheetdrop.target_load set undone_at = clock_timestamp(), superseded_by = $2
where id = any($1) and undone_at is null and (settled_at is null or series is not null)`, e.Loads, by)
	if err == nil && tag.RowsAffected() != int64(len(e.Loads)) {
		return errTaken
	}
	if err != nil {
		return err
	}
	var corrected bool // meanwhile, in a target whose loads have no order
	err = tx.QueryRow(ctx, `select exists (select from sheetdrop.target_load where target_id = $1 and corrects = any($2) and undone_at is null)`,
		e.table.TargetID, e.Loads).Scan(&corrected)
	if err == nil && corrected {
		err = errTaken
	}
	return err
}

func (c *Counts) add(more Counts) {
	c.Removed += more.Removed
	c.Restored += more.Restored
	c.Kept += more.Kept
}

// LoadsSince returns the loads of a target that count, from one on, as Apply needs them.
func LoadsSince(ctx context.Context, tx pgx.Tx, targetID uuid.UUID, first int64) ([]Load, error) {
	loads, err := database.All[Load](ctx, tx, `select id, columns, coalesce(scope, 'null') as scope from sheetdrop.target_load
where target_id = $1 and id >= $2 and undone_at is null order by id`, targetID, first)
	if err != nil {
		return nil, fmt.Errorf("read the loads of a target: %w", err)
	}
	return loads, nil
}

// superseded is a load whose place another one has taken.
type superseded struct {
	Load
	Successor *int64 // the first load after it that takes its place, besides the one that is taken back
}

// returnSuperseded brings the loads back whose place a load had taken that is taken back now, but for those whose place a later one would
// have taken anyway.
func returnSuperseded(
	ctx context.Context, tx pgx.Tx, table Table, load int64,
) (counts Counts, kept []json.RawMessage, returned []int64, err error) {
	found, err := database.All[superseded](ctx, tx, `select q.id, q.columns, coalesce(q.scope, 'null') as scope, (
  select min(x.id) from sheetdrop.target_load x
  where x.target_id = q.target_id and x.id > q.id and x.corrects is null and (x.undone_at is null or x.superseded_by is not null)
    and (x.series = q.series or x.replaces_sheet and x.file_id = o.file_id and x.sheet_number = o.sheet_number)) as successor
from sheetdrop.target_load q join sheetdrop.target_load o on o.id = coalesce(q.corrects, q.id) where q.target_id = $1 and q.superseded_by = $2 order by q.id`, table.TargetID, load)
	if err != nil {
		return counts, nil, nil, fmt.Errorf("find superseded loads: %w", err)
	}
	for _, q := range found {
		if q.Successor == nil {
			others, err := LoadsSince(ctx, tx, table.TargetID, q.ID)
			if err != nil {
				return counts, nil, nil, err
			}
			done, named, err := Return(ctx, tx, table, q.Load, others)
			if err != nil {
				return counts, nil, nil, err
			}
			counts.add(done)
			kept, returned = append(kept, named...), append(returned, q.ID)
		}
		if _, err := tx.Exec(ctx, `update sheetdrop.target_load set superseded_by = $2, undone_at = case when $2::bigint is not null then undone_at end
where id = $1`, q.ID, q.Successor); err != nil {
			return counts, nil, nil, fmt.Errorf("bring a superseded load back: %w", err)
		}
	}
	return counts, kept, returned, nil
}
