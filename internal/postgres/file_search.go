package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// searchedFiles is how many files one search looks at. A name is found by no index, and one that matches nothing must not
// cost more the more files there are.
const searchedFiles = 5000

// FileSearch chooses files by what no index has: each that is set must hold.
type FileSearch struct {
	Name     string        // a part of the name; case does not matter
	Statuses []task.Status // of the newest task
	Rejects  bool          // the newest task has rejected records

	CreatedAfter  *time.Time // inclusive
	CreatedBefore *time.Time // exclusive
}

// Empty reports whether the search takes all files.
func (s FileSearch) Empty() bool {
	return s.Name == "" && len(s.Statuses) == 0 && !s.Rejects && s.CreatedAfter == nil && s.CreatedBefore == nil
}

// SearchFiles lists files as Files does, but looks at 5,000 at most. next is the id before which to go on, uuid.Nil at the
// end; a page may be empty and still have one.
func (db *DB) SearchFiles(
	ctx context.Context, f FileFilter, s FileSearch, before uuid.UUID, limit int,
) (files []FileAndTask, next uuid.UUID, err error) {
	last, err := db.searchEnd(ctx, f.Owner, before)
	if err != nil {
		return nil, uuid.Nil, err
	}
	statuses := make([]string, len(s.Statuses))
	for i, status := range s.Statuses {
		statuses[i] = string(status)
	}
	files, more, err := ReadPage(ctx, db, limit, scanFileAndTask, `select `+fileColumnsSQL+`, `+taskColumnsSQL+`, same_as
from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id and kind = 'LOAD' order by created_at desc, id desc limit 1) t on true`+earlierSQL+`
where f.owner = $1 and f.id < $2 and f.id >= $3 and f.deleted_at is null and ($4::bytea is null or f.sha256 = $4)
  and ($5 = '' or strpos(lower(f.name), lower($5)) > 0)
  and ($6::text[] = '{}' or t.status = any($6))
  and (not $7 or coalesce((t.summary->>'rows_rejected')::bigint, (t.progress->>'rows_rejected')::bigint, 0) > 0)
  and ($9::timestamptz is null or f.created_at >= $9) and ($10::timestamptz is null or f.created_at < $10)
order by f.id desc limit $8`, f.Owner, before, last, f.SHA256.OrNil(), s.Name, statuses, s.Rejects, limit+1, s.CreatedAfter, s.CreatedBefore)
	switch {
	case err != nil:
		return nil, uuid.Nil, err
	case more:
		return files, files[len(files)-1].File.ID, nil
	default:
		return files, last, nil
	}
}

// searchEnd returns the id of the last file that one search looks at, uuid.Nil if it reaches the end.
func (db *DB) searchEnd(ctx context.Context, owner string, before uuid.UUID) (uuid.UUID, error) {
	ids, err := database.Column[uuid.UUID](ctx, db.pool, `select id from sheetdrop.source_file
where owner = $1 and id < $2 and deleted_at is null order by id desc offset $3 limit 1`, owner, before, searchedFiles-1)
	if err != nil {
		return uuid.Nil, fmt.Errorf("find the end of the search: %w", err)
	}
	if len(ids) == 0 {
		return uuid.Nil, nil
	}
	return ids[0], nil
}
