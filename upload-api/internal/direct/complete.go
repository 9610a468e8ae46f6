package direct

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// noAgeLimit is for InsertUploads: the upload's row keeps its blob from being taken for an orphan, however old that is.
const noAgeLimit = 10 * life

// Complete commits the blocks in the store and then file, task and message in one transaction, with the end of the upload. However often
// and by how many it is called, it is the same file: the store makes one blob, and the upload's row is locked.
func (u *Uploads) Complete(ctx context.Context, owner string, id uuid.UUID) (postgres.FileAndTask, error) {
	found, err := u.Find(ctx, owner, id)
	if err != nil {
		return postgres.FileAndTask{}, err
	}
	etag := ""
	if found.Status == postgres.UploadOpen {
		if etag, err = u.commitBlocks(ctx, found); err != nil {
			return postgres.FileAndTask{}, err
		}
	}
	return u.commitFile(ctx, owner, id, etag)
}

// commitBlocks makes the blob of its blocks, unless there is one already, and returns the ETag of what is there then: other blocks may
// have come meanwhile, or somebody else may have made the blob.
func (u *Uploads) commitBlocks(ctx context.Context, up postgres.DirectUpload) (string, error) {
	staged, err := u.Staged(ctx, up)
	if err != nil {
		return "", err
	}
	incomplete := staged.fault()
	if incomplete == nil {
		ids := make([]string, Blocks(up))
		for number := range ids {
			ids[number] = blockID(int64(number))
		}
		if err := u.Blobs.CommitBlocks(ctx, up.BlobName, ids, noteOf(up)); err != nil && !errors.Is(err, azure.ErrBlobExists) {
			return "", unavailable(err)
		}
	}
	return u.recognize(ctx, up, incomplete)
}

// recognize returns the ETag of a blob of the promised size that this call or an earlier one has committed: it has the note that the
// client of the upload never gets to see. Without any blob the upload is incomplete, for that reason.
func (u *Uploads) recognize(ctx context.Context, up postgres.DirectUpload, incomplete error) (string, error) {
	blob, err := u.Blobs.Stat(ctx, up.BlobName)
	switch {
	case errors.Is(err, azure.ErrBlobNotFound) && incomplete != nil:
		return "", incomplete
	case err != nil:
		return "", unavailable(err)
	case blob.SizeBytes != up.SizeBytes || blob.Note != noteOf(up):
		return "", problem.New(problem.UploadAltered,
			"The blob was written in another way than block by block, or written again. Abort the upload, and begin again.")
	}
	return blob.ETag, nil
}

// Stored is what need not be sent again: what is staged, or all of it where an earlier call has committed the blocks and got no further.
func (u *Uploads) Stored(ctx context.Context, up postgres.DirectUpload) (stored []Range, bytes int64, err error) {
	staged, err := u.Staged(ctx, up)
	if err != nil || len(staged.Stored) > 0 {
		return staged.Stored, staged.Bytes, err
	}
	_, err = u.recognize(ctx, up, errNothingStored)
	if errors.Is(err, errNothingStored) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return []Range{{0, Blocks(up) - 1}}, up.SizeBytes, nil
}

var errNothingStored = errors.New("nothing is stored")

func noteOf(up postgres.DirectUpload) string {
	n := receive.NoteOf(postgres.Upload{File: up.File(""), TaskID: up.TaskID, Options: up.Options})
	n.Key = up.IdempotencyKey
	return n.Encode()
}

// commitFile ends the upload, unless it has ended, and returns its file.
func (u *Uploads) commitFile(ctx context.Context, owner string, id uuid.UUID, etag string) (file postgres.FileAndTask, err error) {
	message, completes := task.NewID(), false
	err = u.DB.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		locked, err := tx.LockDirectUpload(ctx, owner, id)
		if err != nil {
			return err
		}
		switch locked.Status {
		case postgres.UploadAbandoned:
			return gone()
		case postgres.UploadOpen:
			if err := u.insertFile(ctx, tx, locked, etag, message); err != nil {
				return err
			}
			completes = true
		case postgres.UploadCompleted:
		}
		file, err = fileOf(ctx, tx, id)
		return err
	})
	if err == nil && etag != "" {
		u.Nudge(message)
	}
	if err == nil && completes {
		u.Metrics.Uploaded(metrics.ToTheStore, 1, file.File.SizeBytes, 0)
	}
	return file, err
}

func (u *Uploads) insertFile(ctx context.Context, tx postgres.Tx, up postgres.DirectUpload, etag string, message uuid.UUID) error {
	if err := refuseDuplicate(ctx, tx, up); err != nil {
		return err
	}
	upload := postgres.Upload{File: up.File(etag), TaskID: up.TaskID, MessageID: message, Options: up.Options}
	inserted, err := tx.InsertUploads(ctx, []postgres.Upload{upload}, up.CreatedAt, noAgeLimit)
	if err == nil {
		err = tx.CompleteDirectUpload(ctx, up.ID)
	}
	if err == nil && len(inserted) == 1 { // else an operator has made the file again of its blob, after a restore of the database
		err = problem.OfQuota(tx.CountUsage(ctx, up.Owner, postgres.Usage{Tasks: 1}, u.Quota))
	}
	return err
}

func fileOf(ctx context.Context, tx postgres.Tx, id uuid.UUID) (postgres.FileAndTask, error) {
	files, err := tx.UploadsByID(ctx, []uuid.UUID{id})
	switch {
	case err != nil:
		return postgres.FileAndTask{}, err
	case len(files) == 0 || files[0].File.DeletedAt != nil:
		return postgres.FileAndTask{}, deleted()
	}
	return files[0], nil
}
