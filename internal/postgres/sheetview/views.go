// Package sheetview keeps the typed views of sheets: it makes, points and drops them, and brings those in line whose files
// have changed.
package sheetview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Max is how many views an owner may have: each takes rows of PostgreSQL's catalogs.
const Max = 1000

// View is a typed view of a sheet.
type View struct {
	ID          uuid.UUID
	Name        string
	SQLName     string // with its schema, quoted where SQL needs it
	SheetID     int64
	TaskID      *uuid.UUID // of the reading that it shows; nil once that is deleted
	FileID      uuid.UUID
	FileName    string // "" once the file's row is gone
	SheetNumber int
	Pinned      bool     // it stays with its reading
	InUseBy     []string // objects that kept it from being changed or dropped
	Gone        bool     // somebody else has dropped or renamed it
	CreatedAt   time.Time
}

const viewSQL = `select v.id, v.name, quote_ident(sheetdrop.schema_of(v.owner)) || '.' || quote_ident(v.name) as sql_name, v.sheet_id, s.task_id,
  coalesce(v.file_id, '00000000-0000-0000-0000-000000000000') as file_id, coalesce(f.name, '') as file_name,
  coalesce(v.sheet_number, 1) as sheet_number, v.pinned, coalesce(v.in_use_by, '{}') as in_use_by, v.created_at,
  not ` + thereSQL + ` as gone
from sheetdrop.sheet_view v left join sheetdrop.sheet s on s.id = v.sheet_id left join sheetdrop.source_file f on f.id = v.file_id
where `

// thereSQL is whether the view of row v of sheet_view is there.
const thereSQL = `exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = sheetdrop.schema_of(v.owner) and c.relname = v.name and c.relkind = 'v')`

// List lists an owner's views that are there, newest first, as Files does.
func List(ctx context.Context, db *postgres.DB, owner string, before uuid.UUID, limit int) (views []View, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[View], viewSQL+thereSQL+` and v.owner = $1 and v.id < $2
order by v.id desc limit $3`, owner, before, limit+1)
}

// Find returns one of an owner's views, or postgres.ErrNotFound.
func Find(ctx context.Context, db *postgres.DB, owner string, id uuid.UUID) (View, error) {
	return oneView(ctx, db.SQL(), `v.owner = $1 and v.id = $2`, owner, id)
}

// OfTask returns the oldest view of each of a task's sheets, by the sheet's number, as SQL names it.
func OfTask(ctx context.Context, db *postgres.DB, taskID uuid.UUID) (map[int]string, error) {
	views, err := database.All[View](ctx, db.SQL(), viewSQL+thereSQL+` and s.task_id = $1 order by v.id desc`, taskID)
	if err != nil {
		return nil, fmt.Errorf("read the task's views: %w", err)
	}
	names := make(map[int]string, len(views))
	for _, v := range views {
		names[v.SheetNumber] = v.SQLName
	}
	return names, nil
}

func oneView(ctx context.Context, q database.Querier, which string, args ...any) (View, error) {
	found, err := database.One[View](ctx, q, viewSQL+which+` order by v.id limit 1`, args...)
	if err != nil {
		return View{}, fmt.Errorf("read view: %w", err)
	}
	if found == nil {
		return View{}, postgres.ErrNotFound
	}
	return *found, nil
}

// Lock keeps other transactions from making and dropping views of the owner until this one ends. A file is locked before.
func Lock(ctx context.Context, tx postgres.Tx, owner string) error {
	if _, err := tx.SQL().Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('views of ' || $1::text, 0))`, owner); err != nil {
		return fmt.Errorf("lock the owner's views: %w", err)
	}
	return nil
}

// Named returns the owner's view of a name or, where that is "", the oldest one of a sheet; or postgres.ErrNotFound.
func Named(ctx context.Context, q database.Querier, owner, name string, sheetID int64) (View, error) {
	return oneView(ctx, q, `v.owner = $1 and (v.name = $2 or $2 = '' and v.sheet_id = $3)`, owner, name, sheetID)
}

// NamesInUse returns the names that nothing new can have in the owner's schema, whoever made what has them, and how many of them are views
// of sheets.
func NamesInUse(ctx context.Context, tx postgres.Tx, owner string) (names map[string]bool, views int, err error) {
	used, err := database.Column[string](ctx, tx.SQL(), `select name from sheetdrop.sheet_view where owner = $1
union select typname from pg_type t join pg_namespace n on n.oid = t.typnamespace where n.nspname = sheetdrop.schema_of($1)
union select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = sheetdrop.schema_of($1)`, owner)
	if err == nil {
		err = tx.SQL().QueryRow(ctx, `select count(*) from sheetdrop.sheet_view where owner = $1`, owner).Scan(&views)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the names in use: %w", err)
	}
	names = make(map[string]bool, len(used))
	for _, name := range used {
		names[name] = true
	}
	return names, views, nil
}

// New is a view that is to show a sheet.
type New struct {
	ID      uuid.UUID
	Owner   string
	Name    string
	SheetID int64
	Pinned  *bool // nil pins it where the file has a newer reading of the sheet
}

// newestReadingSQL is the id of the sheet of a number in the newest reading that a file has of it. Both are SQL of the statement around it.
func newestReadingSQL(file, number string) string {
	return `(select found.id from sheetdrop.task reading join sheetdrop.sheet found on found.task_id = reading.id
  join sheetdrop.source_file file on file.id = reading.source_file_id
  where reading.source_file_id = ` + file + ` and found.number = ` + number + ` and file.deleted_at is null and reading.status = 'COMPLETED'
    and reading.rows_deleted_at is null and reading.target_id is null and not reading.options @> '{"dry_run": true}' and found.columns <> '[]'
  order by reading.created_at desc, reading.id desc limit 1)`
}

// Create makes a view under a name that is not in use; postgres.ErrNotFound where the sheet is gone. The sheet's file and the owner's views
// are locked. It is marked for maintenance, since a newer reading may be completed before the view is there to be marked.
func Create(ctx context.Context, tx postgres.Tx, n New) error {
	made, err := tx.SQL().Exec(ctx, `insert into sheetdrop.sheet_view (id, owner, name, sheet_id, file_id, sheet_number, stale_at, pinned)
