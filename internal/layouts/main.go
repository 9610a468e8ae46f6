// Command layouts measures how the rows of a sheet could be stored, on a PostgreSQL server that flushes to disk, with stock settings:
//
//	go run ./internal/layouts                                   # 300,000 rows, five rounds
//	go run ./internal/layouts -rows 1000000 -only 'row,table'   # those whose names begin so
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
	rows := flag.Int("rows", 300_000, "rows of the sheet")
	rounds := flag.Int("rounds", 5, "rounds")
	only := flag.String("only", "", "the names of layouts, or how they begin, with commas between")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rows, *rounds, chosen(strings.Split(*only, ","))); err != nil {
		fmt.Fprintln(os.Stderr, "layouts:", err)
		stop()
		os.Exit(1)
	}
}

func chosen(prefixes []string) []layout {
	return slices.DeleteFunc(layouts(), func(l layout) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(l.name, p) })
	})
}

func run(ctx context.Context, rows, rounds int, list []layout) (err error) {
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
	results := newResults(list)
	for round := range rounds {
		for i := range list {
			if round%2 == 1 {
				i = len(list) - 1 - i
			}
			b := bench{conn: conn, layout: list[i], rows: rows}
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
