// Package direct takes uploads whose bytes the client writes to the blob store itself, block by block, under an address that can write one
// blob: so no byte of a large file goes through the Functions host. An upload is begun, completed or aborted here. Completing it commits
// the blocks in the store first, and then writes file, task and message in the transaction that ends the upload.
package direct

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/uploadtoken"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

const (
	life     = 24 * time.Hour   // of an upload that is not completed
	writable = 15 * time.Minute // how long an address is good for
)

// Settings limit direct uploads.
type Settings struct {
	MaxBytes int64 `env:"LIMIT_DIRECT_UPLOAD_BYTES" envDefault:"8589934592"` // of one file; 0 turns direct uploads off
	MaxOpen  int64 `env:"LIMIT_OPEN_UPLOADS" envDefault:"100"`               // of one owner that can still be completed or written
}

// Check refuses what no limit can be.
func (s Settings) Check() error {
	if s.MaxBytes < 0 || s.MaxBytes > mostBytes {
		return fmt.Errorf("LIMIT_DIRECT_UPLOAD_BYTES is %d; it must be 0 to %d", s.MaxBytes, int64(mostBytes))
	}
	if s.MaxBytes > 0 && s.MaxOpen < 1 {
		return fmt.Errorf("LIMIT_OPEN_UPLOADS is %d; it must be 1 or more", s.MaxOpen)
	}
	return nil
}

// Uploads takes direct uploads. It is safe for concurrent use.
type Uploads struct {
	DB       *postgres.DB
	Blobs    *azure.Blobs
	Nudge    func(messageIDs ...uuid.UUID) // called with the message that has just been committed; must not block
	Log      *slog.Logger
	Quota    postgres.Quota // of each owner
	Settings Settings
	Metrics  *metrics.Recorder // may be nil
}

// Request is what an upload promises.
type Request struct {
	Name      string
	MediaType string
	SizeBytes int64
	SHA256    [32]byte // zero: not promised
	Options   json.RawMessage
	Key       string // the idempotency key, or ""

	RefuseDuplicates bool // needs SHA256
}

// Address is where blocks can be written.
type Address struct {
	URL       string
	ExpiresAt time.Time
}

// Begun is an upload with an address, and the file that has the bytes which it promises.
type Begun struct {
	postgres.DirectUpload
	Address *Address       // nil if it is completed
	SameAs  *task.SameFile // nil if there is none
}

// Begin makes an upload, or finds the one that the same request has made under the same idempotency key, and returns it with an address;
// with none where it is completed already. What it promises counts for its owner's day from now on, whatever becomes of it.
func (u *Uploads) Begin(ctx context.Context, owner string, r Request) (begun Begun, err error) {
	wanted, err := u.wanted(owner, r)
	if err != nil {
		return begun, err
	}
	err = u.DB.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		var isNew bool
		begun.DirectUpload, isNew, err = tx.InsertDirectUpload(ctx, wanted, life, writable, u.Settings.MaxOpen)
		if err == nil {
			begun.SameAs, err = findSame(ctx, tx, begun.DirectUpload, isNew && r.RefuseDuplicates)
		}
		if err == nil && isNew {
			err = receive.NeedCorrected(ctx, tx, owner, wanted.Options)
		}
		if err == nil && isNew {
			err = embed.Use(ctx, tx, []uploadtoken.Made{{FileID: begun.ID, TaskID: begun.TaskID}}, r.SizeBytes)
		}
		if err == nil && isNew {
			err = tx.CountUsage(ctx, owner, postgres.Usage{Files: 1, Bytes: r.SizeBytes}, u.Quota)
		}
		return problem.OfQuota(err)
	})
	switch {
	case err != nil:
		return begun, err
	case !samePromise(begun.DirectUpload, wanted):
		return begun, receive.KeyReused()
	}
	begun.DirectUpload, begun.Address, err = u.findAddress(ctx, owner, begun.ID)
	return begun, err
}

