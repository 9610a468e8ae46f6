// Package reading reads a file without a server and prints what is in it: for people, as CSV, or as NDJSON.
package reading

import (
	"context"
	"errors"
	"io"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/decrypt"
	"sheetdrop/internal/task"
)

// File is a file and how to read it: the arguments and flags that all commands without a server share. Make one with New.
type File struct {
	Path    string  `arg:"" name:"file" type:"existingfile" help:"CSV or Excel file; - is standard input."`
	MaxLine int     `name:"max-line" placeholder:"BYTES" default:"${max_line}" help:"The longest record that is read, in bytes (${max_line})."`
	Options Options `embed:""`

	PasswordFile string `name:"password-file" placeholder:"FILE" help:"The file with the password that opens an encrypted workbook; - is standard input."`

	options  sheet.Options
	password string
	found    []sheet.Options // of the sheets that were read
}

// New returns a File for kong to fill in, with a flag for each option of the engine.
func New() File { return File{Options: NewOptions(false)} }

// Validate is called by kong: its errors are bad usage.
func (f *File) Validate() (err error) {
	if f.MaxLine < 1 {
		return words.New("--max-line: one byte is the least")
	}
	if f.Path == "-" && f.PasswordFile == "-" {
		return words.New("--password-file: standard input is the file already")
	}
	err = f.Options.Parse()
	f.options = f.Options.parsed
	return err
}

// Preview prints the first rows and rejects of each sheet, for people.
func (f *File) Preview(ctx context.Context, to io.Writer) error {
	return f.read(ctx, func(in *input) (printer, error) { return &previewPrinter{out: newOutput(to), name: in.name}, nil })
}

// CSV prints the accepted rows of a file's only sheet, or of the one that was chosen.
func (f *File) CSV(ctx context.Context, to io.Writer) error {
	return f.read(ctx, func(in *input) (printer, error) { return &csvPrinter{out: newOutput(to)}, f.requireOneSheet(ctx, in) })
}

// NDJSON prints a line of JSON for each record, or for each accepted one.
func (f *File) NDJSON(ctx context.Context, to io.Writer, acceptedOnly bool) error {
	return f.read(ctx, func(*input) (printer, error) { return newNDJSON(newOutput(to), acceptedOnly), nil })
}

// Sniff prints how the file is read, and why, for people.
func (f *File) Sniff(ctx context.Context, to io.Writer) error {
	return f.read(ctx, func(in *input) (printer, error) {
		return &sniffTable{out: newOutput(to), name: in.name, options: f.options}, nil
	})
}

// SniffJSON prints the same as one JSON object, Findings.
func (f *File) SniffJSON(ctx context.Context, to io.Writer) error {
	return f.read(ctx, func(*input) (printer, error) { return &sniffJSON{out: newOutput(to)}, nil })
}

// read opens the file, with its password if there is one, and prints it.
func (f *File) read(ctx context.Context, newPrinter func(in *input) (printer, error)) (err error) {
	if f.PasswordFile != "" {
		if f.password, err = readPassword(f.PasswordFile); err != nil {
			return err
		}
	}
	in, err := openInput(ctx, f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	p, err := newPrinter(in)
	if err != nil {
		return err
	}
	return f.print(ctx, in, p)
}

// printer prints what is read. It may be a recordPrinter or a rejectPrinter, too.
type printer interface {
	file(book *sheet.Book, bytes int64) error
	sheet(s *sheet.Sheet) error
	sheetEnd(s *sheet.Sheet, n task.Counts) error
	// end is called last, with the reason if the file was refused, else with nil.
	end(refusal *sheet.Refusal) error
}

// recordPrinter prints records while they are read. A sheet that is left out has none.
type recordPrinter interface {
	record(s *sheet.Sheet, rec *sheet.Record) error
}

var _, _, _ recordPrinter = (*previewPrinter)(nil), (*csvPrinter)(nil), (*ndjsonPrinter)(nil)

// rejectPrinter prints the first rejects of a sheet, of which nothing is read otherwise but what the sheet knows at its end.
type rejectPrinter interface {
	reject(s *sheet.Sheet, rec *sheet.Record)
}

// print reads the file and prints it. A refusal is printed, and returned as an error.
func (f *File) print(ctx context.Context, in *input, p printer) error {
	err := asBadUsage(in, f.walk(ctx, in, p))
	refusal, refused := errors.AsType[*sheet.Refusal](err)
	if err != nil && !refused {
		return err
	}
	if err := p.end(refusal); err != nil {
		return err
	}
	if !refused && f.Options.Save != "" {
		return f.Options.save(f.found)
	}
	if refused {
		said := words.Sprintf("%s: %s (%s)", terminal.Printable(in.name), terminal.Printable(words.Localized(refusal.Message, refusal.MessageJA)), refusal.Code)
		return errors.New(said + report.NextStep(task.Failure{Code: task.FailureCode(refusal.Code)}.Advice()))
	}
	return nil
}

// walk hands all sheets to the printer, or the one that was chosen.
func (f *File) walk(ctx context.Context, in *input, p printer) (err error) {
	book, err := f.open(ctx, in)
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
		if s.LeftOut() && f.options.Sheet != "" {
			continue
		}
		if err := readSheet(s, p); err != nil {
			return err
		}
		if !s.LeftOut() {
			f.found = append(f.found, book.Found(s))
		}
	}
}

func (f *File) open(ctx context.Context, in *input) (*sheet.Book, error) {
	limits := sheet.DefaultLimits()
	limits.RecordBytes = f.MaxLine
	if f.password == "" {
		return sheet.Open(ctx, in, f.options, limits)
	}
	return sheet.OpenEncrypted(ctx, in, decrypt.With(f.password), f.options, limits)
}

func readSheet(s *sheet.Sheet, p printer) error {
	if err := p.sheet(s); err != nil {
		return err
	}
	var n task.Counts
	var err error
	if to, ok := p.(recordPrinter); ok {
		n, err = readRecords(s, to)
	} else {
		n, err = surveySheet(s, p)
	}
	if err != nil {
		return err
	}
	return p.sheetEnd(s, n)
}

func readRecords(s *sheet.Sheet, to recordPrinter) (n task.Counts, err error) {
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		count(&n, rec.Kind)
		if err := to.record(s, rec); err != nil {
			return n, err
		}
	}
}

func surveySheet(s *sheet.Sheet, p printer) (task.Counts, error) {
	found, err := s.Survey(report.FirstRejects)
	if to, ok := p.(rejectPrinter); ok {
		for i := range found.Rejects {
			to.reject(s, &found.Rejects[i])
		}
	}
	read := found.Rows + found.Rejected + found.Skipped
	return task.Counts{Read: read, Loaded: found.Rows, Rejected: found.Rejected, Skipped: found.Skipped}, err
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
