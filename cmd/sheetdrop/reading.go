package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/decrypt"
	"sheetdrop/internal/task"
)

// reading is a file and how it is to be read: the part that the commands which need no database have in common.
type reading struct {
	File    string `arg:"" type:"existingfile" help:"CSV or Excel file; - is standard input."`
	MaxLine int    `name:"max-line" placeholder:"BYTES" default:"${max_line}" help:"The longest record that is read, in bytes (${max_line})."`
	Options any    `embed:""`

	PasswordFile string `name:"password-file" placeholder:"FILE" help:"The file with the password that opens an encrypted workbook; - is standard input."`

	options  sheet.Options
	password string
}

// Validate is called by kong: what it refuses is bad usage.
func (r *reading) Validate() (err error) {
	if r.MaxLine < 1 {
		return errors.New("--max-line: one byte is the least")
	}
	if r.File == "-" && r.PasswordFile == "-" {
		return errors.New("--password-file: standard input is the file already")
	}
	r.options, err = parseOptionFlags(r.Options)
	return err
}

// printer prints what is read, while it is read. A sheet that is left out has no records.
type printer interface {
	file(book *sheet.Book, bytes int64) error
	sheet(s *sheet.Sheet) error
	record(s *sheet.Sheet, rec *sheet.Record) error
	sheetEnd(s *sheet.Sheet, n task.Counts) error
	// end is told why the file was refused, if it was.
	end(refusal *sheet.Refusal) error
}

// start opens the file, and learns the password where there is one.
func (r *reading) start(ctx context.Context) (in *input, err error) {
	if r.PasswordFile != "" {
		if r.password, err = readPassword(r.PasswordFile); err != nil {
			return nil, err
		}
	}
	return openInput(ctx, r.File)
}

// print reads the file and has it printed. A refusal is its error too.
func (r *reading) print(ctx context.Context, in *input, p printer) error {
	err := noSheet(in, r.walk(ctx, in, p))
	refusal, refused := errors.AsType[*sheet.Refusal](err)
	if err != nil && !refused {
		return err
	}
	if err := p.end(refusal); err != nil {
		return err
	}
	if refused {
		return fmt.Errorf("%s: %s (%s)", printable(in.name), printable(refusal.Message), refusal.Code)
	}
	return nil
}

// walk shows the printer all sheets, or the one that was asked for.
func (r *reading) walk(ctx context.Context, in *input, p printer) (err error) {
	book, err := r.open(ctx, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	if err := p.file(book, in.Size()); err != nil {
		return err
	}
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if s.LeftOut() && r.options.Sheet != "" {
			continue
		}
		if err := readSheet(s, p); err != nil {
			return err
		}
	}
}

func (r *reading) open(ctx context.Context, in *input) (*sheet.Book, error) {
	limits := sheet.DefaultLimits()
	limits.RecordBytes = r.MaxLine
	if r.password == "" {
		return sheet.Open(ctx, in, r.options, limits)
	}
	return sheet.OpenEncrypted(ctx, in, decrypt.With(r.password), r.options, limits)
}

func readSheet(s *sheet.Sheet, p printer) error {
	if err := p.sheet(s); err != nil {
		return err
	}
	var n task.Counts
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return p.sheetEnd(s, n)
		}
		if err != nil {
			return err
		}
		count(&n, rec.Kind)
		if err := p.record(s, rec); err != nil {
			return err
		}
	}
}

func count(n *task.Counts, kind sheet.Kind) {
	switch kind {
	case sheet.Header:
		return
	case sheet.Row:
		n.Loaded++
	case sheet.Reject:
		n.Rejected++
	case sheet.Skip:
		n.Skipped++
	}
	n.Read++
}
