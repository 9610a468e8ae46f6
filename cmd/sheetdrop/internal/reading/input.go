package reading

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// input is a file with random access, which the engine needs.
type input struct {
	*io.SectionReader
	name  string // for people
	close func() error
}

// openInput opens a file; - is standard input. A pipe, or anything else that can be read only once, is copied to a temporary file first.
func openInput(ctx context.Context, path string) (*input, error) {
	file, name := os.Stdin, words.In("standard input")
	if path != "-" {
		name = filepath.Base(path)
		var err error
		if file, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if !info.Mode().IsRegular() {
		defer file.Close()
		return copyInput(ctx, name, file)
	}
	start, err := file.Seek(0, io.SeekCurrent) // standard input may have been read in part
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &input{io.NewSectionReader(file, start, max(0, info.Size()-start)), name, file.Close}, nil
}

// copyInput copies from to a temporary file that is removed when it is closed; where the system lets an open file be removed, it is at
// once.
func copyInput(ctx context.Context, name string, from io.Reader) (*input, error) {
	file, err := os.CreateTemp("", "sheetdrop-*")
	if err != nil {
		return nil, words.Errorf("keep what is read of %s: %w", name, err)
	}
	in := &input{name: name, close: file.Close}
	if os.Remove(file.Name()) != nil {
		in.close = func() error { return errors.Join(file.Close(), os.Remove(file.Name())) }
	}
	size, err := copyUntil(ctx, file, from)
	if err != nil {
		return nil, errors.Join(words.Errorf("keep what is read of %s: %w", name, err), in.close())
	}
	in.SectionReader = io.NewSectionReader(file, 0, size)
	return in, nil
}

// copyUntil copies until the end of from or of the context: a terminal's next line may never come.
func copyUntil(ctx context.Context, to io.Writer, from io.Reader) (int64, error) {
	type result struct {
		size int64
		err  error
	}
	done := make(chan result, 1)
	go func() {
		size, err := io.Copy(to, from)
		done <- result{size, err}
	}()
	select {
	case r := <-done:
		return r.size, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
