package reading

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
)

// save writes the options by which the only sheet was read.
func (o *Options) save(found []sheet.Options) error {
	if len(found) != 1 {
		return badUsage{words.Errorf("--save-options: %d sheets were read, each in its own way; choose one with --sheet", len(found))}
	}
	found[0].DryRun = false // which is not about reading
	text, err := json.MarshalIndent(found[0], "", "  ")
	if err == nil {
		err = os.WriteFile(o.Save, append(text, '\n'), 0o666)
	}
	if err != nil {
		return words.Errorf("--save-options: %w", err)
	}
	return nil
}

// SaveFor finds out how a file is read, from its beginning and its samples, and writes that to the file of --save-options.
func (o *Options) SaveFor(ctx context.Context, path string) (err error) {
	in, err := openInput(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	book, err := sheet.Open(ctx, in, o.parsed, sheet.DefaultLimits())
	if err != nil {
		return words.Errorf("--save-options: %w", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	if err := book.SettleEncoding(); err != nil {
		return err
	}
	found, err := foundIn(book)
	if err != nil {
		return words.Errorf("--save-options: %w", err)
	}
	return o.save(found)
}

// foundIn reads each sheet up to the first record below its header.
func foundIn(book *sheet.Book) (found []sheet.Options, err error) {
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if s.LeftOut() {
			continue
		}
		for rec := new(sheet.Record); err == nil && rec.Kind != sheet.Row && rec.Kind != sheet.Reject; {
			rec, err = s.Read()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		found = append(found, book.Found(s))
	}
}
