package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
	"sheetdrop/cmd/sheetdrop/internal/watch"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

type watchCommand struct {
	Folder  string          `arg:"" type:"existingdir" help:"The folder. Files in folders below it are left alone."`
	Keep    bool            `help:"Leave files where they are, and remember which were uploaded, rather than move them to the folders done and failed."`
	Once    bool            `help:"End once all files that are there have been uploaded."`
	Every   time.Duration   `default:"2s" help:"How often to look; ${default} by default."`
	Settle  time.Duration   `default:"5s" help:"How long a file must not have changed to be taken for complete; ${default} by default."`
	Target  string          `placeholder:"NAME" help:"Load the rows into this target; see 'sheetdrop target'."`
	Mode    string          `enum:",insert,upsert,replace" default:"" placeholder:"insert|upsert|replace" help:"What to do with rows whose key is in the target; as its definition says by default."`
	Reading reading.Options `embed:""`
	mapFlags
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (w *watchCommand) Validate() error {
	switch {
	case w.Every <= 0 || w.Settle <= 0:
		return words.New("--every and --settle are durations such as 2s")
	case w.Target == "" && (w.Mode != "" || len(w.Map) > 0):
		return words.New("--mode and --map go with --target only")
	case w.Reading.Save != "":
		return words.New("--save-options goes with one file")
	}
	return w.Reading.Parse()
}

func (w *watchCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := w.server()
	if err != nil {
		return err
	}
	s.Into = server.Into{Target: w.Target, Mode: w.Mode}
	if s.Into.Mapping, err = w.mapping(); err != nil {
		return err
	}
	handler := &watchHandler{console: c, uploader: upload.New(c, s)}
	handler.uploader.OneByOne = true // in the order of their times
	handler.uploader.Views.None = w.Target != ""
	if handler.uploader.Options, err = w.Reading.JSON(); err != nil {
		return err
	}
	folder := &watch.Folder{Path: w.Folder, Every: w.Every, Settle: w.Settle, Once: w.Once, Handle: handler.handle}
	if w.Keep {
		if handler.record, err = watch.OpenRecord(w.Folder, s.URL); err != nil {
			return err
		}
		folder.Skip = handler.record.Has
	}
	if !w.Once {
		c.Step("watching %s; Ctrl+C ends it", terminal.Printable(w.Folder))
	}
	if err := folder.Run(ctx); err != nil {
		return err
	}
	return notLoaded(handler.failed)
}

// watchHandler uploads complete files and puts them where they belong.
type watchHandler struct {
	console  *terminal.Console
	uploader *upload.Uploader
	record   *watch.Record // nil: files are moved
	failed   int
}

// handle uploads files. The idempotency key of an upload is made of its bytes, and bytes that are there already are not uploaded again: so
// a file that was uploaded just before this program was killed is found, and put away.
func (h *watchHandler) handle(ctx context.Context, files []watch.Seen) error {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	var failed error
	h.uploader.Ended = func(i int, o upload.Outcome) {
		if err := h.putAway(files[i], o); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	_, err := h.uploader.Upload(ctx, upload.Files(paths))
	return errors.Join(err, failed)
}

// putAway moves a file that has been handled, or records it. What was not accepted stays for another try, as does what was written to
// meanwhile.
func (h *watchHandler) putAway(file watch.Seen, o upload.Outcome) error {
	if !o.Loaded() && !o.Refused() || !file.Unchanged() {
		return nil
	}
	if !o.Loaded() {
		h.failed++
	}
	if h.record != nil {
		return h.record.Add(file)
	}
	if o.Loaded() {
		_, err := watch.Move(file, watch.Done)
		return err
	}
	moved, err := watch.Move(file, watch.Failed)
	if err != nil || moved == "" {
		return err
	}
	h.console.Step("%s: moved to %s", terminal.Printable(o.Name), terminal.Printable(filepath.Dir(moved)))
	return os.WriteFile(moved+".error.txt", []byte(taskError(*o.Task)+"\n"), 0o644)
}
