package upload

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// sending is the way of one file to the server, in one or several tries.
type sending struct {
	*Uploader
	file    server.File
	content io.ReadCloser
	limits  server.Limits
	nth     string // as delivery has it
	keyed   bool   // the idempotency key is made of the content
}

// run sends the file, and once more where it turns out that something has to be said in another way.
func (s *sending) run(ctx context.Context) (task client.Task, err error) {
	if err := s.makeKey(); err != nil {
		return task, err
	}
	for {
		task, err = s.try(ctx)
		if err == nil || !s.change(ctx, err) || !s.rewind() {
			return task, err
		}
	}
}

// change changes what is said about the file so that it may be taken, each thing once; false if there is nothing to change.
func (s *sending) change(ctx context.Context, err error) bool {
	switch {
	case s.file.RefuseDuplicates && server.HasCode(err, client.ProblemCodeUnknownOption): // an older server does not know duplicates
		s.file.RefuseDuplicates = false
	case s.keyed && server.HasCode(err, client.ProblemCodeGone): // what the same command has uploaded before was deleted
		s.file.Key, s.keyed = rand.Text(), false
	case s.confirm(ctx, sameAs(err)):
		s.file.Key, s.file.RefuseDuplicates = rand.Text(), false
	default:
		return false
	}
	return true
}

// try uploads the file: a large one straight to the blob store where the server takes that.
func (s *sending) try(ctx context.Context) (client.Task, error) {
	onDisk, isOnDisk := s.content.(*os.File)
	if isOnDisk && s.file.Size >= directFrom && s.file.Size <= s.limits.Direct {
		s.large.Lock()
		task, err := s.sendDirect(ctx, s.file, onDisk)
		s.large.Unlock()
		if !errors.Is(err, errNoDirect) {
			return task, err
		}
	}
	return s.sendAtOnce(ctx)
}

// sendAtOnce uploads a file in one request.
func (s *sending) sendAtOnce(ctx context.Context) (client.Task, error) {
	if s.limits.Request > 0 && s.file.Size > s.limits.Request {
		most := max(s.limits.Request, s.limits.Direct)
		return client.Task{}, words.Errorf("it has %d bytes, and the service takes %d at most", s.file.Size, most)
	}
	bar := s.console.Bar(s.file.Size, words.Sprintf("%suploading %s", s.nth, terminal.Printable(s.file.Name)))
	defer bar.Close()
	body := struct{ io.Reader }{s.content} // which the HTTP client does not close: it may have to be sent once more
	accepted, replayed, err := s.server.Upload(ctx, s.file, bar.Reader(body))
	if err == nil && replayed {
		err = alreadyThere{client.SameFile{
			ID: accepted.File.ID, Name: accepted.File.Name, CreatedAt: accepted.File.CreatedAt,
			TaskID: accepted.Task.ID, TaskStatus: client.SameFileTaskStatus(accepted.Task.Status),
		}}
	}
	return accepted.Task, err
}

// alreadyThere is the error of a file that an earlier run of the same command has uploaded.
type alreadyThere struct{ same client.SameFile }

func (alreadyThere) Error() string { return "it was uploaded before" }

// sameAs returns the file that has the bytes already, if that is the error; else nil.
func sameAs(err error) *client.SameFile {
	if there, ok := errors.AsType[alreadyThere](err); ok {
		return &there.same
	}
	return server.DuplicateOf(err)
}

// makeKey makes the idempotency key of the name, the options, where the rows go, and the bytes, so that who repeats a command whose answer
// was lost does not upload twice. What can be read only once has a random key; so has what is to be uploaded again.
func (s *sending) makeKey() (err error) {
	content, seekable := s.content.(io.ReadSeeker)
	if s.Again || !seekable || !s.rewind() || s.file.Size >= directFrom { // a direct upload keeps its key
		s.file.Key = rand.Text()
		return nil
	}
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode([]any{s.file.Name, s.file.Options, s.server.Corrects, s.server.Into}); err != nil {
		return err
	}
	if _, err = io.Copy(sum, content); err == nil {
		s.file.Key, s.keyed = hex.EncodeToString(sum.Sum(nil)), true
		s.rewind()
	}
	return err
}

// rewind goes back to the content's beginning; false if that cannot be done.
func (s *sending) rewind() bool {
	seeker, ok := s.content.(io.Seeker)
	if !ok {
		return false
	}
	_, err := seeker.Seek(0, io.SeekStart)
	return err == nil
}
