package undo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/targetload"
)

const loadsPerSettle = 1000

// Settle marks loads that are older than age as ones that can no longer be undone, the oldest first. false means that none was left. One
// that is being undone is left alone.
func Settle(ctx context.Context, tx postgres.Tx, age time.Duration) (more bool, err error) {
	tag, err := tx.SQL().Exec(ctx, `update sheetdrop.target_load set settled_at = now() where id = any(array(
  select id from sheetdrop.target_load where settled_at is null and applied_at < now() - $1::interval
  order by applied_at limit $2 for no key update skip locked))`, age, loadsPerSettle)
	if err != nil {
		return false, fmt.Errorf("settle old loads: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

// history is what can be deleted of what a target keeps for undos.
type history struct {
	ID      uuid.UUID
	Schema  string
	Name    string
	HasKey  bool
	Before  int64   // nothing that was displaced or repeated by an earlier load is needed
	Aside   []int64 // superseded loads that will not return
	IsThere bool
}

// historySQL finds a target, any of those with settled loads whose history is there. A load can still be taken back while it is not
// settled, while it is the newest of its series, and while it may return because the one that superseded it can be undone. What happened
// before all of these has become the table's own state.
const historySQL = `with target as materialized (
  select t.* from sheetdrop.target t where t.id in (
    select target_id from sheetdrop.target_load where settled_at is not null and history_deleted_at is null)
  order by random() limit 1
)
select t.id, t.schema_name::text as schema, t.table_name::text as name, jsonb_array_length(coalesce(v.definition->'key', '[]')) > 0 as has_key,
  t.dropped_at is null and exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = t.schema_name and c.relname = t.table_name || '__was') as is_there,
  coalesce(min(l.id) filter (where l.superseded_by is null and l.undone_at is null and (l.settled_at is null or l.series is not null)
    or s.settled_at is null and s.id is not null), 9223372036854775807) as before,
  coalesce(array_agg(l.id) filter (where s.settled_at is not null and s.history_deleted_at is null), '{}') as aside
from target t join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
join sheetdrop.target_load l on l.target_id = t.id
left join sheetdrop.target_load s on s.id = l.superseded_by
group by t.id, t.schema_name, t.table_name, t.dropped_at, t.kind, v.definition`

const (
	deleteDisplacedSQL = `delete from {was} where ctid = any(array(select ctid from {was} where _by > 0 and _by < $1 limit $2))`
	deleteAsideSQL     = `delete from {was} where ctid = any(array(select ctid from {was} where _by = 0 and _load = any($1::bigint[]) limit $2))`
	deleteRepeatedSQL  = `delete from {seen} where ctid = any(array(select ctid from {seen} where _load < $1 limit $2))`
)

// DeleteHistory deletes up to limit rows of each kind that a target keeps for undos, and that no undo needs any more because its loads are
// settled. false means that there was nothing to delete.
func DeleteHistory(ctx context.Context, tx postgres.Tx, limit int) (more bool, err error) {
	found, err := database.One[history](ctx, tx.SQL(), historySQL)
	if err != nil || found == nil {
		return false, err
	}
	left := false
	if found.IsThere {
		if left, err = found.deleteSome(ctx, tx.SQL(), limit); err != nil {
			return false, fmt.Errorf("delete history of target %s: %w", found.ID, err)
		}
	}
	if !left {
		_, err = tx.SQL().Exec(ctx, `update sheetdrop.target_load set history_deleted_at = now()
where target_id = $1 and settled_at is not null and history_deleted_at is null`, found.ID)
	}
	return true, err
}

// deleteSome returns whether something may be left.
func (h *history) deleteSome(ctx context.Context, tx pgx.Tx, limit int) (left bool, err error) {
	role, err := targetload.LoaderRole(ctx, tx)
	if err != nil {
		return false, err
	}
	table := Table{Schema: h.Schema, Name: h.Name, Role: role}
	_, _, err = newUndo(ctx, tx, table, 0, nil).as("delete the history before", func(u *undo) (Counts, []json.RawMessage) {
		u.exec(`set local lock_timeout = '1s'`)
		deleted := []int64{u.exec(deleteDisplacedSQL, h.Before, limit), u.exec(deleteAsideSQL, h.Aside, limit)}
		if h.HasKey {
			deleted = append(deleted, u.exec(deleteRepeatedSQL, h.Before, limit))
		}
		left = slices.Max(deleted) == int64(limit)
		return Counts{}, nil
	})
	return left, err
}
