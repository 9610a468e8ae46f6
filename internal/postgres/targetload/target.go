// Package targetload writes the rows of a file into the table of a named target: into the table itself where nothing can refuse a row,
// otherwise by way of a temporary table. All of it is one transaction with the end of the task, that of a postgres.Load.
package targetload

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// Target is a target as a load finds it.
type Target struct {
	ID         uuid.UUID
	Name       string
	Version    int // of the definition
	SchemaName string
	TableName  string
	Kind       string // MANAGED or target.Adopted
	Definition target.Definition
	// Remembered are the owner's choices of before, by folded header.
	Remembered map[string]target.Choice `db:"-"`
}

// Find returns a target with what an owner has chosen for it; nil where it was dropped, or the owner may not load into it any more. Who has
// which role only a sign-in tells: a role that may load stands for all who named the target by it.
func Find(ctx context.Context, tx postgres.Tx, id uuid.UUID, owner string) (*Target, error) {
	found, err := database.One[Target](ctx, tx.SQL(), `select t.id, t.name, t.version, t.schema_name::text, t.table_name::text, t.kind, v.definition
from sheetdrop.target t join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
where t.id = $1 and t.dropped_at is null and (t.owner = $2 or exists (
  select from sheetdrop.target_share s where s.target_id = t.id and s.may = 'load' and (s.grantee = $2 or s.grantee like 'role:%')))`, id, owner)
	if err != nil {
		return nil, fmt.Errorf("find the target: %w", err)
	}
	if found == nil {
		return nil, nil
	}
	rows, err := tx.SQL().Query(ctx, `select header, coalesce(column_name, ''), coalesce(format, '') from sheetdrop.header_choice
where owner = $1 and target_id = $2`, owner, id)
	if err != nil {
		return nil, fmt.Errorf("find earlier choices: %w", err)
	}
	var (
		header string
		choice target.Choice
	)
	found.Remembered = map[string]target.Choice{}
	_, err = pgx.ForEachRow(rows, []any{&header, &choice.Column, &choice.Format}, func() error {
		found.Remembered[header] = choice
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find earlier choices: %w", err)
	}
	return found, nil
}

// Mapping is which columns of a file go where, with how their cells are written, as one attempt has found it for all later ones.
type Mapping struct {
	Version int `json:"version"` // of the definition
	target.Mapping
}

// Frozen returns the mapping of an earlier attempt; nil where there is none, or the target has changed since.
func (t *Target) Frozen(text json.RawMessage) (*Mapping, error) {
	if text == nil {
		return nil, nil
	}
	var m Mapping
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("mapping of the task: %w", err)
	}
	if m.Version != t.Version {
		return nil, nil
	}
	return &m, nil
}

// Freeze keeps a mapping for later attempts, and for people; false where the claim no longer holds the task.
func Freeze(ctx context.Context, tx postgres.Tx, claim postgres.Claim, m Mapping) (bool, error) {
	tag, err := tx.SQL().Exec(ctx, `update sheetdrop.task set mapping = $4
where id = $1 and status = 'PROCESSING' and locked_by = $2 and attempt = $3`, claim.TaskID, claim.Token, claim.Attempt, m)
	if err != nil {
		return false, fmt.Errorf("keep the mapping: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// ErrChanged says that the target's definition has changed since it was read: the file is to be read again.
var ErrChanged = fault.New(fault.Service, "the target was changed meanwhile")