func (u *Uploads) wanted(owner string, r Request) (w postgres.DirectUpload, err error) {
	name, err := receive.CheckName(r.Name)
	switch {
	case err != nil:
		return w, err
	case u.Settings.MaxBytes == 0:
		return w, problem.New(problem.TooLarge, "Uploads to the blob store are turned off here.")
	case r.SizeBytes < 1:
		return w, problem.New(problem.EmptyFile, "The file is empty.")
	case r.SizeBytes > u.Settings.MaxBytes:
		return w, problem.New(problem.TooLarge, "The file is larger than %s.", problem.Size(u.Settings.MaxBytes))
	}
	if r.RefuseDuplicates && r.SHA256 == [32]byte{} {
		return w, problem.Option(problem.InvalidOption, receive.DuplicatesOption, "To refuse duplicates the upload must promise its sha256.")
	}
	id := task.NewID()
	return postgres.DirectUpload{
		ID: id, TaskID: task.NewID(), Owner: owner, Name: name, MediaType: r.MediaType, SizeBytes: r.SizeBytes,
		BlockBytes: blockBytes(r.SizeBytes), Options: r.Options, SHA256: r.SHA256, IdempotencyKey: r.Key, BlobName: receive.DirectName(owner, id),
		RefuseDuplicates: r.RefuseDuplicates,
	}, nil
}

func samePromise(a, b postgres.DirectUpload) bool {
	return a.Name == b.Name && a.MediaType == b.MediaType && a.SizeBytes == b.SizeBytes && a.SHA256 == b.SHA256 &&
		receive.SameJSON(a.Options, b.Options)
}

// Address returns where the blocks of an open upload can be written for a while: the same address again while most of its time is left.
func (u *Uploads) Address(ctx context.Context, owner string, id uuid.UUID) (*Address, error) {
	_, address, err := u.findAddress(ctx, owner, id)
	if err == nil && address == nil {
		err = completed()
	}
	return address, err
}

// findAddress returns an upload with such an address, with none if it is completed.
func (u *Uploads) findAddress(ctx context.Context, owner string, id uuid.UUID) (found postgres.DirectUpload, address *Address, err error) {
	for {
		if found, err = u.Find(ctx, owner, id); err != nil || found.Status == postgres.UploadCompleted {
			return found, nil, err
		}
		if err := u.needRoom(ctx, found); err != nil {
			return found, nil, err
		}
		extended, err := u.DB.ExtendDirectUpload(ctx, owner, id, writable)
		if errors.Is(err, postgres.ErrNotFound) { // it has ended meanwhile
			continue
		}
		if err != nil {
			return found, nil, err
		}
		url, err := u.Blobs.WriteAddress(ctx, extended.BlobName, extended.WritableUntil)
		if err != nil {
			return found, nil, unavailable(err)
		}
		return extended, &Address{url, extended.WritableUntil}, nil
	}
}

// needRoom gives no further address to who has stored more than was promised: the store itself has no limit.
func (u *Uploads) needRoom(ctx context.Context, up postgres.DirectUpload) error {
	staged, err := u.Blobs.StagedBlocks(ctx, up.BlobName)
	if err != nil {
		return unavailable(err)
	}
	var bytes int64
	for _, size := range staged {
		bytes += size
	}
	if bytes > up.SizeBytes {
		return problem.New(problem.TooManyBytes, "%d bytes are stored, and %d were promised. Abort the upload, and begin again.", bytes, up.SizeBytes)
	}
	return nil
}

// Find returns an upload of the owner's that is open, or completed and its file still there.
func (u *Uploads) Find(ctx context.Context, owner string, id uuid.UUID) (postgres.DirectUpload, error) {
	found, err := u.DB.DirectUpload(ctx, owner, id)
	if err == nil {
		err = u.needPresent(ctx, found)
	}
	return found, err
}

func (u *Uploads) needPresent(ctx context.Context, up postgres.DirectUpload) error {
	switch up.Status {
	case postgres.UploadAbandoned:
		return gone()
	case postgres.UploadCompleted:
		if _, err := u.DB.File(ctx, up.Owner, up.ID); !errors.Is(err, postgres.ErrNotFound) {
			return err
		}
		return deleted()
	case postgres.UploadOpen:
	}
	return nil
}

// Abort abandons an upload: maintenance deletes its blob once its last address has expired.
func (u *Uploads) Abort(ctx context.Context, owner string, id uuid.UUID) error {
	return u.DB.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		status, err := tx.AbandonDirectUpload(ctx, owner, id)
		if err == nil && status == postgres.UploadCompleted {
			err = completed()
		}
		return err
	})
}

func gone() *problem.Problem {
	return problem.New(problem.Gone, "The upload was aborted, or was not completed within %s.", life)
}

func deleted() *problem.Problem {
	return problem.New(problem.Gone, "The file of the upload has been deleted.")
}

func completed() *problem.Problem {
	return problem.New(problem.UploadCompleted, "The upload is completed. To undo it, delete its file.")
}

func unavailable(err error) *problem.Problem {
	return problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
}
