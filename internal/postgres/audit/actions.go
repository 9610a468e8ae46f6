// Package audit keeps the record of what people did, which also has each request take effect once.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// Action is what a person did: to one thing, or to all that a filter found.
type Action struct {
	ID         uuid.UUID
	Invocation uuid.NullUUID `db:"-"` // the host's id for the request; not valid where no host is in front
	At         time.Time
	Caller     string
	Name       string
	Target     *uuid.UUID
	Filter     json.RawMessage // nil where Target is set
	Count      int64           // of the things that it changed
}

// Record notes an action as done, before it is done in the same transaction, and returns nil. If it was done
// already, by a COMMIT whose answer was lost or by an earlier delivery of the same invocation, it returns what was
// recorded then. While such a transaction is still under way, this waits for its end.
func Record(ctx context.Context, tx postgres.Tx, a Action) (earlier *Action, err error) {
	tag, err := tx.SQL().Exec(ctx, `insert into sheetdrop.operator_action (id, invocation_id, caller, action, target, filter)
values ($1, $2, $3, $4, $5, $6) on conflict do nothing`, a.ID, a.Invocation, a.Caller, a.Name, a.Target, a.Filter)
	if err != nil {
		return nil, fmt.Errorf("record the action: %w", err)
	}
	if tag.RowsAffected() == 1 {
		return nil, nil
	}
	// A statement of its own: it sees what was committed while the one before waited.
	earlier, err = database.One[Action](ctx, tx.SQL(), `select id, at, caller, action as name, target, filter, count
from sheetdrop.operator_action where id = $1 or invocation_id = $2`, a.ID, a.Invocation)
	if err != nil {
		return nil, fmt.Errorf("read the earlier action: %w", err)
	}
	return earlier, nil
}

// Count notes how many things a recorded action has changed; 1 if it is not called.
func Count(ctx context.Context, tx postgres.Tx, id uuid.UUID, count int64) error {
	if _, err := tx.SQL().Exec(ctx, `update sheetdrop.operator_action set count = $2 where id = $1`, id, count); err != nil {
		return fmt.Errorf("count what the action changed: %w", err)
	}
	return nil
}

// Recorded is the look-up after an ambiguous COMMIT of an action.
func Recorded(ctx context.Context, db *postgres.DB, id uuid.UUID) (bool, error) {
	found, err := database.Column[uuid.UUID](ctx, db.SQL(), `select id from sheetdrop.operator_action where id = $1`, id)
	return len(found) > 0, err
}

// List lists what people did, newest first, as Files does.
func List(ctx context.Context, db *postgres.DB, before uuid.UUID, limit int) (actions []Action, more bool, err error) {
	return postgres.ReadPage(ctx, db, limit, pgx.RowToStructByName[Action], `select id, at, caller, action as name, target, filter, count
from sheetdrop.operator_action where id < $1 order by id desc limit $2`, before, limit+1)
}
