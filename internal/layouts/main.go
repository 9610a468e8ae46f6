// Command layouts measures how the rows of a sheet could be stored, on a PostgreSQL server that flushes to disk, with stock settings:
//
//	go run ./internal/layouts                                   # 300,000 rows, five rounds
//	go run ./internal/layouts -rows 1000000 -only 'row,table a sheet'
//	go run ./internal/layouts -sheets 1000 -rows 40 -only 'row,table a sheet'   # small sheets, each in a transaction
//
// Every layout takes the same generated rows in each round, the order of the layouts turns from round to round, and the figures are
// medians. The ratios are to the first layout that is measured, which is that of the product, within the same round.
// docs/decisions/a-row-a-record.md tells what followed from them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack"
)

func main() {
	rows := flag.Int("rows", 300_000, "rows of a sheet")
	sheets := flag.Int("sheets", 1, "sheets; of several only loading and purging is measured")
	rounds := flag.Int("rounds", 5, "rounds")
	only := flag.String("only", "", "the names of layouts, with commas between; all if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rows, *sheets, *rounds, chosen(*only)); err != nil {
		fmt.Fprintln(os.Stderr, "layouts:", err)
		stop()
		os.Exit(1)
	}
}

func chosen(only string) []layout {
	names := strings.Split(only, ",")
	return slices.DeleteFunc(layouts(), func(l layout) bool { return only != "" && !slices.Contains(names, l.name) })
}

func run(ctx context.Context, rows, sheets, rounds int, list []layout) (err error) {
	folder, err := os.MkdirTemp("", "sheetdrop-layouts-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	stack, err := devstack.Open(ctx, devstack.Options{Dir: folder})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := stack.Close(); err == nil {
			err = closeErr
		}
	}()
	conn, err := pgx.Connect(ctx, stack.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	names := figureNames
	if sheets > 1 {
		names = sheetFigureNames
	}
	results := newResults(names, list)
	for round := range rounds {
		for i := range list {
			if round%2 == 1 {
				i = len(list) - 1 - i
			}
			b := bench{conn: conn, layout: list[i], rows: rows, sheets: sheets}
			figures, err := b.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", list[i].name, err)
			}
			results.add(i, figures)
			fmt.Fprintf(os.Stderr, "round %d, %s: %.3g\n", round+1, list[i].name, figures)
		}
	}
	results.print(os.Stdout)
	return nil
}
