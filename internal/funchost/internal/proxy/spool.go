package proxy

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how much of a body is kept in memory, in bytes; a longer body goes to a temporary file.
const spoolMemory = 30 << 10

// spool reads a request body to its end before the function is called, as the real host does with every body that has
// a Content-Length. Nothing is left on disk when the result is closed, or when the process is killed where the system
// lets an open file be unlinked. first is the body's first byte that is no space, 0 if it has none.
func spool(body io.Reader) (spooled io.ReadCloser, first byte, err error) {
	head, err := io.ReadAll(io.LimitReader(body, spoolMemory))
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 {
		first = text[0]
	}
	if err != nil || len(head) < spoolMemory {
		return io.NopCloser(bytes.NewReader(head)), first, err
	}
	spooled, err = spoolToFile(io.MultiReader(bytes.NewReader(head), body))
	return spooled, first, err
}

func spoolToFile(body io.Reader) (io.ReadCloser, error) {
	file, err := os.CreateTemp("", "funchost-body-*")
	if err != nil {
		return nil, fmt.Errorf("spool the request body: %w", err)
	}
	spooled := &spoolFile{File: file}
	_ = os.Remove(file.Name()) // fails on Windows while the file is open: Close tries again
	if _, err = io.Copy(file, body); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = spooled.Close()
		return nil, fmt.Errorf("spool the request body: %w", err)
	}
	return spooled, nil
}

type spoolFile struct{ *os.File }

func (f *spoolFile) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name())
	return err
}
