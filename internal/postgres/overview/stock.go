package overview

import (
	"context"
	"fmt"

	"sheetdrop/internal/postgres/database"
)

// Stock is what there is, for metrics: tasks, what is to be deleted, and how much room all takes.
type Stock struct {
	Now
	Backlog
	Tables []Table
	Owners []Owner
}

// Backlog is what is to be deleted, and how large the database is.
type Backlog struct {
	PurgeFiles int64 // deleted files whose sheets remain, up to 10,000
	PurgeRows  int64 // rows of deleted sheets, of up to 10,000 of these
	Size       int64 // bytes of the database
}

// Table is one of sheetdrop's own tables, a partitioned one as a whole.
type Table struct {
	Name string
	Size int64 // bytes, with indexes
}

// Owner is an owner with tasks that have not ended.
type Owner struct {
	Hash  string // the first 12 digits of the owner's SHA-256
	Tasks int64
}

// mostOpenTasks is how many of the tasks that have not ended are looked at for their owners.
const mostOpenTasks = 100_000

// ReadStock counts it, with so many of the owners with most tasks. No owner's name leaves the database.
func ReadStock(ctx context.Context, q database.Querier, owners int) (stock Stock, err error) {
	if stock.Now, err = Read(ctx, q); err != nil {
		return stock, err
	}
	backlog, err := database.One[Backlog](ctx, q, `select
  (select count(*) from (select from sheetdrop.source_file where deleted_at is not null and purged_at is null limit $1) f) as purge_files,
  (select coalesce(sum(rows), 0)::bigint from (select last_row - position as rows from sheetdrop.sheet_purge limit $1) p) as purge_rows,
  pg_database_size(current_database()) as size`, mostCounted)
	if err != nil {
		return stock, fmt.Errorf("read what is to be deleted: %w", err)
	}
	stock.Backlog = *backlog
	stock.Tables, err = database.All[Table](ctx, q, `select t.relname as name, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as size
from pg_class c join pg_class t on t.oid = coalesce(pg_partition_root(c.oid), c.oid)
where c.relnamespace = 'sheetdrop'::regnamespace and c.relkind = 'r' group by t.relname order by size desc, name`)
	if err != nil {
		return stock, fmt.Errorf("read the sizes of tables: %w", err)
	}
	stock.Owners, err = database.All[Owner](ctx, q, `select left(encode(sha256(convert_to(owner, 'UTF8')), 'hex'), 12) as hash, count(*) as tasks
from (select owner from sheetdrop.task where status in ('PENDING', 'PROCESSING') and owner is not null limit $1) t
group by owner order by tasks desc, owner limit $2`, mostOpenTasks, owners)
	if err != nil {
		return stock, fmt.Errorf("read the owners with most tasks: %w", err)
	}
	return stock, nil
}
