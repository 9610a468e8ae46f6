// Package targetstore keeps named targets: their definitions, who may use them, what people have chosen for the headers of
// their files, and the list of what was loaded into them.
package targetstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Target is a named target that has not been dropped, with its newest definition.
type Target struct {
	ID         uuid.UUID
	Owner      string
	Name       string
	Version    int
	Kind       string // MANAGED: made by sheetdrop; target.Adopted: there before
	SchemaName string
	TableName  string
	Ordered    bool
	CreatedAt  time.Time
	Definition json.RawMessage
	Rights     []string // of who asks for it: "own", or some of "define", "load" and "read"
}

// The rights on a target.
const (
	MayOwn    = "own"
	MayDefine = "define"
	MayLoad   = "load"
	MayRead   = "read"
)

// May reports whether who has asked for the target has a right on it. Its owner has them all.
func (t Target) May(right string) bool {
	for _, r := range t.Rights {
		if r == right || r == MayOwn {
			return true
		}
	}
	return false
}

// Errors of targets' tables.
var (
	// ErrTableExists says that a table, or a view, has the name already.
	ErrTableExists = errors.New("a table or view with this name exists already")
	// ErrTableInUse says that a table could not be locked within a second. The transaction is worth another try.
	ErrTableInUse = errors.New("the table is in use")
)

// InUseError says what depends on a target's table.
type InUseError struct {
	By []string // as PostgreSQL describes each: view data.totals depends on table data.prices
}

func (e *InUseError) Error() string { return "in use by " + strings.Join(e.By, "; ") }

// targetSQL reads targets that somebody may see: $1 are the owner and the roles of who asks, the owner first.
const targetSQL = `select t.id, t.owner, t.name, t.version, t.kind, t.schema_name, t.table_name, t.ordered, t.created_at, v.definition,
  case when t.owner = ($1::text[])[1] then '{own}'::text[] else s.rights end as rights
from sheetdrop.target t
join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
left join lateral (select array_agg(distinct may order by may) as rights from sheetdrop.target_share
  where target_id = t.id and grantee = any($1)) s on true
where t.dropped_at is null and (t.owner = ($1::text[])[1] or s.rights is not null)`

// Find returns a target that somebody may see, by its name or its id; or postgres.ErrNotFound. who has the owner and the roles of who
// asks, the owner first. Own targets take precedence over shared ones; of several shared ones with the same name it takes none.
func Find(ctx context.Context, db *postgres.DB, who []string, name string) (Target, error) {
	return find(ctx, db.SQL(), who, name, "")
}

// Lock is the same, and keeps the target from being changed until the transaction ends.
func Lock(ctx context.Context, tx postgres.Tx, who []string, name string) (Target, error) {
	return find(ctx, tx.SQL(), who, name, " for no key update of t")
}

func find(ctx context.Context, q database.Querier, who []string, name, lock string) (Target, error) {
	id, err := uuid.Parse(name)
	found, err := database.All[Target](ctx, q, targetSQL+` and (t.name = $2 or t.id = $3) order by t.owner <> ($1::text[])[1], t.name <> $2`+lock,
		who, name, uuid.NullUUID{UUID: id, Valid: err == nil})
	switch {
	case err != nil:
		return Target{}, fmt.Errorf("read target: %w", err)
	case len(found) == 0 || len(found) > 1 && !found[0].May(MayOwn):
		return Target{}, postgres.ErrNotFound
	}
	return found[0], nil
}

// List lists the targets that somebody may see, newest first, as Files does.
func List(ctx context.Context, db *postgres.DB, who []string, before uuid.UUID, limit int) (targets []Target, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Target], targetSQL+` and t.id < $2 order by t.id desc limit $3`,
		who, before, limit+1)
}

// TableOf returns the table, as SQL has it, into which a task has loaded; "" where it is none of a target's, or not any more.
func TableOf(ctx context.Context, db *postgres.DB, taskID uuid.UUID) (name string, err error) {
	names, err := database.Column[string](ctx, db.SQL(), `select format('%I.%I', g.schema_name, g.table_name)
from sheetdrop.task t join sheetdrop.target g on g.id = t.target_id and g.dropped_at is null where t.id = $1`, taskID)
	if err != nil {
		return "", fmt.Errorf("find the target's table: %w", err)
	}
	return strings.Join(names, ""), nil
}

// Version is a definition that a target has, or had.
type Version struct {
	Version    int
	Definition json.RawMessage
	MadeBy     string
	MadeAt     time.Time
}

// Versions returns all definitions of a target, newest first.
func Versions(ctx context.Context, db *postgres.DB, id uuid.UUID) ([]Version, error) {
	return database.All[Version](ctx, db.SQL(), `select version, definition, made_by, made_at from sheetdrop.target_version
where target_id = $1 order by version desc`, id)
}

