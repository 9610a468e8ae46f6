package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// BulkFilter chooses an owner's files that are not deleted; its zero value chooses all.
type BulkFilter struct {
	Status        task.Status // of the newest task
	ErrorCode     string      // likewise
	CreatedAfter  *time.Time  // the file
	CreatedBefore *time.Time
	After         uuid.UUID // only files with a higher id
}

// BulkCandidate is a file that is asked for.
type BulkCandidate struct {
	FileID uuid.UUID
	TaskID uuid.UUID // the newest task that the caller knew; uuid.Nil where it does not matter
}

// Candidates returns the files of a filter with their newest tasks, lowest ids first, up to limit.
func (t Tx) Candidates(ctx context.Context, owner string, f BulkFilter, limit int) ([]BulkCandidate, error) {
	candidates, err := database.All[BulkCandidate](ctx, t.tx, `select f.id as file_id, t.id as task_id from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id and kind = 'LOAD' order by created_at desc, id desc limit 1) t on true
where f.owner = $1 and f.deleted_at is null and f.id > $2 and ($3 = '' or t.status = $3) and ($4 = '' or t.error_code = $4)
  and ($5::timestamptz is null or f.created_at >= $5) and ($6::timestamptz is null or f.created_at < $6)
order by f.id limit $7`, owner, f.After, string(f.Status), f.ErrorCode, f.CreatedAfter, f.CreatedBefore, limit)
	if err != nil {
		return nil, fmt.Errorf("find files: %w", err)
	}
	return candidates, nil
}

// LockedFile is what a file that was locked is like.
type LockedFile struct {
	ID       uuid.UUID
	Deleted  bool
	Running  bool // it has a task that has not ended
	NewestID uuid.UUID
}

// LockCandidates locks those of the files that are the owner's, in the order of their ids, and tells what they are like now. Files that
// are not the owner's are left out, like those that are not there.
func (t Tx) LockCandidates(ctx context.Context, owner string, files []uuid.UUID) (map[uuid.UUID]LockedFile, error) {
	const lock = `select id from sheetdrop.source_file where id = any($1) and owner = $2 order by id for no key update`
	if _, err := t.tx.Exec(ctx, lock, files, owner); err != nil {
		return nil, fmt.Errorf("lock files: %w", err)
	}
	// A statement of its own: what it sees is what there is behind the locks.
	found, err := database.All[LockedFile](ctx, t.tx, `select f.id, f.deleted_at is not null as deleted,
  exists (select from sheetdrop.task where source_file_id = f.id and status in ('PENDING', 'PROCESSING')) as running,
  coalesce((select id from sheetdrop.task where source_file_id = f.id and kind = 'LOAD'
    order by created_at desc, id desc limit 1), f.id) as newest_id
from sheetdrop.source_file f where f.id = any($1) and f.owner = $2`, files, owner)
	if err != nil {
		return nil, fmt.Errorf("look at locked files: %w", err)
	}
	locked := make(map[uuid.UUID]LockedFile, len(found))
	for _, f := range found {
		locked[f.ID] = f
	}
	return locked, nil
}

// BulkItem is what became of a file that was asked for: a task, or the reason why there is none.
type BulkItem struct {
	FileID uuid.UUID  `json:"file_id"`
	TaskID *uuid.UUID `json:"task_id"`
	Reason *string    `json:"reason"`
}

// Bulk is a bulk operation that was done.
type Bulk struct {
	ID        uuid.UUID
	CreatedAt time.Time
	Items     []BulkItem `db:"-"`
}

// InsertBulk writes down what became of each file.
func (t Tx) InsertBulk(ctx context.Context, id uuid.UUID, owner string, items []BulkItem) error {
	_, err := t.tx.Exec(ctx, `with bulk as (insert into sheetdrop.bulk_operation (id, owner) values ($1, $2))
insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, task_id, reason)
select $1, item_no, file_id, task_id, reason
from rows from (jsonb_to_recordset($3) as (file_id uuid, task_id uuid, reason text)) with ordinality as i (file_id, task_id, reason, item_no)`,
		id, owner, items)
	if err != nil {
		return fmt.Errorf("write down the bulk operation: %w", err)
	}
	return nil
}

// Bulk returns an owner's bulk operation with its items in the order in which they were asked for, or ErrNotFound.
func (db *DB) Bulk(ctx context.Context, owner string, id uuid.UUID) (Bulk, error) {
	b, err := database.One[Bulk](ctx, db.pool, `select id, created_at from sheetdrop.bulk_operation where id = $1 and owner = $2`, id, owner)
	if err != nil {
		return Bulk{}, fmt.Errorf("read the bulk operation: %w", err)
	}
	if b == nil {
		return Bulk{}, ErrNotFound
	}
	b.Items, err = database.All[BulkItem](ctx, db.pool, `select file_id, task_id, reason from sheetdrop.bulk_item where bulk_id = $1 order by item_no`, id)
	if err != nil {
		return Bulk{}, fmt.Errorf("read the bulk operation's items: %w", err)
	}
	return *b, nil
}
