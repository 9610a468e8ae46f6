package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
)

// commit writes file, task and message of every upload in one transaction, then tells the relay. Where the idempotency key is taken, it
// gives what was written under it, if that is the same.
func (in *intake) commit(ctx context.Context) ([]FileAndTask, error) {
	var found []postgres.FileAndTask
	err := in.h.db.InTx(ctx, in.committed, func(ctx context.Context, tx postgres.Tx) (err error) {
		found, err = in.insert(ctx, tx)
		return err
	})
	if len(found) > 0 {
		in.discard(ctx, blobNames(found)) // those rows hold the place, so ours will never be there
	}
	if _, refused := errors.AsType[*Problem](err); refused && len(found) == 0 && !errors.Is(err, postgres.ErrAmbiguous) {
		in.discard(ctx, nil)
	}
	if err != nil {
		return nil, err // ours may be there yet, after an ambiguous commit: their blobs are left to the sweep
	}
	if found[0].File.ID == in.uploads[0].File.ID {
		in.nudge()
	}
	uploaded := make([]FileAndTask, len(found))
	for i, f := range found {
		uploaded[i] = showFileAndTask(f)
	}
	return uploaded, nil
}

// insert writes the rows, or finds those that hold their place: of a request with the same key, or of this very request, when the answer
// to its first COMMIT was lost.
func (in *intake) insert(ctx context.Context, tx postgres.Tx) ([]postgres.FileAndTask, error) {
	inserted, err := tx.InsertUploads(ctx, in.uploads, in.startedAt, in.h.uploadMaxAge)
	if err != nil {
		return nil, err
	}
	if inserted == len(in.uploads) {
		found, err := tx.UploadsByID(ctx, in.fileIDs())
		if err == nil {
			err = in.h.countUsage(ctx, tx, in.usage())
		}
		if err != nil {
			return nil, err
		}
		return found, nil
	}
	var found []postgres.FileAndTask
	if in.key != "" {
		found, err = tx.UploadsByKey(ctx, in.owner, in.key)
	} else {
		found, err = tx.UploadsByID(ctx, in.fileIDs())
	}
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, problem(UploadTooSlow, "The upload took longer than %s.", in.h.uploadMaxAge)
	case inserted > 0: // the key was used for fewer files
		found = slices.DeleteFunc(found, func(f postgres.FileAndTask) bool { return slices.Contains(in.fileIDs(), f.File.ID) })
		return found, keyReused()
	case anyDeleted(found): // which may have lost the task that it began with
		return found, problem(Gone, "What was uploaded with this idempotency key has been deleted.")
	case !in.sameAs(found):
		return found, keyReused()
	}
	return found, nil
}

func keyReused() *Problem {
	return problem(KeyReused, "The idempotency key was used for another upload: other names, contents or options.")
}

// committed is the look-up after an ambiguous COMMIT.
func (in *intake) committed(ctx context.Context) (bool, error) {
	found, err := in.h.db.UploadsByID(ctx, in.fileIDs())
	return len(found) == len(in.uploads), err
}

func (in *intake) sameAs(found []postgres.FileAndTask) bool {
	if len(found) != len(in.uploads) {
		return false
	}
	for i, f := range found {
		own := in.uploads[i]
		if f.File.Name != own.File.Name || f.File.SHA256 != own.File.SHA256 || !sameJSON(f.Task.Options, own.Options) {
			return false
		}
	}
	return true
}

// sameJSON compares meanings: the database gives JSON back in its own order and spacing.
func sameJSON(a, b json.RawMessage) bool {
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

func (in *intake) nudge() {
	ids := make([]uuid.UUID, len(in.uploads))
	for i, u := range in.uploads {
		ids[i] = u.MessageID
	}
	in.h.nudge(ids...)
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
