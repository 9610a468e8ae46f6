package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/clock"
)

// figureNames are what is measured of a layout, in the order of bench.run's steps. A figure is NaN where SQL cannot read the layout.
var figureNames = []string{
	"load, s", "log written by loading, bytes a row",
	"size, bytes a row",
	"all rows by pages, s",
	"COPY TO as CSV, s",
	"page at 90 %, ms",
	"view: sum of integers, s", "view: sum of decimals, s", "view: page at 90 %, ms",
	"purge, s", "log written by purging, bytes a row", "dead records a row",
}

const (
	pageRows   = 100
	streamRows = 20 * blockRows
	pieceRows  = 10_000 // deleted in one transaction
	repeats    = 21     // of what takes a moment, within 3 s; the median counts
)

// bench measures one layout once, in a schema that it makes anew.
type bench struct {
	conn   *pgx.Conn
	layout layout
	rows   int
	sheets int
}

func (b *bench) run(ctx context.Context) (figures []float64, err error) {
	if err := b.conn.DeallocateAll(ctx); err != nil { // the statements of the last layout's tables
		return nil, err
	}
	if _, err := b.conn.Exec(ctx, `drop schema if exists ground cascade`); err != nil {
		return nil, err
	}
	if _, err := b.conn.PgConn().Exec(ctx, `create schema ground`).ReadAll(); err != nil {
		return nil, err
	}
	if b.sheets > 1 {
		return b.manySheets(ctx)
	}
	if _, err := b.conn.PgConn().Exec(ctx, b.layout.create).ReadAll(); err != nil {
		return nil, err
	}
	if _, err := b.conn.Exec(ctx, `checkpoint`); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) ([]float64, error){b.load, b.size, b.stream, b.copyOut, b.page, b.view, b.purge} {
		found, err := step(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, found...)
	}
	return figures, nil
}

// load copies the rows in one transaction, as the product does: a chunk is sent while the next one is made. A VACUUM follows that is not
// measured, as autovacuum's would.
func (b *bench) load(ctx context.Context) ([]float64, error) {
	log, err := b.logPosition(ctx)
	if err != nil {
		return nil, err
	}
	elapsed := clock.Start()
	err = pgx.BeginFunc(ctx, b.conn, func(tx pgx.Tx) error { return b.copyIn(ctx, tx, 1, b.layout.table) })
	seconds := elapsed().Seconds()
	if err != nil {
		return nil, err
	}
	end, err := b.logPosition(ctx)
	if err == nil {
		_, err = b.conn.Exec(ctx, `vacuum (analyze) ground.`+b.layout.table)
	}
	return []float64{seconds, (end - log) / float64(b.rows)}, err
}

func (b *bench) copyIn(ctx context.Context, tx pgx.Tx, sheet int, table string) error {
	statement := fmt.Sprintf(`copy ground.%s (%s) from stdin (format binary)`, table, b.layout.fields)
	for chunk := range b.chunks(sheet) {
		if _, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(chunk), statement); err != nil {
			return err
		}
	}
	return nil
}

// chunks makes the rows of a sheet, encoded, in chunks of 2 MiB.
func (b *bench) chunks(sheet int) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		r := record{[]byte(copyHeader), sheet}
		var (
			cells [][]byte
			text  []byte
		)
		for first := 1; first <= b.rows; first += b.layout.rows {
			cells, text = cells[:0], text[:0]
			for n := first; n < min(first+b.layout.rows, b.rows+1); n++ {
				cells, text = appendRow(cells, text, n)
			}
			b.layout.encode(&r, piece{first, cells})
			if len(r.data) > 2<<20 {
				out <- append(r.data, copyTrailer...)
				r.data = []byte(copyHeader)
			}
		}
		out <- append(r.data, copyTrailer...)
	}()
	return out
}

