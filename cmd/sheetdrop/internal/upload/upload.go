// Package upload uploads files to a server, waits until they have been parsed, and shows what became of each.
package upload

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// Uploader uploads files to one server. Make one with New.
type Uploader struct {
	Resume        bool   // go on with direct uploads that were broken off
	Again         bool   // upload bytes that are there already once more
	Options       string // how to read the files, as JSON; "" if nothing is said
	ResumeCommand string // that does so, but for the file
	Views         Views
	NoWait        bool // return once the server has accepted the files
	OneByOne      bool // send a file when the one before has arrived

	large sync.Mutex // of direct uploads, each of which sends several blocks at once, one at a time

	// Ended is called with what became of each file; it may be nil.
	Ended func(index int, o Outcome)

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
	nth  string           // "2/5 " of several files, for progress
	size int64            // in bytes
	task client.Task      // its zero value until the server has accepted the file
	same *client.SameFile // that has the same bytes, because of which the file was not uploaded; the task is that file's
	sql  []string         // statements that read its rows
	err  error            // why it was not accepted, or its outcome is unknown
}

// Result counts files.
type Result struct {
	Failed int // not loaded
	Same   int // not uploaded again, because the same bytes are there and loaded
}

// Upload uploads the files, then shows each with its outcome. After an error the remaining files are not shown; the error is an Interrupted
// if ctx ended.
func (u *Uploader) Upload(ctx context.Context, files []File) (result Result, err error) {
	deliveries := make([]delivery, len(files))
	limits, noLimits := u.server.Limits(ctx)
	sent := inOrder(len(files), u.atOnce(), func(i int) {
		if ctx.Err() != nil {
			return
		}
		nth := ""
		if len(files) > 1 {
			nth = fmt.Sprintf("%d/%d ", i+1, len(files))
		}
		deliveries[i] = u.send(ctx, files[i], nth, limits, noLimits)
	})
	for range sent {
	}
	return u.finish(ctx, deliveries)
}

// atOnce returns how many files are under way at the same time: several where a terminal shows a bar for each. Loads into a target happen
// in the order in which their files arrive, so these are sent one by one.
func (u *Uploader) atOnce() int {
	const several = 4
	if !u.console.Interactive() || u.OneByOne || u.server.Into.Target != "" || u.server.Corrects != "" {
		return 1
	}
	return several
}

// inOrder calls f with 0 to n-1, up to atOnce of them at the same time, and yields each number when f has returned for it and for all
// before. It returns when no f runs any more.
func inOrder(n, atOnce int, f func(i int)) iter.Seq[int] {
	return func(yield func(int) bool) {
		var running sync.WaitGroup
		defer running.Wait()
		done := make([]chan struct{}, n)
		begin := func(i int) {
			if i >= n {
				return
			}
			done[i] = make(chan struct{})
			running.Go(func() {
				defer close(done[i])
				f(i)
			})
		}
		for i := range min(n, atOnce) {
			begin(i)
		}
		for i := range n {
			if <-done[i]; !yield(i) {
				return
			}
			begin(i + atOnce)
		}
	}
}

// Follow waits for the end of a task that parses a file of the server, and shows it.
func (u *Uploader) Follow(ctx context.Context, name string, size int64, task client.Task) (Result, error) {
	return u.finish(ctx, []delivery{{name: name, size: size, task: task}})
}

// finish waits for the end of each task, and shows it.
func (u *Uploader) finish(ctx context.Context, deliveries []delivery) (result Result, err error) {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	ended := inOrder(len(deliveries), u.atOnce(), func(i int) {
		switch d := &deliveries[i]; {
		case d.err != nil:
		case !u.NoWait:
			d.err = u.awaitEnd(waiting, d)
		case d.same != nil: // of which the refusal told the id alone
			d.task, d.err = u.server.Task(waiting, d.task.ID, 0)
		}
	})
	for i := range ended {
		if ctx.Err() != nil {
			break
		}
		d := &deliveries[i]
		if err := u.show(ctx, d); err != nil {
			stop()
			return result, words.Errorf("show %s: %w", d.name, err)
		}
		u.report(i, d)
		switch {
		case d.err != nil, d.task.Status == client.TaskStatusFAILED, d.task.Status == client.TaskStatusCANCELLED:
			result.Failed++
		case d.task.Status != client.TaskStatusCOMPLETED && !u.NoWait:
			result.Failed++
		case d.same != nil:
			result.Same++
		}
	}
	if ctx.Err() != nil {
		return result, Interrupted{ctx.Err(), unfinished(deliveries)}
	}
	u.tellHow()
	return result, nil
}

// report tells programs what became of a file.
func (u *Uploader) report(index int, d *delivery) {
	o := d.outcome()
	u.console.Value(o)
	if u.Ended != nil {
		u.Ended(index, o)
	}
}

// directFrom is the size from which a file goes straight to the blob store. A smaller one takes less time in one request.
const directFrom = 4<<20 + 1

// send uploads a file, unless its bytes are there already and nobody wants them there again. One beyond the limits is not sent: a host with
// a limit of its own answers with an empty 500. noLimits says why the limits are not known.
func (u *Uploader) send(ctx context.Context, file File, nth string, limits server.Limits, noLimits error) delivery {
	d := delivery{name: file.Name, nth: nth}
	if file.URL != "" {
		u.fetch(ctx, file, &d)
		return d
	}
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
		d.err = words.Errorf("it has %d bytes, and the service takes %d at most", size, most)
		return d
	}
	s := sending{Uploader: u, content: content, limits: limits, nth: nth}
	s.file = server.File{Name: file.Name, Size: size, Options: u.Options, RefuseDuplicates: u.refusesDuplicates()}
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
	reading := words.Sprintf("%sreading %s", d.nth, terminal.Printable(d.name))
	bar := u.console.Bar(max(1, d.size), reading)
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
		bar.Set(min(task.Progress.BytesRead, d.size-1)) // it is whole once the task has ended, which may be long after the last byte
		if rows := task.Progress.RowsRead; rows > 0 {
			bar.Describe(words.Sprintf("%s: %d rows", reading, rows))
		}
	}
	return nil
}

// refusesDuplicates reports whether bytes that are there already are not to be stored again. What is there as a sheet may still go into a
// target, or correct another sheet.
func (u *Uploader) refusesDuplicates() bool {
	return !u.Again && u.server.Into.Target == "" && u.server.Corrects == ""
}

// fetch has the server fetch a file from another one.
func (u *Uploader) fetch(ctx context.Context, file File, d *delivery) {
	u.console.Step("the server fetches %s", terminal.Printable(file.URL))
	request := server.File{Name: file.Name, Key: rand.Text(), Options: u.Options, RefuseDuplicates: u.refusesDuplicates()}
	accepted, err := u.server.UploadFrom(ctx, request, file.URL)
	d.task, d.err = accepted.Task, err
	if err == nil {
		d.name, d.size = accepted.File.Name, accepted.File.SizeBytes
	} else if same := sameAs(err); same != nil {
		d.name, d.task, d.same, d.err = same.Name, client.Task{ID: same.TaskID}, same, nil
	} else if d.name == "" {
		d.name = file.URL
	}
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
