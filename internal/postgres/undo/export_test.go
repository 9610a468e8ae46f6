package undo

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Supersede takes the loads back whose place a load takes, as its run does.
func Supersede(ctx context.Context, tx pgx.Tx, table Table, p Place, by int64) error {
	return SupersedeWhile(ctx, tx, table, p, by, func() {})
}

// SupersedeWhile is Supersede while something else happens.
func SupersedeWhile(ctx context.Context, tx pgx.Tx, table Table, p Place, by int64, meanwhile func()) error {
	e, err := findEarlier(ctx, tx, p, table)
	if err != nil || e == nil {
		return err
	}
	if err := e.TakeBack(ctx, tx); err != nil {
		return err
	}
	meanwhile()
	return e.record(ctx, tx, by)
}

// TakeBackIn is TakeBack in a transaction of its own.
func TakeBackIn(ctx context.Context, tx pgx.Tx, table Table, load int64, isSuperseded bool) (Taken, error) {
	return takeBack(ctx, tx, table, load, isSuperseded)
}
