package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"sheetdrop/internal/task"
	"sheetdrop/samples"
)

// sendable is a file to upload.
type sendable struct {
	name string
	open func() (io.ReadCloser, int64, error) // with its size in bytes
}

func filesAt(paths []string) []sendable {
	files := make([]sendable, len(paths))
	for i, path := range paths {
		files[i] = sendable{filepath.Base(path), func() (io.ReadCloser, int64, error) {
			file, err := os.Open(path)
			if err != nil {
				return nil, 0, err
			}
			info, err := file.Stat()
			if err != nil {
				return nil, 0, errors.Join(err, file.Close())
			}
			return file, info.Size(), nil
		}}
	}
	return files
}

func builtInSamples() ([]sendable, error) {
	entries, err := samples.Files.ReadDir(".")
	files := make([]sendable, len(entries))
	for i, entry := range entries {
		files[i] = sendable{entry.Name(), func() (io.ReadCloser, int64, error) {
			file, err := samples.Files.Open(entry.Name())
			if err != nil {
				return nil, 0, err
			}
			info, err := entry.Info()
			return file, info.Size(), err
		}}
	}
	return files, err
}

// delivery is a file on its way.
type delivery struct {
	name    string
	size    int64
	task    parseTask
	refusal error // why it was not taken, or what came of it is not known
}

// interrupted says that somebody stopped waiting for tasks that the server has accepted.
type interrupted struct {
	error
	unfinished []delivery
}

func (i interrupted) Unwrap() error { return i.error }

// unfinished are the deliveries that the server has accepted and, as far as is known, not ended.
func unfinished(deliveries []delivery) (list []delivery) {
	for _, d := range deliveries {
		if d.task.ID != "" && !d.task.Status.Terminal() {
			list = append(list, d)
		}
	}
	return list
}

// deliver uploads the files one by one, and shows each with what became of it. It returns how many of them were not
// loaded; its error means that the rest was given up, and is interrupted where ctx ended.
func deliver(ctx context.Context, c *console, a api, files []sendable) (failed int, err error) {
	deliveries := make([]delivery, len(files))
	limit := a.maxUploadBytes(ctx)
	for i, file := range files {
		d := &deliveries[i]
		d.name = file.name
		d.task, d.size, d.refusal = send(ctx, c, a, file, limit)
	}
	for i := range deliveries {
		d := &deliveries[i]
		if d.refusal == nil {
			d.task, d.refusal = awaitEnd(ctx, c, a, *d)
		}
		if ctx.Err() != nil {
			return failed, interrupted{ctx.Err(), unfinished(deliveries)}
		}
		if err := show(ctx, c, a, *d); err != nil {
			return failed, fmt.Errorf("show %s: %w", d.name, err)
		}
		if d.task.Status != task.Completed {
			failed++
		}
	}
	return failed, nil
}

// send uploads a file and returns its task and its size. One over the limit is not sent: where the host has a limit of its own, it answers
// with nothing but a 500. A limit of 0 is unknown.
func send(ctx context.Context, c *console, a api, file sendable, limit int64) (parseTask, int64, error) {
	body, size, err := file.open()
	if err != nil {
		return parseTask{}, 0, err
	}
	defer body.Close()
	if limit > 0 && size > limit {
		return parseTask{}, size, fmt.Errorf("it has %d bytes, and the service takes %d at most", size, limit)
	}
	bar := c.bar(size, "uploading "+printable(file.name))
	defer finish(bar)
	reader := progressbar.NewReader(body, bar)
	t, err := a.upload(ctx, file.name, &reader, size)
	return t, size, err
}

// awaitEnd waits until the file has been read, however long that takes.
func awaitEnd(ctx context.Context, c *console, a api, d delivery) (parseTask, error) {
	bar := c.bar(d.size, "reading "+printable(d.name))
	defer finish(bar)
	wait := 20 * time.Second
	if c.terminal {
		wait = 200 * time.Millisecond // to draw how far it is
	}
	t := d.task
	for !t.Status.Terminal() {
		now, err := a.task(ctx, t.ID, wait)
		if err != nil {
			return t, err
		}
		t = now
		_ = bar.Set64(min(t.Progress.BytesRead, d.size)) // a bar that cannot be drawn hurts nobody
	}
	return t, nil
}

func finish(bar *progressbar.ProgressBar) { _ = bar.Exit() }
