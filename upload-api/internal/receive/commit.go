package receive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/uploadtoken"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

// commit writes file, task and outbox message of every upload in one transaction, then nudges the relay. If the
// idempotency key is already used, it returns what was written under it, provided that is the same upload.
func (in *intake) commit(ctx context.Context) ([]postgres.FileAndTask, error) {
	var found []postgres.FileAndTask
	err := in.r.DB.InTx(ctx, in.committed, func(ctx context.Context, tx postgres.Tx) error {
		found = nil
		if err := in.lockContents(ctx, tx); err != nil {
			return err
		}
		inserted, err := tx.InsertUploads(ctx, in.uploads, in.startedAt, in.r.MaxAge)
		switch {
		case err != nil:
			return err
		case len(inserted) == len(in.uploads):
			if err = in.accept(ctx, tx); err == nil {
				found = inserted
			}
		default:
			found, err = in.find(ctx, tx, len(inserted))
		}
		return err
	})
	if len(found) > 0 {
		in.discard(ctx, blobNames(found)) // these rows hold the key, so ours will never be committed
	}
	if _, refused := errors.AsType[*problem.Problem](err); refused && len(found) == 0 && !errors.Is(err, postgres.ErrAmbiguous) {
		in.discard(ctx, nil)
	}
	if err != nil {
		return nil, err // ours may still be committed, after an ambiguous COMMIT: their blobs are left to the deletion of orphan blobs
	}
	if found[0].File.ID == in.uploads[0].File.ID {
		in.nudge()
	}
	return found, nil
}

// accept checks that the uploads just written are no duplicates if these are refused, and counts them against their owner's quota. It
// comes last in the transaction, and only for new uploads: repeating a request is no duplicate and uses no quota.
func (in *intake) accept(ctx context.Context, tx postgres.Tx) error {
	err := NeedCorrected(ctx, tx, in.owner, in.options)
	if err == nil {
		err = in.checkDuplicates(ctx, tx)
	}
	if err == nil {
		err = embed.Use(ctx, tx, in.made(), in.usage().Bytes)
	}
	if err == nil {
		err = problem.OfQuota(tx.CountUsage(ctx, in.owner, in.usage(), in.r.Quota))
	}
	return err
}

// find returns the rows that already hold this upload's place: those of a request with the same key, or of this very
// request if the answer to its first COMMIT was lost. If it also returns an error, the rows belong to another request,
// and the blobs of this one can be deleted.
func (in *intake) find(ctx context.Context, tx postgres.Tx, inserted int) (found []postgres.FileAndTask, err error) {
	if in.key != "" {
		found, err = tx.UploadsByKey(ctx, in.owner, in.key)
	} else {
		found, err = tx.UploadsByID(ctx, in.fileIDs())
	}
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, problem.New(problem.UploadTooSlow, "The upload took longer than %s.", in.r.MaxAge)
	case inserted > 0: // the key was used for fewer files
		found = slices.DeleteFunc(found, func(f postgres.FileAndTask) bool { return slices.Contains(in.fileIDs(), f.File.ID) })
		return found, KeyReused()
	case anyDeleted(found): // they may have lost the task they began with
		return found, problem.New(problem.Gone, "What was uploaded with this idempotency key has been deleted.")
	case !in.sameAs(found):
		return found, KeyReused()
	}
	return found, nil
}

// KeyReused refuses a request whose idempotency key stands for another one.
func KeyReused() *problem.Problem {
	return problem.New(problem.KeyReused, "The idempotency key was already used for an upload with other names, contents or options.")
}

// committed looks up whether an ambiguous COMMIT took effect.
func (in *intake) committed(ctx context.Context) (bool, error) {
	found, err := in.r.DB.UploadsByID(ctx, in.fileIDs())
	return len(found) == len(in.uploads), err
}

func (in *intake) sameAs(found []postgres.FileAndTask) bool {
	if len(found) != len(in.uploads) {
		return false
	}
	for i, f := range found {
		own := in.uploads[i]
		if f.File.Name != own.File.Name || f.File.SHA256 != own.File.SHA256 || !SameJSON(f.Task.Options, own.Options) {
			return false
		}
	}
	return true
}

// SameJSON compares by meaning: the database returns JSON with its own order and spacing.
func SameJSON(a, b json.RawMessage) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func (in *intake) usage() postgres.Usage {
	n := int64(len(in.uploads))
	used := postgres.Usage{Files: n, Tasks: n}
	for _, u := range in.uploads {
		used.Bytes += u.File.SizeBytes
	}
	return used
}

func (in *intake) made() []uploadtoken.Made {
	list := make([]uploadtoken.Made, len(in.uploads))
	for i, u := range in.uploads {
		list[i] = uploadtoken.Made{FileID: u.File.ID, TaskID: u.TaskID}
	}
	return list
}

func (in *intake) nudge() {
	ids := make([]uuid.UUID, len(in.uploads))
	for i, u := range in.uploads {
		ids[i] = u.MessageID
	}
	in.r.Nudge(ids...)
}

func (in *intake) fileIDs() []uuid.UUID {
	ids := make([]uuid.UUID, len(in.uploads))
	for i, u := range in.uploads {
		ids[i] = u.File.ID
	}
	return ids
}

func blobNames(found []postgres.FileAndTask) []string {
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.File.BlobName
	}
	return names
}

func anyDeleted(found []postgres.FileAndTask) bool {
	for _, f := range found {
		if f.File.DeletedAt != nil {
			return true
		}
	}
	return false
}
