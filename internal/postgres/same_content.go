package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// sameFileSQL is a task.SameFile as JSON, of a file aliased e and its newest task n.
const sameFileSQL = `jsonb_build_object('id', e.id, 'name', e.name, 'created_at', e.created_at, 'task_id', n.id, 'task_status', n.status) as same_as`

// newestTaskSQL joins, as n, the newest task of a file aliased e.
const newestTaskSQL = `
  join lateral (select id, status from sheetdrop.task where source_file_id = e.id and kind = 'LOAD' order by created_at desc, id desc limit 1) n on true`

// earlierSQL joins, as same_as, the newest of the owner's earlier files with the bytes of the file aliased f; NULL if there is none.
const earlierSQL = ` left join lateral (
  select ` + sameFileSQL + `
  from sheetdrop.source_file e` + newestTaskSQL + `
  where e.owner = f.owner and e.sha256 = f.sha256 and e.deleted_at is null and (e.created_at, e.id) < (f.created_at, f.id)
  order by e.created_at desc, e.id desc limit 1) same on true
`

// LockContents makes transactions of the owner that accept one of these contents only once wait for each other, until this one ends. It
// comes before the locks of files.
func (t Tx) LockContents(ctx context.Context, owner string, contents []task.Hash) error {
	_, err := t.tx.Exec(ctx, `select pg_advisory_xact_lock(key) from (
  select distinct hashtextextended('content ' || $1 || ' ' || encode(content, 'hex'), 0) as key from unnest($2::bytea[]) content order by key) k`,
		owner, bytesOf(contents))
	if err != nil {
		return fmt.Errorf("lock the contents: %w", err)
	}
	return nil
}

// Duplicate is one of several contents, by its index, that another file has already.
type Duplicate struct {
	Index int
	Of    task.SameFile `db:"same_as"`
}

// Duplicate returns the first of several contents that the owner has in a file that is not deleted, besides these files, and the newest
// such file; nil if there is none. Direct uploads that no worker has read yet count by the hash that they promise.
func (t Tx) Duplicate(ctx context.Context, owner string, contents []task.Hash, besides ...uuid.UUID) (*Duplicate, error) {
	found, err := database.One[Duplicate](ctx, t.tx, `select (c.no - 1)::int as index, same_as
from unnest($2::bytea[]) with ordinality c (sha256, no)
join lateral (
  (select `+sameFileSQL+` from sheetdrop.source_file e`+newestTaskSQL+`
  where e.owner = $1 and e.sha256 = c.sha256 and e.deleted_at is null and e.id <> all ($3::uuid[])
  order by e.created_at desc, e.id desc limit 1)
  union all
  (select `+sameFileSQL+` from sheetdrop.upload u join sheetdrop.source_file e on e.id = u.file_id`+newestTaskSQL+`
  where u.owner = $1 and u.sha256 = c.sha256 and u.status = 'COMPLETED' and e.sha256 is null and e.deleted_at is null
    and e.id <> all ($3::uuid[]) and n.status in ('PENDING', 'PROCESSING')
  limit 1)
  limit 1) same on true
order by c.no limit 1`, owner, bytesOf(contents), append([]uuid.UUID{}, besides...))
	if err != nil {
		return nil, fmt.Errorf("look for the same content: %w", err)
	}
	return found, nil
}

func bytesOf(contents []task.Hash) [][]byte {
	list := make([][]byte, len(contents))
	for i := range contents {
		list[i] = contents[i][:]
	}
	return list
}
