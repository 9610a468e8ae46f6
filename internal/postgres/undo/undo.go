// Package undo takes a load of a target back, in any order of loads: its table is then as if the load had never been, but for rows that
// somebody has edited by hand. What a target's tables hold of each load is enough for that; no file is read again.
//
// A key that the load has touched is replayed: what the other loads have written for it is read from the versions that are current
// (the table), that were displaced (__was) and that were repeated as they were (__seen), the load is left out, and the key's history is
// computed anew by sheetdrop.replay. Where nothing came later for the key, the displaced version is put back instead, which is the same.
package undo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// Table is a target's table.
type Table struct {
	TargetID     uuid.UUID
	Schema, Name string
	Key          []string          // empty where it has none: a row is then known by its load and number
	Columns      []string          // the others of the definition
	Defaults     map[string]string // of columns, in their types' own form
	Role         string            // as which the table is written; "" is the session's own
}

// Counts is what an undo has changed.
type Counts struct {
	Removed  int64 // rows that the load had added
	Restored int64 // rows that are back, or have the version of another load again
	Kept     int64 // rows that stay as they are because somebody has changed them
}

// maxKept is how many of the rows that are kept are named.
const maxKept = 1000

// Apply takes the load back in a transaction beside which no other load of the target goes on, and whose table nobody can change. The load's own row of
// target_load is left to the caller. kept has the keys of rows that stay, maxKept of them at most.
func Apply(ctx context.Context, tx pgx.Tx, table Table, load int64) (counts Counts, kept []json.RawMessage, err error) {
	u := undo{template: newTemplate(table), ctx: ctx, tx: tx, table: table, load: load}
	u.readHistory()
	if table.Role != "" {
		u.exec(`set local role ` + pgx.Identifier{table.Role}.Sanitize())
	}
	u.exec(settingsSQL)
	u.collect()
	counts.Kept, kept = u.keep()
	if !u.replacedLater {
		u.exec(simpleSQL+u.ifKey(simpleSeenSQL), load)
	}
	counts.Restored = u.exec(putBackSQL, load) + u.exec(putBackDeletedSQL, load)
	counts.Removed = u.exec(takeOutSQL, load)
	u.exec(forgetSQL, load)
	u.exec(u.ifKey(forgetSeenSQL), load)
	u.replay()
	counts.Removed += u.exec(removeSQL)
	counts.Restored += u.exec(changeSQL) + u.exec(addSQL)
	u.exec(writeWasSQL)
	u.exec(u.ifKey(writeSeenSQL))
	if table.Role != "" {
		u.exec(`reset role`)
	}
	if u.err != nil {
		return Counts{}, nil, fmt.Errorf("undo load %d: %w", load, u.err)
	}
	return counts, kept, nil
}

// undo is one of them. After an error nothing more is done.
type undo struct {
	*template
	ctx   context.Context
	tx    pgx.Tx
	table Table
	load  int64
	err   error

	others        json.RawMessage // [{"id", "columns", "scope"}] of the loads that stay
	replacedLater bool            // one of them came later and replaces rows
}

// exec runs a statement, if there is one, and returns how many rows it has changed.
func (u *undo) exec(sql string, args ...any) int64 {
	if sql == "" || u.err != nil {
		return 0
	}
	tag, err := u.tx.Exec(u.ctx, u.sql(sql), args...)
	u.err = err
	return tag.RowsAffected()
}

// ifKey returns SQL of the rows that loads have repeated, which only a target with a key knows.
func (u *undo) ifKey(sql string) string {
	if u.hasKey {
		return sql
	}
	return ""
}

func (u *undo) readHistory() {
	type history struct {
		Others        json.RawMessage
		ReplacedLater bool
	}
	found, err := database.One[history](u.ctx, u.tx, `select
  coalesce(jsonb_agg(jsonb_build_object('id', id, 'columns', columns, 'scope', scope) order by id), '[]') as others,
  coalesce(bool_or(scope is not null and id > $2), false) as replaced_later
from sheetdrop.target_load where target_id = $1 and id <> $2 and undone_at is null`, u.table.TargetID, u.load)
	if err != nil {
		u.err = fmt.Errorf("read the loads of a target: %w", err)
		return
	}
	u.others, u.replacedLater = found.Others, found.ReplacedLater
}

// collect finds and locks what the load has touched.
func (u *undo) collect() {
	u.exec(keyTableSQL)
	u.exec(collectSQL+u.ifKey(collectSeenSQL), u.load)
	u.exec(analyzeKeysSQL)
	u.exec(lockSQL)
}

// keep takes those keys out whose rows stay.
func (u *undo) keep() (n int64, named []json.RawMessage) {
	if u.err != nil {
		return 0, nil
	}
	type kept struct {
		N     int64
		Named []json.RawMessage
	}
	found, err := database.One[kept](u.ctx, u.tx, u.sql(keepSQL), u.load, maxKept)
	if err != nil {
		u.err = err
		return 0, nil
	}
	return found.N, found.Named
}

// replay computes the history of the keys that are not simple, and takes the one that they have away.
func (u *undo) replay() {
	u.exec(eventTableSQL)
	u.exec(eventsSQL+u.ifKey(eventsSeenSQL)+eventsEndSQL, u.load, u.others, u.table.Columns)
	u.exec(analyzeEventSQL)
	defaults, err := json.Marshal(u.table.Defaults)
	if u.err == nil {
		u.err = err
	}
	u.exec(replaySQL)
	u.exec(resultSQL, u.others, json.RawMessage(defaults))
	u.exec(clearWasSQL)
	u.exec(u.ifKey(clearSeenSQL))
}
