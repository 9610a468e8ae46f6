// Package upload uploads files to a server, waits until they have been parsed, and shows what became of each.
package upload

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/client"
)

// Uploader uploads files to one server. Make one with New.
type Uploader struct {
	console *terminal.Console
	server  *server.Server
}

// New returns an Uploader that prints to a console.
func New(console *terminal.Console, server *server.Server) *Uploader {
	return &Uploader{console, server}
}

// delivery is a file on its way, from the upload to the end of its task.
type delivery struct {
	name string
	size int64       // in bytes
	task client.Task // its zero value until the server has accepted the file
	err  error       // why it was not accepted, or its outcome is unknown
}

// Upload uploads the files one by one, then shows each with its outcome. It returns how many of them were not loaded. After an error the
// remaining files are not shown; the error is an Interrupted if ctx ended.
func (u *Uploader) Upload(ctx context.Context, files []File) (failed int, err error) {
	deliveries := make([]delivery, len(files))
	limit := u.server.MaxUploadBytes(ctx)
	for i, file := range files {
		deliveries[i] = u.send(ctx, file, limit)
	}
	for i := range deliveries {
		d := &deliveries[i]
		if d.err == nil {
			d.err = u.awaitEnd(ctx, d)
		}
		if ctx.Err() != nil {
			return failed, Interrupted{ctx.Err(), unfinished(deliveries)}
		}
		if err := u.show(ctx, d); err != nil {
			return failed, fmt.Errorf("show %s: %w", d.name, err)
		}
		if d.task.Status != client.TaskStatusCOMPLETED {
			failed++
		}
	}
	return failed, nil
}

// send uploads a file. One beyond the limit is not sent: a host with a limit of its own answers with an empty 500. A limit of 0 is not
// known.
func (u *Uploader) send(ctx context.Context, file File, limit int64) delivery {
	d := delivery{name: file.Name}
	content, size, err := file.Open()
	if err != nil {
		d.err = err
		return d
	}
	defer content.Close()
	d.size = size
	if limit > 0 && size > limit {
		d.err = fmt.Errorf("it has %d bytes, and the service takes %d at most", size, limit)
		return d
	}
	bar := u.console.Bar(size, "uploading "+terminal.Printable(file.Name))
	defer bar.Close()
	d.task, d.err = u.server.Upload(ctx, file.Name, bar.Reader(content), size)
	return d
}

// How often a task is polled: often enough to draw its progress, or as long as the server waits for its end.
const (
	drawInterval = 200 * time.Millisecond
	longPoll     = 20 * time.Second
)

// awaitEnd waits until the file has been parsed, however long that takes.
func (u *Uploader) awaitEnd(ctx context.Context, d *delivery) error {
	bar := u.console.Bar(d.size, "reading "+terminal.Printable(d.name))
	defer bar.Close()
	wait := longPoll
	if u.console.Interactive() {
		wait = drawInterval
	}
	for !ended(d.task) {
		task, err := u.server.Task(ctx, d.task.ID, wait)
		if err != nil {
			return err
		}
		d.task = task
		bar.Set(min(task.Progress.BytesRead, d.size))
	}
	return nil
}

func ended(t client.Task) bool {
	return t.Status == client.TaskStatusCOMPLETED || t.Status == client.TaskStatusFAILED || t.Status == client.TaskStatusCANCELLED
}

// Interrupted is the error of a wait that was ended for tasks that the server goes on with.
type Interrupted struct {
	error
	Unfinished []Unfinished
}

// Unwrap returns the context's error.
func (i Interrupted) Unwrap() error { return i.error }

// Unfinished is a file that the server has accepted, and its task.
type Unfinished struct {
	Name string
	Task uuid.UUID
}

// unfinished returns the files that the server has accepted and whose tasks, as far as is known, have not ended.
func unfinished(deliveries []delivery) (list []Unfinished) {
	for _, d := range deliveries {
		if d.task.ID != uuid.Nil && !ended(d.task) {
			list = append(list, Unfinished{d.name, d.task.ID})
		}
	}
	return list
}
