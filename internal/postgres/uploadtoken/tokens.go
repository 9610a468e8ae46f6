// Package uploadtoken keeps the tokens with which pages of other origins upload files for an owner, and what was made with
// each. A token is random; the database has its hash alone.
package uploadtoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// MaxLife is how long a token may be valid.
const MaxLife = time.Hour

// maxLive is how many tokens of an owner may be valid at once.
const maxLive = 10_000

// maxDeleted is how many expired tokens one new token deletes: more than are made, so that they do not add up.
const maxDeleted = 100

// Errors of tokens.
var (
	ErrTooMany = errors.New("the owner has as many valid tokens as an owner may have")
	ErrUsedUp  = errors.New("the token is used up or has expired")
)

// Token is what a token allows.
type Token struct {
	ID        uuid.UUID
	Owner     string
	Origin    string
	Options   json.RawMessage // of each upload, as a task stores them
	MaxFiles  int
	MaxBytes  int64
	ExpiresAt time.Time
}

// Made is a file that was uploaded or begun with a token, with its first task.
type Made struct{ FileID, TaskID uuid.UUID }

// Insert writes a token that is valid for a while, and returns it with its end. It deletes expired tokens of all owners. Too
// many valid ones are ErrTooMany.
func Insert(ctx context.Context, tx postgres.Tx, t Token, secretSHA256 [32]byte, life time.Duration) (Token, error) {
	if _, err := tx.SQL().Exec(ctx, `delete from sheetdrop.upload_token where id in (
  select id from sheetdrop.upload_token where expires_at < now() order by expires_at limit $1 for update skip locked)`, maxDeleted); err != nil {
		return t, fmt.Errorf("delete expired upload tokens: %w", err)
	}
	found, err := database.Column[time.Time](ctx, tx.SQL(), `insert into sheetdrop.upload_token
  (id, owner, secret_sha256, origin, options, max_files, max_bytes, expires_at)
select $1, $2, $3, $4, $5, $6, $7, now() + $8::interval
where (select count(*) from (select from sheetdrop.upload_token where owner = $2 and expires_at > now() limit $9) live) < $9
returning expires_at`, t.ID, t.Owner, secretSHA256[:], t.Origin, t.Options, t.MaxFiles, t.MaxBytes, life, maxLive)
	switch {
	case err != nil:
		return t, fmt.Errorf("insert an upload token: %w", err)
	case len(found) == 0:
		return t, ErrTooMany
	}
	t.ExpiresAt = found[0]
	return t, nil
}

// Find returns the valid token with this hash, nil if there is none.
func Find(ctx context.Context, db *postgres.DB, secretSHA256 [32]byte) (*Token, error) {
	found, err := database.One[Token](ctx, db.SQL(), `select id, owner, origin, options, max_files, max_bytes, expires_at
from sheetdrop.upload_token where secret_sha256 = $1 and expires_at > now()`, secretSHA256[:])
	if err != nil {
		return nil, fmt.Errorf("find an upload token: %w", err)
	}
	return found, nil
}

// Delete deletes one of an owner's tokens, or returns postgres.ErrNotFound. What was uploaded with it stays.
func Delete(ctx context.Context, tx postgres.Tx, owner string, id uuid.UUID) error {
	deleted, err := tx.SQL().Exec(ctx, `delete from sheetdrop.upload_token where owner = $1 and id = $2`, owner, id)
	switch {
	case err != nil:
		return fmt.Errorf("delete an upload token: %w", err)
	case deleted.RowsAffected() == 0:
		return postgres.ErrNotFound
	}
	return nil
}

// Use counts files and their bytes for a token, and notes that they are its own. It returns ErrUsedUp, and must not be
// committed then, if that is more than the token allows or if it has expired.
func Use(ctx context.Context, tx postgres.Tx, id uuid.UUID, made []Made, bytes int64) error {
	files, tasks := make([]uuid.UUID, len(made)), make([]uuid.UUID, len(made))
	for i, m := range made {
		files[i], tasks[i] = m.FileID, m.TaskID
	}
	used, err := tx.SQL().Exec(ctx, `with used as (
  update sheetdrop.upload_token set files = files + $2, bytes = bytes + $3
  where id = $1 and expires_at > now() and files + $2 <= max_files and bytes + $3 <= max_bytes
  returning id
)
insert into sheetdrop.upload_token_task (token_id, file_id, task_id)
select used.id, m.file_id, m.task_id from used, unnest($4::uuid[], $5::uuid[]) m (file_id, task_id)`, id, len(made), bytes, files, tasks)
	switch {
	case err != nil:
		return fmt.Errorf("use an upload token: %w", err)
	case used.RowsAffected() == 0:
		return ErrUsedUp
	}
	return nil
}

// HasFile reports whether a file, or an upload to the blob store, was made with a token.
func HasFile(ctx context.Context, db *postgres.DB, token, file uuid.UUID) (bool, error) {
	return has(ctx, db, `select true from sheetdrop.upload_token_task where token_id = $1 and file_id = $2`, token, file)
}

// HasTask reports whether a task was made with a token.
func HasTask(ctx context.Context, db *postgres.DB, token, task uuid.UUID) (bool, error) {
	return has(ctx, db, `select true from sheetdrop.upload_token_task where token_id = $1 and task_id = $2`, token, task)
}

func has(ctx context.Context, db *postgres.DB, sql string, token, id uuid.UUID) (bool, error) {
	found, err := database.Column[bool](ctx, db.SQL(), sql, token, id)
	if err != nil {
		return false, fmt.Errorf("look whose a task is: %w", err)
	}
	return len(found) > 0, nil
}