func (b *bench) logPosition(ctx context.Context) (bytes float64, err error) {
	err = b.conn.QueryRow(ctx, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8`).Scan(&bytes)
	return bytes, err
}

func (b *bench) size(ctx context.Context) ([]float64, error) {
	var bytes float64
	err := b.conn.QueryRow(ctx, `select pg_total_relation_size($1::regclass)::float8`, "ground."+b.layout.table).Scan(&bytes)
	return []float64{bytes / float64(b.rows)}, err
}

// stream reads all rows by pages, each after the last one's end, as an answer of NDJSON does.
func (b *bench) stream(ctx context.Context) ([]float64, error) {
	elapsed := clock.Start()
	n := 0
	for after := 0; after < b.rows; after += streamRows {
		page, err := b.readPage(ctx, after, streamRows)
		if err != nil {
			return nil, err
		}
		n += page
	}
	if n != b.rows {
		return nil, fmt.Errorf("%d rows came", n)
	}
	return []float64{elapsed().Seconds()}, nil
}

func (b *bench) readPage(ctx context.Context, after, limit int) (int, error) {
	rows, err := b.conn.Query(ctx, b.layout.page, after, limit)
	if err != nil {
		return 0, err
	}
	n, size, err := b.layout.decode(rows)
	if err == nil && size < 50*n {
		err = fmt.Errorf("%d rows of %d bytes", n, size)
	}
	return n, err
}

func (b *bench) page(ctx context.Context) ([]float64, error) {
	return b.moment(func() error {
		n, err := b.readPage(ctx, b.rows/10*9, pageRows)
		if err == nil && n < pageRows {
			err = fmt.Errorf("a page of %d rows", n)
		}
		return err
	})
}

// moment returns the median of repeated calls, in milliseconds.
func (b *bench) moment(do func() error) ([]float64, error) {
	times := make([]float64, 0, repeats)
	total := clock.Start()
	for len(times) == 0 || len(times) < repeats && total() < 3*time.Second {
		elapsed := clock.Start()
		if err := do(); err != nil {
			return nil, err
		}
		times = append(times, float64(elapsed().Microseconds())/1000)
	}
	return []float64{median(times)}, nil
}

// lines counts what COPY sends.
type lines int

func (l *lines) Write(p []byte) (int, error) {
	*l += lines(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

func (b *bench) copyOut(ctx context.Context) ([]float64, error) {
	if b.layout.source == "" {
		return []float64{math.NaN()}, nil
	}
	elapsed := clock.Start()
	var n lines
	_, err := b.conn.PgConn().CopyTo(ctx, &n, `copy (`+b.layout.source+`) to stdout (format csv)`)
	if err == nil && int(n) != b.rows {
		err = fmt.Errorf("%d rows came", n)
	}
	return []float64{elapsed().Seconds()}, err
}

// view asks a typed view of all columns for sums of all rows, and for a page by row number.
func (b *bench) view(ctx context.Context) (figures []float64, err error) {
	if b.layout.source == "" {
		return []float64{math.NaN(), math.NaN(), math.NaN()}, nil
	}
	view := fmt.Sprintf(`create view ground.orders as select row_no, nullif(btrim(c1), '')::bigint as no, c2, c3, c4, c5, c6,
nullif(btrim(c%d), '')::bigint as quantity,
  replace(nullif(btrim(c%d), ''), ',', '')::numeric as price, nullif(btrim(c9), '')::bool as paid, c10
from (%s) rows`, quantity, price, b.layout.source)
	if _, err := b.conn.Exec(ctx, view); err != nil {
		return nil, err
	}
	for column, want := range b.sums() {
		elapsed := clock.Start()
		var sum string
		if err := b.conn.QueryRow(ctx, `select sum(`+column+`)::text from ground.orders`).Scan(&sum); err != nil {
			return nil, err
		}
		figures = append(figures, elapsed().Seconds())
		if sum != want {
			return nil, fmt.Errorf("the sum of %s is %s, not %s", column, sum, want)
		}
	}
	page, err := b.moment(func() error {
		rows, err := b.conn.Query(ctx, `select row_no, quantity, price::text from ground.orders where row_no > $1 order by row_no limit $2`, b.rows/10*9, pageRows)
		if err != nil {
			return err
		}
		var number, pieces int64
		var amount string
		n := 0
		if _, err = pgx.ForEachRow(rows, []any{&number, &pieces, &amount}, func() error { n++; return nil }); err == nil && n != pageRows {
			err = fmt.Errorf("a page of %d rows", n)
		}
		return err
	})
	return append(figures, page...), err
}

// sums returns what the sums of two columns are, by what their generator says.
func (b *bench) sums() iter.Seq2[string, string] {
	return func(yield func(column, sum string) bool) {
		pieces, cents := 0, 0
		for n := 1; n <= b.rows; n++ {
			cells, _ := appendRow(nil, nil, n)
			pieces += number(cells[quantity-1])
			cents += number(cells[price-1])
		}
		_ = yield("quantity", strconv.Itoa(pieces)) && yield("price", fmt.Sprintf("%d.%02d", cents/100, cents%100))
	}
}

// number reads the digits of a cell.
func number(cell []byte) (n int) {
	for _, c := range cell {
		if c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		}
	}
	return n
}

// purge deletes the sheet in pieces, each a transaction, as the product does.
func (b *bench) purge(ctx context.Context) ([]float64, error) {
	if _, err := b.conn.Exec(ctx, `checkpoint; drop view if exists ground.orders`, pgx.QueryExecModeSimpleProtocol); err != nil {
		return nil, err
	}
	log, err := b.logPosition(ctx)
	if err != nil {
		return nil, err
	}
	elapsed := clock.Start()
	dead := int64(0)
	if b.layout.purge == "" {
		_, err = b.conn.Exec(ctx, `drop table ground.`+b.layout.table)
	}
	for after := 0; b.layout.purge != "" && after < b.rows && err == nil; after += pieceRows {
		tag, deleteErr := b.conn.Exec(ctx, b.layout.purge, after, after+pieceRows)
		dead += tag.RowsAffected()
		err = deleteErr
	}
	seconds := elapsed().Seconds()
	end, logErr := b.logPosition(ctx)
	n := float64(b.rows)
	return []float64{seconds, (end - log) / n, float64(dead) / n}, errors.Join(err, logErr)
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
