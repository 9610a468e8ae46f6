package main

import (
	"context"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

type parseCommand struct {
	Reading reading.File `embed:""`
	Format  string       `enum:"table,csv,ndjson" default:"table" help:"What is printed: the first rows and a report (table), the accepted rows (csv), or each record with its place and errors (ndjson)."`
	Records string       `enum:",all,accepted" default:"" placeholder:"all|accepted" help:"Which records the ndjson has: all, which is the default, or the accepted rows only."`
}

// Validate is called by kong: its errors are bad usage.
func (p *parseCommand) Validate() error {
	if p.Records != "" && p.Format != "ndjson" {
		return words.New("--records goes with --format ndjson only")
	}
	return nil
}

func (p *parseCommand) Run(ctx context.Context, c *terminal.Console) error {
	format := p.Format
	if c.JSON && format == "table" {
		format = "ndjson"
	}
	switch format {
	case "csv":
		return p.Reading.CSV(ctx, os.Stdout)
	case "ndjson":
		return p.Reading.NDJSON(ctx, os.Stdout, p.Records == "accepted")
	}
	return p.Reading.Preview(ctx, os.Stdout)
}
