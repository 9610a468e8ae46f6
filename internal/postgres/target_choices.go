package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
)

// HeaderChoice is what somebody has chosen for a header of a target's files.
type HeaderChoice struct {
	Header     string  // folded
	ColumnName *string // nil: left out on purpose
	Format     *string
	UsedAt     time.Time
}

// HeaderChoices returns what an owner has chosen for the files of a target, by headers.
func (db *DB) HeaderChoices(ctx context.Context, owner string, targetID uuid.UUID) ([]HeaderChoice, error) {
	return database.All[HeaderChoice](ctx, db.pool, `select header, column_name, format, used_at from sheetdrop.header_choice
where owner = $1 and target_id = $2 order by header`, owner, targetID)
}

// SetHeaderChoices replaces what an owner has chosen for the files of a target: a JSON object of target.Choices by folded headers.
func (t Tx) SetHeaderChoices(ctx context.Context, owner string, targetID uuid.UUID, choices json.RawMessage) error {
	if _, err := t.tx.Exec(ctx, `delete from sheetdrop.header_choice where owner = $1 and target_id = $2 and not $3::jsonb ? header`, owner, targetID, choices); err != nil {
		return fmt.Errorf("forget choices: %w", err)
	}
	if _, err := t.tx.Exec(ctx, `insert into sheetdrop.header_choice (owner, target_id, header, column_name, format)
select $1, $2, key, nullif(value->>'column', ''), nullif(value->>'format', '') from jsonb_each($3::jsonb) order by key
on conflict (owner, target_id, header) do update set column_name = excluded.column_name, format = excluded.format, used_at = now()`,
		owner, targetID, choices); err != nil {
		return fmt.Errorf("write choices: %w", err)
	}
	return nil
}

// TargetShare is a right that somebody else has on a target.
type TargetShare struct {
	Grantee string // an owner, or role:NAME of the sign-in
	May     string // MayLoad, MayRead or MayDefine
}

// TargetShares returns the rights that others have on a target.
func (db *DB) TargetShares(ctx context.Context, targetID uuid.UUID) ([]TargetShare, error) {
	return database.All[TargetShare](ctx, db.pool, `select grantee, may from sheetdrop.target_share where target_id = $1 order by grantee, may`, targetID)
}

// ShareTarget replaces the rights that others have on a locked target.
func (t Tx) ShareTarget(ctx context.Context, targetID uuid.UUID, shares []TargetShare) error {
	if _, err := t.tx.Exec(ctx, `delete from sheetdrop.target_share where target_id = $1`, targetID); err != nil {
		return fmt.Errorf("take back rights on the target: %w", err)
	}
	grantees, rights := make([]string, len(shares)), make([]string, len(shares))
	for i, s := range shares {
		grantees[i], rights[i] = s.Grantee, s.May
	}
	if _, err := t.tx.Exec(ctx, `insert into sheetdrop.target_share (target_id, grantee, may)
select distinct $1::uuid, * from unnest($2::text[], $3::text[])`, targetID, grantees, rights); err != nil {
		return fmt.Errorf("share the target: %w", err)
	}
	return nil
}
