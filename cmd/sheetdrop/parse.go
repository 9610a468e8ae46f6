package main

import (
	"context"
	"errors"
	"os"
)

type parseCommand struct {
	Reading reading `embed:""`
	Format  string  `enum:"table,csv,ndjson" default:"table" help:"What is printed: the first rows and a report (table), the accepted rows (csv), or each record with its place and errors (ndjson)."`
	Records string  `enum:",all,accepted" default:"" placeholder:"all|accepted" help:"Which records the ndjson has: all, which is the default, or the accepted rows only."`
}

// Validate is called by kong: what it refuses is bad usage.
func (p *parseCommand) Validate() error {
	if p.Records != "" && p.Format != "ndjson" {
		return errors.New("--records goes with --format ndjson only")
	}
	return nil
}

func (p *parseCommand) Run(ctx context.Context) (err error) {
	in, err := p.Reading.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if p.Format == "csv" {
		if err := p.Reading.oneSheet(ctx, in); err != nil {
			return err
		}
	}
	return p.Reading.print(ctx, in, p.printer(in.name))
}

func (p *parseCommand) printer(name string) printer {
	out := newOutput(os.Stdout)
	switch p.Format {
	case "csv":
		return &csvPrinter{out: out}
	case "ndjson":
		return newNDJSON(out, p.Records == "accepted")
	}
	return &previewPrinter{out: out, name: name}
}
