package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// downloadFlags are those of rows and rejects.
type downloadFlags struct {
	Sheet      int64  `default:"1" help:"The sheet's number, from 1."`
	Format     string `enum:"auto,csv,ndjson,json,xlsx,parquet" default:"auto" help:"auto: by the ending of --output, otherwise csv. One of: ${enum}."`
	Output     string `short:"o" type:"path" placeholder:"FILE" help:"Where to write it. Without it: standard output."`
	Encoding   string `enum:"utf-8,cp932,shift_jis" default:"utf-8" help:"Of CSV. One of: ${enum}."`
	Bom        bool   `help:"Begin CSV in UTF-8 with a byte order mark, by which Excel knows it."`
	Unmappable string `enum:"refuse,geta" default:"refuse" help:"What becomes of characters that CP932 does not have: nothing is written, or 〓."`
	Formulas   string `enum:"escape,keep" default:"escape" help:"keep: CSV text that a spreadsheet program would take for a formula stays as it is."`
	serverFlags
}

type rowsCommand struct {
	What string `arg:"" optional:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name."`
	downloadFlags
	Values     string   `enum:"typed,raw" default:"typed" help:"Values of their columns' types, or the text of the file. One of: ${enum}."`
	Target     string   `placeholder:"NAME" help:"The rows of a target, by its name or its id, in place of a file's."`
	Filter     []string `sep:"none" placeholder:"COLUMN.OPERATOR.VALUE" help:"Of a target, only rows for which this holds; may be given several times. Operators: eq, ne, lt, le, gt, ge, in, prefix, is_null, not_null."`
	Columns    string   `placeholder:"A,B" help:"Of a target, only these columns, in this order."`
	Provenance bool     `help:"Of a target, add the load, the row in its file, the file, and whether somebody has edited the row."`
}

type rejectsCommand struct {
	What string `arg:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name."`
	downloadFlags
	Layout   string `enum:"auto,reasons,records" default:"auto" help:"Of CSV and xlsx: a line for each reason, or the records, to be corrected and sent back. auto: records for xlsx."`
	Language string `enum:"auto,en,ja" default:"auto" help:"Of the reasons in records; auto: that of this command line. One of: ${enum}."`
}

func (r *rowsCommand) Run(ctx context.Context, c *terminal.Console) error {
	wanted := r.wanted(c.JSON)
	if r.Target != "" {
		return r.ofTarget(ctx, c, server.WantedOfTarget{Wanted: wanted, Filters: r.Filter, Columns: r.Columns, Provenance: r.Provenance})
	}
	switch {
	case r.What == "":
		return words.New("name a file, or a target with --target")
	case len(r.Filter) > 0 || r.Columns != "" || r.Provenance:
		return words.New("--filter, --columns and --provenance go with --target only")
	}
	wanted.Values = r.Values
	return r.download(c, func(s *server.Server, to io.Writer) (err error) {
		if wanted.Task, err = s.FindTask(ctx, r.What); err != nil {
			return err
		}
		return s.DownloadRows(ctx, wanted, to)
	})
}

// ofTarget downloads the rows of a target.
func (r *rowsCommand) ofTarget(ctx context.Context, c *terminal.Console, wanted server.WantedOfTarget) error {
	if r.What != "" || r.Sheet != 1 || r.Values != "typed" {
		return words.New("a target has neither files, sheets nor texts of a file to choose from")
	}
	return r.download(c, func(s *server.Server, to io.Writer) error {
		found, err := s.Target(ctx, r.Target)
		if err != nil {
			return err
		}
		return s.DownloadTargetRows(ctx, found.ID, wanted, to)
	})
}

func (r *rejectsCommand) Run(ctx context.Context, c *terminal.Console) error {
	wanted := r.wanted(c.JSON)
	wanted.Layout, wanted.Language = r.Layout, r.Language
	if r.Language == "auto" {
		wanted.Language = words.Localized("en", "ja")
	}
	return r.download(c, func(s *server.Server, to io.Writer) (err error) {
		if wanted.Task, err = s.FindTask(ctx, r.What); err != nil {
			return err
		}
		return s.DownloadRejects(ctx, wanted, to)
	})
}

// wanted returns what the server is asked for. Defaults are left out: it refuses what a format does not have.
func (d *downloadFlags) wanted(asJSON bool) server.Wanted {
	w := server.Wanted{Sheet: d.Sheet, Format: d.Format, BOM: d.Bom}
	if d.Format == "auto" {
		w.Format = "csv"
		if asJSON {
			w.Format = "ndjson"
		}
		switch ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(d.Output)), "."); ending {
		case "ndjson", "json", "xlsx", "parquet":
			w.Format = ending
		}
	}
	for flag, to := range map[string]*string{d.Encoding: &w.Encoding, d.Unmappable: &w.Unmappable, d.Formulas: &w.Formulas} {
		if flag != "utf-8" && flag != "refuse" && flag != "escape" {
			*to = flag
		}
	}
	return w
}

// download writes an answer to the output, which is there only once it is whole.
func (d *downloadFlags) download(c *terminal.Console, get func(*server.Server, io.Writer) error) error {
	s, err := d.server()
	if err != nil {
		return err
	}
	if d.Output == "" {
		if format := d.wanted(c.JSON).Format; c.Interactive() && (format == "xlsx" || format == "parquet") {
			return words.New("name a file with --output: this is not for a terminal")
		}
		return get(s, os.Stdout)
	}
	to, err := os.CreateTemp(filepath.Dir(d.Output), "."+filepath.Base(d.Output)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(get(s, to), to.Close())
	if err == nil {
		err = os.Rename(to.Name(), d.Output)
	}
	if err != nil {
		_ = os.Remove(to.Name())
		return err
	}
	c.Value(map[string]string{"written": d.Output})
	c.Step("%s written", terminal.Printable(d.Output))
	return nil
}
