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
	Resume        bool   // go on with direct uploads that were broken off
	Again         bool   // upload bytes that are there already once more
	Options       string // how to read the files, as JSON; "" if nothing is said
	ResumeCommand string // that does so, but for the file
	Views         Views

	console *terminal.Console
	server  *server.Server
}

// New returns an Uploader that prints to a console.
func New(console *terminal.Console, server *server.Server) *Uploader {
	return &Uploader{ResumeCommand: "sheetdrop upload --resume", console: console, server: server}
}

// delivery is a file on its way, from the upload to the end of its task.
type delivery struct {
	name string
	size int64            // in bytes
	task client.Task      // its zero value until the server has accepted the file
	same *client.SameFile // that has the same bytes, because of which the file was not uploaded; the task is that file's
	err  error            // why it was not accepted, or its outcome is unknown
}

// Result counts files.
type Result struct {
	Failed int // not loaded
	Same   int // not uploaded again, because the same bytes are there and loaded
}

// Upload uploads the files one by one, then shows each with its outcome. After an error the remaining files are not shown; the error is an
// Interrupted if ctx ended.
func (u *Uploader) Upload(ctx context.Context, files []File) (result Result, err error) {
	deliveries := make([]delivery, len(files))
	limits, noLimits := u.server.Limits(ctx)
	for i, file := range files {
		if ctx.Err() != nil {
			break
		}
		deliveries[i] = u.send(ctx, file, limits, noLimits)
	}
	for i := range deliveries {
		d := &deliveries[i]
		if d.err == nil {
			d.err = u.awaitEnd(ctx, d)
		}
		if ctx.Err() != nil {
			return result, Interrupted{ctx.Err(), unfinished(deliveries)}
		}
		if err := u.show(ctx, d); err != nil {
			return result, fmt.Errorf("show %s: %w", d.name, err)
		}
		switch {
		case d.task.Status != client.TaskStatusCOMPLETED:
			result.Failed++
		case d.same != nil:
			result.Same++
		}
	}
	u.tellHow()
	return result, nil
}

// directFrom is the size from which a file goes straight to the blob store. A smaller one takes less time in one request.
const directFrom = 4<<20 + 1

// send uploads a file, unless its bytes are there already and nobody wants them there again. One beyond the limits is not sent: a host with
// a limit of its own answers with an empty 500. noLimits says why the limits are not known.
func (u *Uploader) send(ctx context.Context, file File, limits server.Limits, noLimits error) delivery {
	d := delivery{name: file.Name}
	content, size, err := file.Open()
	if err != nil {
		d.err = err
		return d
	}
	defer content.Close()
	d.size = size
	most := max(limits.Request, limits.Direct)
	switch {
	case noLimits != nil && size >= directFrom:
		d.err = noLimits // a small file will not arrive either, and says why
		return d
	case limits.Request > 0 && size > most:
		d.err = fmt.Errorf("it has %d bytes, and the service takes %d at most", size, most)
		return d
	}
	s := sending{Uploader: u, content: content, limits: limits}
	// What is there as a sheet may still go into a target, or correct another sheet.
	elsewhere := u.server.Into.Target != "" || u.server.Corrects != ""
	s.file = server.File{Name: file.Name, Size: size, Options: u.Options, RefuseDuplicates: !u.Again && !elsewhere}
	d.task, d.err = s.run(ctx)
	if same := sameAs(d.err); same != nil {
		d.task, d.same, d.err = client.Task{ID: same.TaskID}, same, nil
	}
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

// Interrupted is the error of an upload that was cancelled while it waited. The server continues the tasks.
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
