package targetstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// HeaderChoice is what somebody has chosen for a header of a target's files.
type HeaderChoice struct {
	Header     string  // folded
	ColumnName *string // nil: left out on purpose
	Format     *string
	UsedAt     time.Time
}

// Choices returns what an owner has chosen for the files of a target, by headers.
func Choices(ctx context.Context, db *postgres.DB, owner string, targetID uuid.UUID) ([]HeaderChoice, error) {
	return database.All[HeaderChoice](ctx, db.SQL(), `select header, column_name, format, used_at from sheetdrop.header_choice
where owner = $1 and target_id = $2 order by header`, owner, targetID)
}

// SetChoices replaces what an owner has chosen for the files of a target: a JSON object of target.Choices by folded headers.
func SetChoices(ctx context.Context, tx postgres.Tx, owner string, targetID uuid.UUID, choices json.RawMessage) error {
	if _, err := tx.SQL().Exec(ctx, `delete from sheetdrop.header_choice where owner = $1 and target_id = $2 and not $3::jsonb ? header`, owner, targetID, choices); err != nil {
		return fmt.Errorf("forget choices: %w", err)
	}
	if _, err := tx.SQL().Exec(ctx, `insert into sheetdrop.header_choice (owner, target_id, header, column_name, format)
select $1, $2, key, nullif(value->>'column', ''), nullif(value->>'format', '') from jsonb_each($3::jsonb) order by key
on conflict (owner, target_id, header) do update set column_name = excluded.column_name, format = excluded.format, used_at = now()`,
		owner, targetID, choices); err != nil {
		return fmt.Errorf("write choices: %w", err)
	}
	return nil
}

// Share is a right that somebody else has on a target.
type Share struct {
	Grantee string // an owner, or role:NAME of the sign-in
	May     string // MayLoad, MayRead or MayDefine
}

// Shares returns the rights that others have on a target.
func Shares(ctx context.Context, db *postgres.DB, targetID uuid.UUID) ([]Share, error) {
	return database.All[Share](ctx, db.SQL(), `select grantee, may from sheetdrop.target_share where target_id = $1 order by grantee, may`, targetID)
}

// SetShares replaces the rights that others have on a locked target.
func SetShares(ctx context.Context, tx postgres.Tx, targetID uuid.UUID, shares []Share) error {
	if _, err := tx.SQL().Exec(ctx, `delete from sheetdrop.target_share where target_id = $1`, targetID); err != nil {
		return fmt.Errorf("take back rights on the target: %w", err)
	}
	grantees, rights := make([]string, len(shares)), make([]string, len(shares))
	for i, s := range shares {
		grantees[i], rights[i] = s.Grantee, s.May
	}
	if _, err := tx.SQL().Exec(ctx, `insert into sheetdrop.target_share (target_id, grantee, may)
select distinct $1::uuid, * from unnest($2::text[], $3::text[])`, targetID, grantees, rights); err != nil {
		return fmt.Errorf("share the target: %w", err)
	}
	return nil
}
