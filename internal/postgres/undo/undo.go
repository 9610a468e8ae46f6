// Package undo takes a load of a target back, in any order of loads: its table is then as if the load had never been, but for rows that
// somebody has edited by hand. What a target's tables hold of each load is enough for that; no file is read again. A load whose place
// another one has taken can return.
//
// A key that the load has touched is replayed from the load on: what the later loads have written for it is read from the versions that are
// current (the table), that were displaced (__was) and that were repeated as they were (__seen), the load is left out or put in, and the
// key's history since then is computed anew by sheetdrop.replay. Where nothing came later for the key, the displaced version is put back
// instead, which is the same.
package undo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// Load is one of a target's, as far as it decides what becomes of other rows.
type Load struct {
	ID      int64           `json:"id"`
	Columns []string        `json:"columns"` // that it has written
	Scope   json.RawMessage `json:"scope"`   // what it has replaced; null where nothing
}

// hasScope reports whether the load has replaced rows.
func (l Load) hasScope() bool { return len(l.Scope) > 0 && string(l.Scope) != "null" }

// Apply takes a load back in a transaction beside which no other load of the target goes on, and whose table nobody can change. others are
// the loads that count besides it, in their order. What it has written is kept for its return where it returns. The row of target_load is
// left to the caller. kept has the keys of rows that stay, maxKept of them at most.
func Apply(
	ctx context.Context, tx pgx.Tx, table Table, load int64, others []Load, returns bool,
) (counts Counts, kept []json.RawMessage, err error) {
	return newUndo(ctx, tx, table, load, others).as("undo", func(u *undo) (counts Counts, kept []json.RawMessage) {
		u.collect(collectSQL + u.ifKey(collectSeenSQL))
		counts.Kept, kept = u.keep(keepSQL)
		if returns {
			u.exec(setAsideSQL+u.ifKey(setAsideSeenSQL), load)
		}
		if !u.replacedLater() {
			u.exec(simpleSQL+u.ifKey(simpleSeenSQL), load)
		}
		counts.Restored = u.exec(putBackSQL, load) + u.exec(putBackDeletedSQL, load)
		counts.Removed = u.exec(takeOutSQL, load)
		u.exec(forgetSQL, load)
		u.exec(u.ifKey(forgetSeenSQL), load)
		u.replay()
		u.write(&counts)
		return counts, kept
	})
}

// Return brings a load back that Apply has taken out so that it may return: the table is then as if it had never been away. others are as
// for Apply.
func Return(ctx context.Context, tx pgx.Tx, table Table, load Load, others []Load) (counts Counts, kept []json.RawMessage, err error) {
	all := append(slices.Clone(others), load)
	return newUndo(ctx, tx, table, load.ID, all).as("return", func(u *undo) (counts Counts, kept []json.RawMessage) {
		collect := collectAsideSQL
		if load.hasScope() {
			collect += collectReplacedSQL
		}
		u.collect(collect)
		counts.Kept, kept = u.keep(keepEditedSQL)
		if !u.replacedLater() {
			u.exec(returnsSimplySQL)
		}
		counts.Restored = u.exec(fmt.Sprintf(returnSQL, u.written(load)), load.ID, u.defaults())
		u.replay()
		u.exec(dropAsideSQL, load.ID)
		u.write(&counts)
		return counts, kept
	})
}

// Forget deletes what is kept for the return of a load.
func Forget(ctx context.Context, tx pgx.Tx, table Table, load int64) error {
	_, _, err := newUndo(ctx, tx, table, load, nil).as("forget", func(u *undo) (Counts, []json.RawMessage) {
		u.exec(dropAsideSQL, load)
		return Counts{}, nil
	})
	return err
}

// undo is one of them. After an error nothing more is done.
type undo struct {
	*template
	ctx   context.Context
	tx    pgx.Tx
	table Table
	load  int64
	later []Load // that count, after the load; and the load itself where it returns
	err   error
}

func newUndo(ctx context.Context, tx pgx.Tx, table Table, load int64, others []Load) *undo {
	later := slices.DeleteFunc(slices.Clone(others), func(l Load) bool { return l.ID < load })
	return &undo{template: newTemplate(table), ctx: ctx, tx: tx, table: table, load: load, later: later}
}

// as does something in the role that may write the table.
func (u *undo) as(what string, do func(*undo) (Counts, []json.RawMessage)) (counts Counts, kept []json.RawMessage, err error) {
	if u.table.Role != "" {
		u.exec(`set local role ` + pgx.Identifier{u.table.Role}.Sanitize())
	}
	u.exec(settingsSQL)
	counts, kept = do(u)
	if u.table.Role != "" {
		u.exec(`reset role`)
	}
	if u.err != nil {
		return Counts{}, nil, fmt.Errorf("%s load %d: %w", what, u.load, u.err)
	}
	return counts, kept, nil
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

// replacedLater reports whether a load that came later has replaced rows.
func (u *undo) replacedLater() bool { return slices.ContainsFunc(u.later, Load.hasScope) }

// collect finds and locks the keys that change.
func (u *undo) collect(sql string) {
	u.exec(keyTableSQL)
	u.exec(sql, u.load)
	u.exec(analyzeKeysSQL)
	u.exec(lockSQL)
}

// keep takes those keys out whose rows stay.
func (u *undo) keep(sql string) (n int64, named []json.RawMessage) {
	if u.err != nil {
		return 0, nil
	}
	type kept struct {
		N     int64
		Named []json.RawMessage
	}
	found, err := database.One[kept](u.ctx, u.tx, u.sql(sql), u.load, maxKept)
	if err != nil {
		u.err = err
		return 0, nil
	}
	return found.N, found.Named
}

// replay computes the history of the keys that are not simple, and takes the one that they have away.
func (u *undo) replay() {
	later := u.later
	if later == nil {
		later = []Load{} // and not null
	}
	u.exec(eventTableSQL)
	u.exec(eventsSQL+u.ifKey(eventsSeenSQL)+eventsEndSQL, u.load, later, u.table.Columns)
	u.exec(analyzeEventSQL)
	u.exec(replaySQL)
	u.exec(resultSQL, later, u.defaults())
	u.exec(analyzeResultSQL)
	u.exec(clearWasSQL, u.load)
	u.exec(u.ifKey(clearSeenSQL), u.load)
}

// defaults are those of the table's columns, as JSON.
func (u *undo) defaults() json.RawMessage {
	defaults := u.table.Defaults
	if defaults == nil {
		defaults = map[string]string{}
	}
	text, err := json.Marshal(defaults)
	if u.err == nil {
		u.err = err
	}
	return text
}

// written returns all columns of the table: those that a load has written from w, and others from d.
func (u *undo) written(load Load) string {
	list := make([]string, len(u.all))
	for i, name := range u.all {
		from := "w."
		if slices.Contains(u.values, name) && !slices.Contains(load.Columns, name) {
			from = "d."
		}
		list[i] = from + pgx.Identifier{name}.Sanitize()
	}
	return strings.Join(list, ", ")
}

// write sets the tables to what was computed.
func (u *undo) write(counts *Counts) {
	counts.Removed += u.exec(removeSQL)
	counts.Restored += u.exec(changeSQL) + u.exec(addSQL)
	u.exec(writeWasSQL)
	u.exec(u.ifKey(writeSeenSQL))
	u.exec(dropTablesSQL)
}
