package targetload

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/target"
)

// Refusal is a row that the database cannot take.
type Refusal struct {
	Row   int64       // its number in the file
	Code  target.Code // DuplicateKey, KeyExists, Replaced or Constraint
	Other int64       // of a duplicate key: the row that is loaded
	What  string      // of a constraint: its name, or what a trigger has said
}

// Messages returns why, in English and in Japanese.
func (r Refusal) Messages() (en, ja string) {
	switch r.Code {
	case target.DuplicateKey:
		return fmt.Sprintf("Row %d of the file has the same key, and is the one that is loaded.", r.Other),
			fmt.Sprintf("同じキーの行が%d行目にあり、そちらを取り込みました。", r.Other)
	case target.KeyExists:
		return "The target has a row with this key already.", "取り込み先に同じキーの行がすでにあります。"
	case target.Replaced:
		return "A later load has replaced the rows among which this one would be.", "この行が入る範囲の行は、後の取り込みで置き換えられています。"
	}
	return fmt.Sprintf("The target refuses the row: %s.", r.What), fmt.Sprintf("取り込み先がこの行を受け付けません（%s）。", r.What)
}

// Refusals are rows that were refused, by their number.
type Refusals []Refusal

// Add adds others.
func (list *Refusals) Add(others []Refusal) {
	*list = append(*list, others...)
	slices.SortFunc(*list, func(a, b Refusal) int { return cmp.Compare(a.Row, b.Row) })
}

// Of returns the refusal of a row.
func (list Refusals) Of(row int64) (Refusal, bool) {
	i, found := slices.BinarySearchFunc(list, row, func(r Refusal, row int64) int { return cmp.Compare(r.Row, row) })
	if !found {
		return Refusal{}, false
	}
	return list[i], true
}

// ErrTooMany says that the target refuses more rows than a file may have rejects, or more by its constraints than are looked for one by
// one.
var ErrTooMany = errors.New("the target refuses too many rows")

// RefusedError is that of a table that refuses what no row of the file is to blame for, such as a row's deletion.
type RefusedError struct {
	What string // a constraint's name, or what a trigger has said
}

func (e *RefusedError) Error() string { return "the target's table refuses the load: " + e.What }

// Explained returns a *RefusedError for an error about values, and others unchanged.
func Explained(err error) error {
	if what, ofData := isOfData(err); ofData {
		return &RefusedError{What: what}
	}
	return err
}

// isOfData reports whether an error is about values, and says what was refused: a constraint's name, or a message. A row that is locked, a
// deadlock, or a server that is short of something, is not.
func isOfData(err error) (what string, ok bool) {
	found, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(found.Code) < 2 {
		return "", false
	}
	switch found.Code[:2] {
	case "22", "23", "44", "P0":
		return cmp.Or(found.ConstraintName, shown(found.Message)), true
	}
	return "", false
}

// shown returns the beginning of a trigger's message.
func shown(message string) string {
	const most = 500 // characters
	if runes := []rune(message); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return message
}
