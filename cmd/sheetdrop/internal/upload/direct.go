package upload

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/client/blocks"
)

// stallTimeout is how long the store may take no byte of a block before that is sent again.
const stallTimeout = time.Minute

// errNoDirect says that the server has no direct uploads: it is an older one.
var errNoDirect = words.New("the server takes no direct uploads")

// errChanged says that the file has been written while it was sent.
var errChanged = words.New("it was changed while it was uploaded")

// direct is the upload of one file straight to the blob store.
type direct struct {
	*Uploader
	request server.File
	shown   string // the file's name for people
	file    *os.File
	size    int64
	version string // of the file when it was opened, as fingerprint returns it
	kept    stateFile

	state       state
	begun       client.BegunUpload
	storedBytes int64 // as far as is known
}

// sendDirect uploads a file straight to the blob store, or the rest of it, and returns its task. Once the upload has begun an error says
// how to go on with it. It is errNoDirect before anything was done. The hash of the whole is promised, for which the file is read once more
// at the beginning: so nothing is sent that is there already.
func (u *Uploader) sendDirect(ctx context.Context, request server.File, file *os.File) (task client.Task, err error) {
	d := &direct{Uploader: u, request: request, shown: terminal.Printable(request.Name), file: file, size: request.Size}
	if d.version, err = fingerprint(file, d.size); err != nil {
		return task, err
	}
	if d.kept, err = openState(u.server.URL+u.server.Corrects, file.Name()); err != nil {
		d.keepNothing(err)
	}
	if task, err = d.run(ctx); err != nil {
		return task, d.afterError(ctx, err)
	}
	d.kept.remove()
	return task, nil
}

func (d *direct) run(ctx context.Context) (task client.Task, err error) {
	if err := d.begin(ctx); err != nil {
		return task, err
	}
	if d.begun.Status == client.BegunUploadStatusOPEN {
		if err := d.sendMissing(ctx); err != nil {
			return task, err
		}
	}
	return d.server.CompleteUpload(ctx, d.begun.ID)
}

// begin begins the upload, or finds the one that was broken off.
func (d *direct) begin(ctx context.Context) (err error) {
	if err := d.resume(ctx); err != nil {
		return err
	}
	d.keep()
	d.begun, err = d.server.BeginUpload(ctx, d.promise())
	earlier := d.state.Upload
	if earlier != uuid.Nil && server.HasCode(err, client.ProblemCodeGone, client.ProblemCodeIdempotencyKeyReused) {
		d.state = newState(d.version, d.state.SHA256, d.request.Options)
		d.keep()
		d.begun, err = d.server.BeginUpload(ctx, d.promise())
	}
	if err != nil {
		return err
	}
	if earlier != uuid.Nil && earlier != d.begun.ID {
		d.console.Step("%s: what was stored of it is gone, as it is after a day; the upload starts anew", d.shown)
	}
	d.state.Upload = d.begun.ID
	d.keep()
	return nil
}

// promise returns the request that begins the upload.
func (d *direct) promise() server.File {
	promised := d.request
	promised.Key, promised.SHA256 = d.state.Key, d.state.SHA256
	promised.RefuseDuplicates = promised.RefuseDuplicates && promised.SHA256 != ""
	return promised
}

// keep keeps the state for a later run.
func (d *direct) keep() {
	if err := d.kept.write(d.state); err != nil {
		d.keepNothing(err)
	}
}

func (d *direct) keepNothing(reason error) {
	d.console.Step("%s: if the upload is broken off, it will have to start anew: %v", d.shown, reason)
	d.kept = stateFile{}
}

// resume finds the state of the upload to go on with, or makes that of a new one.
func (d *direct) resume(ctx context.Context) (err error) {
	earlier, found := d.kept.read()
	switch {
	case !d.Resume:
	case !found:
		d.console.Step("%s: no upload of it to %s was broken off here; it starts anew", d.shown, d.server.URL)
	case earlier.File != d.version:
		d.console.Step("%s: it has changed since its upload was broken off; the upload starts anew", d.shown)
		_ = d.server.AbortUpload(ctx, earlier.Upload) // or it ends by itself
	default:
		d.state = earlier
		d.request.Options = cmp.Or(d.request.Options, earlier.Options)
		return nil
	}
	hash, err := d.hash()
	d.state = newState(d.version, hash, d.request.Options)
	return err
}

// hash reads the whole file and returns the SHA-256 of its bytes, in hexadecimal.
func (d *direct) hash() (string, error) {
	bar := d.console.Bar(d.size, words.Sprintf("checking %s", d.shown))
	defer bar.Close()
	sum := sha256.New()
	_, err := io.Copy(sum, bar.Reader(io.NewSectionReader(d.file, 0, d.size)))
	return hex.EncodeToString(sum.Sum(nil)), err
}