// Create writes a managed target and makes its tables; a view of a sheet that has its name is dropped. false means that its owner has
// one with this name.
func Create(ctx context.Context, tx postgres.Tx, id uuid.UUID, owner, name string, ordered bool, definition json.RawMessage) (bool, error) {
	tag, err := tx.SQL().Exec(ctx, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
values ($1, $2::text, $3::text, 'MANAGED', sheetdrop.schema_of($2::text), $3::text, $4) on conflict (owner, name) where dropped_at is null do nothing`, id, owner, name, ordered)
	if err != nil || tag.RowsAffected() == 0 {
		return false, targetError("write the target", err)
	}
	if _, err := tx.SQL().Exec(ctx, `insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $2, $3)`,
		id, definition, owner); err != nil {
		return false, fmt.Errorf("write the target's definition: %w", err)
	}
	// A view that was made of a file frees its name, unless others have built on it.
	for _, sql := range []string{
		`select sheetdrop.view_drop(id) from sheetdrop.sheet_view where owner = $1 and name = $2`,
		`delete from sheetdrop.sheet_view where owner = $1 and name = $2`,
	} {
		if _, err := tx.SQL().Exec(ctx, sql, owner, name); err != nil {
			return false, targetError("drop the view of the same name", err)
		}
	}
	_, err = tx.SQL().Exec(ctx, `select sheetdrop.target_create($1)`, id)
	return true, targetError("make the target's tables", err)
}

// CheckQuota returns a *QuotaError where an owner has more targets than the limit; 0 is none. The owner's other transactions that create
// targets wait from here on until this one ends.
func CheckQuota(ctx context.Context, tx postgres.Tx, owner string, limit int64) error {
	if limit == 0 {
		return nil
	}
	if _, err := tx.SQL().Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('sheetdrop.target of ' || $1, 0))`, owner); err != nil {
		return fmt.Errorf("wait for the owner's other targets: %w", err)
	}
	var n int64
	if err := tx.SQL().QueryRow(ctx, `select count(*) from sheetdrop.target where owner = $1 and dropped_at is null`, owner).Scan(&n); err != nil {
		return fmt.Errorf("count the owner's targets: %w", err)
	}
	if n > limit {
		return &postgres.QuotaError{What: postgres.OpenTargets, Limit: limit}
	}
	return nil
}

// Change writes the next version of a locked target, and changes the tables of a managed one accordingly.
func Change(ctx context.Context, tx postgres.Tx, target Target, by string, ordered bool, definition json.RawMessage) error {
	if _, err := tx.SQL().Exec(ctx, `with changed as (
  update sheetdrop.target set version = version + 1, ordered = $4 where id = $1 returning id, version
)
insert into sheetdrop.target_version (target_id, version, definition, made_by) select id, version, $2, $3 from changed`,
		target.ID, definition, by, ordered); err != nil {
		return fmt.Errorf("write the target's next definition: %w", err)
	}
	if target.Kind != "MANAGED" {
		return nil
	}
	_, err := tx.SQL().Exec(ctx, `select sheetdrop.target_change($1)`, target.ID)
	return targetError("change the target's tables", err)
}

// Drop ends a locked target. Its tables stay, unless they are to be dropped: then it fails with an *InUseError where something
// depends on them.
func Drop(ctx context.Context, tx postgres.Tx, id uuid.UUID, tables bool) error {
	end := `select sheetdrop.target_leave($1)`
	if tables {
		end = `select sheetdrop.target_drop($1)`
	}
	if _, err := tx.SQL().Exec(ctx, end, id); err != nil {
		return targetError("drop the target's tables", err)
	}
	if _, err := tx.SQL().Exec(ctx, `update sheetdrop.target set dropped_at = now() where id = $1`, id); err != nil {
		return fmt.Errorf("drop the target: %w", err)
	}
	return nil
}

// targetError translates what PostgreSQL says about a target's tables.
func targetError(doing string, err error) error {
	const (
		duplicateTable, duplicateObject, uniqueViolation = "42P07", "42710", "23505"
		dependents, usedByView                           = "2BP01", "0A000"
		lockNotAvailable                                 = "55P03"
	)
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		if err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
		return nil
	}
	switch pgErr.Code {
	case duplicateTable, duplicateObject, uniqueViolation:
		return fmt.Errorf("%s: %w", doing, ErrTableExists)
	case lockNotAvailable:
		return fmt.Errorf("%s: %w", doing, ErrTableInUse)
	case dependents, usedByView:
		if pgErr.Detail != "" {
			return &InUseError{By: strings.Split(pgErr.Detail, "\n")}
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}
