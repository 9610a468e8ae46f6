// Package bulkparse keeps operations that parse many files again: which files a filter selects, and what became of each.
package bulkparse

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Filter chooses an owner's files that are not deleted; its zero value chooses all.
type Filter struct {
	Status        task.Status // of the newest task
	ErrorCode     string      // likewise
	CreatedAfter  *time.Time  // the file
	CreatedBefore *time.Time
	After         uuid.UUID // only files with a higher id
}

// Candidate is a file that is asked for.
type Candidate struct {
	FileID uuid.UUID
	TaskID uuid.UUID // the newest task that the caller knew; uuid.Nil where it does not matter
}

// Candidates returns the files of a filter with their newest tasks, lowest ids first, up to limit.
func Candidates(ctx context.Context, tx postgres.Tx, owner string, f Filter, limit int) ([]Candidate, error) {
	candidates, err := database.All[Candidate](ctx, tx.SQL(), `select f.id as file_id, t.id as task_id from sheetdrop.source_file f
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

// Lock locks those of the files that are the owner's, in the order of their ids, and tells what they are like now. Files that
// are not the owner's are left out, like those that are not there.
func Lock(ctx context.Context, tx postgres.Tx, owner string, files []uuid.UUID) (map[uuid.UUID]LockedFile, error) {
	const lock = `select id from sheetdrop.source_file where id = any($1) and owner = $2 order by id for no key update`
	if _, err := tx.SQL().Exec(ctx, lock, files, owner); err != nil {
		return nil, fmt.Errorf("lock files: %w", err)
	}
	// A statement of its own: what it sees is what there is behind the locks.
	found, err := database.All[LockedFile](ctx, tx.SQL(), `select f.id, f.deleted_at is not null as deleted,
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

// Item is what became of a file that was asked for: a task, or the reason why there is none.
type Item struct {
	FileID uuid.UUID  `json:"file_id"`
	TaskID *uuid.UUID `json:"task_id"`
	Reason *string    `json:"reason"`
}

// Operation is a bulk operation that was done.
type Operation struct {
	ID        uuid.UUID
	CreatedAt time.Time
	Items     []Item `db:"-"`
}

// Insert writes down what became of each file.
func Insert(ctx context.Context, tx postgres.Tx, id uuid.UUID, owner string, items []Item) error {
	_, err := tx.SQL().Exec(ctx, `with bulk as (insert into sheetdrop.bulk_operation (id, owner) values ($1, $2))
insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, task_id, reason)
select $1, item_no, file_id, task_id, reason
from rows from (jsonb_to_recordset($3) as (file_id uuid, task_id uuid, reason text)) with ordinality as i (file_id, task_id, reason, item_no)`,
		id, owner, items)
	if err != nil {
		return fmt.Errorf("write down the bulk operation: %w", err)
	}
	return nil
}

// Find returns an owner's bulk operation with its items in the order in which they were asked for, or postgres.ErrNotFound.
func Find(ctx context.Context, db *postgres.DB, owner string, id uuid.UUID) (Operation, error) {
	b, err := database.One[Operation](ctx, db.SQL(), `select id, created_at from sheetdrop.bulk_operation where id = $1 and owner = $2`, id, owner)
	if err != nil {
		return Operation{}, fmt.Errorf("read the bulk operation: %w", err)
	}
	if b == nil {
		return Operation{}, postgres.ErrNotFound
	}
	b.Items, err = database.All[Item](ctx, db.SQL(), `select file_id, task_id, reason from sheetdrop.bulk_item where bulk_id = $1 order by item_no`, id)
	if err != nil {
		return Operation{}, fmt.Errorf("read the bulk operation's items: %w", err)
	}
	return *b, nil
}