// sendMissing sends what the store does not have: nothing where another run that went on with the upload has completed it.
func (d *direct) sendMissing(ctx context.Context) error {
	stored, open, err := d.findStored(ctx)
	if err != nil || !open {
		return err
	}
	before := d.storedBytes
	bar := d.console.Bar(max(1, d.size-before), words.Sprintf("uploading %s", d.shown))
	defer bar.Close()
	missing := &blocks.Upload{
		Content: d.file, Size: d.size, BlockSize: d.begun.BlockBytes, Stored: stored, Address: d.addresses(),
		GiveUpAfter: d.server.RetryFor, StallTimeout: stallTimeout,
		Progress: func(bytes int64) {
			d.storedBytes = bytes
			bar.Set(bytes - before)
		},
		Waiting: func(reason error) {
			d.console.Step("%s: %s; trying again for %s", d.shown, terminal.Printable(reason.Error()), d.server.RetryFor)
		},
	}
	err = missing.Send(ctx)
	if server.HasCode(err, client.ProblemCodeUploadCompleted) {
		return nil
	}
	if err != nil {
		return err
	}
	return d.checkUnchanged()
}

// checkUnchanged returns errChanged if what has been sent may be a mixture of two versions.
func (d *direct) checkUnchanged() error {
	version, err := fingerprint(d.file, d.size)
	if err == nil && version != d.version {
		err = errChanged
	}
	return err
}

// findStored returns which blocks an earlier run has stored, and whether the upload is still open.
func (d *direct) findStored(ctx context.Context) (stored []blocks.Range, open bool, err error) {
	if !d.Resume {
		return nil, true, nil
	}
	found, err := d.server.FindUpload(ctx, d.begun.ID)
	for _, r := range found.Stored {
		stored = append(stored, blocks.Range(r))
	}
	if d.storedBytes = found.StoredBytes; d.storedBytes > 0 {
		d.console.Step("%s: %d %% is stored already", d.shown, d.storedPercent())
	}
	return stored, found.Status == client.StoredUploadStatusOPEN, err
}

// addresses returns the function that returns the address with which the upload began, and then others.
func (d *direct) addresses() func(context.Context) (blocks.Address, error) {
	first := d.begun.Address
	return func(ctx context.Context) (blocks.Address, error) {
		if a := first; a != nil {
			first = nil
			return blocks.Address{URL: a.URL, Life: time.Until(a.ExpiresAt)}, nil
		}
		a, err := d.server.RenewAddress(ctx, d.begun.ID)
		return blocks.Address{URL: a.URL, Life: time.Until(a.ExpiresAt)}, err
	}
}

func (d *direct) storedPercent() int64 { return d.storedBytes * 100 / d.size }

// afterError says how to go on where that is possible, and otherwise forgets the upload.
func (d *direct) afterError(ctx context.Context, err error) error {
	over := errors.Is(err, errChanged) ||
		server.HasCode(err, client.ProblemCodeGone, client.ProblemCodeUploadAltered, client.ProblemCodeTooManyBytes)
	switch {
	case d.state.Upload == uuid.Nil:
		d.kept.remove()
		if isNotFound(err) {
			return errNoDirect
		}
		return err
	case server.DuplicateOf(err) != nil:
		d.kept.remove()
		_ = d.server.AbortUpload(ctx, d.state.Upload) // or it ends by itself
		return err
	case over:
		d.kept.remove()
		_ = d.server.AbortUpload(ctx, d.state.Upload) // or it ends by itself
		return words.Errorf("%w; upload it again", err)
	case d.kept == stateFile{}:
		return err
	}
	d.console.Step("%s: broken off; %s. To go on:\n  %s %s", d.shown, d.whatIsKept(), d.ResumeCommand, terminal.ShellQuoted(d.file.Name()))
	return err
}

func (d *direct) whatIsKept() string {
	if d.begun.ID == uuid.Nil {
		return words.In("what is stored of it is kept for a day")
	}
	return words.Sprintf("%d %% is stored, and kept until %s", d.storedPercent(), d.begun.ExpiresAt.Local().Format(time.DateTime))
}

// isNotFound reports whether the server does not know the operation.
func isNotFound(err error) bool {
	other, ok := errors.AsType[*client.UnexpectedAnswer](err)
	return ok && other.StatusCode == http.StatusNotFound || server.HasCode(err, client.ProblemCodeNotFound)
}