select $1, $2, $3, s.id, t.source_file_id, s.number, now(), coalesce($5, s.id is distinct from `+newestReadingSQL("t.source_file_id", "s.number")+`)
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id where s.id = $4`, n.ID, n.Owner, n.Name, n.SheetID, n.Pinned)
	if err == nil && made.RowsAffected() == 0 {
		return postgres.ErrNotFound
	}
	if err == nil {
		_, err = tx.SQL().Exec(ctx, `select sheetdrop.view_create($1)`, n.ID)
	}
	if err != nil {
		return fmt.Errorf("make a view: %w", err)
	}
	return nil
}

// Point has an owner's view show another sheet. The error is ErrInUse where something depends on columns that would change, ErrRead
// where somebody reads it, ErrNotAView where a table has its name by now; the transaction can then only be rolled back.
func Point(ctx context.Context, tx postgres.Tx, n New) error {
	_, err := tx.SQL().Exec(ctx, `update sheetdrop.sheet_view v set sheet_id = s.id, file_id = t.source_file_id, sheet_number = s.number, stale_at = now(), in_use_by = null,
  pinned = coalesce($3, s.id is distinct from `+newestReadingSQL("t.source_file_id", "s.number")+`)
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id where v.id = $1 and s.id = $2`, n.ID, n.SheetID, n.Pinned)
	if err == nil {
		_, err = tx.SQL().Exec(ctx, `select sheetdrop.view_replace($1)`, n.ID)
	}
	return changeError("point a view to another sheet", err)
}

// Pin says whether a view stays with the reading that it shows. One that no longer does is looked at by maintenance.
func Pin(ctx context.Context, tx postgres.Tx, id uuid.UUID, pinned bool) error {
	_, err := tx.SQL().Exec(ctx, `update sheetdrop.sheet_view set pinned = $2, stale_at = now() where id = $1 and pinned <> $2`, id, pinned)
	if err != nil {
		return fmt.Errorf("pin a view: %w", err)
	}
	return nil
}

// Drop drops a view of the owner's; postgres.ErrNotFound where there is none, else as for Point.
func Drop(ctx context.Context, tx postgres.Tx, owner string, id uuid.UUID) error {
	var there bool
	err := tx.SQL().QueryRow(ctx, `select `+thereSQL+` from sheetdrop.sheet_view v where owner = $1 and id = $2 for update`, owner, id).Scan(&there)
	if errors.Is(err, pgx.ErrNoRows) {
		return postgres.ErrNotFound
	}
	if err == nil {
		err = drop(ctx, tx.SQL(), id, there)
	}
	return changeError("drop a view", err)
}

// drop drops the view before its row, by which view_drop knows it. Where it is not there, something else may have its name by now.
func drop(ctx context.Context, tx pgx.Tx, id uuid.UUID, there bool) error {
	if there {
		if _, err := tx.Exec(ctx, `select sheetdrop.view_drop($1)`, id); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `delete from sheetdrop.sheet_view where id = $1`, id)
	return err
}

// Why a view was left as it is.
var (
	ErrInUse    = errors.New("other objects depend on the view")
	ErrRead     = errors.New("the view is being read")
	ErrNotAView = errors.New("something else has the view's name by now")
)

func changeError(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case database.HasState(err, database.DependentObjects):
		return ErrInUse
	case database.HasState(err, database.LockNotAvailable):
		return ErrRead
	case database.HasState(err, database.WrongObjectType):
		return ErrNotAView
	}
	return fmt.Errorf("%s: %w", what, err)
}

// dependantsSQL are the objects that depend on the view of row v of sheet_view, or on the type of its rows, as people name them.
const dependantsSQL = `(select coalesce(array_agg(distinct coalesce(
    (select format('%I.%I', n.nspname, c.relname)
     from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
     where d.classid = 'pg_rewrite'::regclass and r.oid = d.objid),
    pg_describe_object(d.classid, d.objid, d.objsubid))), '{}')
  from pg_class shown join pg_namespace space on space.oid = shown.relnamespace
  join pg_depend d on (d.refclassid, d.refobjid) in (('pg_class'::regclass, shown.oid), ('pg_type'::regclass, shown.reltype))
  where space.nspname = sheetdrop.schema_of(v.owner) and shown.relname = v.name and d.deptype = 'n'
    and not exists (select from pg_rewrite r where d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.ev_class = shown.oid))`

// Dependants names what depends on a view: other views, functions, columns of its row type.
func Dependants(ctx context.Context, db *postgres.DB, id uuid.UUID) ([]string, error) {
	names, err := database.Column[[]string](ctx, db.SQL(), `select `+dependantsSQL+` from sheetdrop.sheet_view v where v.id = $1`, id)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	return names[0], nil
}
