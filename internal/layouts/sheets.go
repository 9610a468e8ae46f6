package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/clock"
)

// sheetFigureNames are what manySheets measures.
var sheetFigureNames = []string{
	"load, ms a sheet", "log written by loading, bytes a sheet", "size with catalogs, bytes a sheet", "purge, ms a sheet",
}

// manySheets loads small sheets, each in a transaction of its own, and deletes them.
func (b *bench) manySheets(ctx context.Context) ([]float64, error) {
	size, err := b.databaseSize(ctx)
	if err != nil {
		return nil, err
	}
	log, err := b.logPosition(ctx)
	if err != nil {
		return nil, err
	}
	loaded, err := b.eachSheet(ctx, func(tx pgx.Tx, sheet int) error {
		of := func(sql string) string { return strings.ReplaceAll(sql, "sheet_1", "sheet_"+strconv.Itoa(sheet)) }
		if create := of(b.layout.create); sheet == 1 || create != b.layout.create {
			if _, err := tx.Exec(ctx, create, pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
		}
		return b.copyIn(ctx, tx, sheet, of(b.layout.table))
	})
	if err != nil {
		return nil, err
	}
	logEnd, err := b.logPosition(ctx)
	if err != nil {
		return nil, err
	}
	sizeEnd, err := b.databaseSize(ctx)
	if err != nil {
		return nil, err
	}
	purged, err := b.eachSheet(ctx, func(tx pgx.Tx, sheet int) error {
		if b.layout.purge == "" {
			_, err := tx.Exec(ctx, `drop table ground.sheet_`+strconv.Itoa(sheet), pgx.QueryExecModeSimpleProtocol)
			return err
		}
		_, err := tx.Exec(ctx, strings.Replace(b.layout.purge, "sheet_id = 1", "sheet_id = $3", 1), 0, b.rows, sheet)
		return err
	})
	n := float64(b.sheets)
	return []float64{loaded / n, (logEnd - log) / n, (sizeEnd - size) / n, purged / n}, err
}

// eachSheet calls do for each sheet in a transaction, and returns how long that took in milliseconds.
func (b *bench) eachSheet(ctx context.Context, do func(tx pgx.Tx, sheet int) error) (milliseconds float64, err error) {
	elapsed := clock.Start()
	for sheet := 1; sheet <= b.sheets && err == nil; sheet++ {
		err = pgx.BeginFunc(ctx, b.conn, func(tx pgx.Tx) error { return do(tx, sheet) })
	}
	return float64(elapsed().Microseconds()) / 1000, err
}

func (b *bench) databaseSize(ctx context.Context) (bytes float64, err error) {
	err = b.conn.QueryRow(ctx, `select pg_database_size(current_database())::float8`).Scan(&bytes)
	return bytes, err
}
