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
	found, err := in.write(ctx)
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

// write returns what commit does. A single upload with nothing to check is written by a statement alone.
func (in *intake) write(ctx context.Context) (found []postgres.FileAndTask, err error) {
	checks := in.checks(ctx)
	transaction := func(ctx context.Context, tx postgres.Tx) (err error) {
		found, err = in.writeIn(ctx, tx, checks)
		return err
	}
	if len(in.uploads) > 1 || len(checks) > 0 {
		err = in.r.DB.InTx(ctx, in.committed, transaction)
		return found, err
	}
	err = in.r.DB.InStatement(ctx, func(ctx context.Context, s postgres.Statement) (done bool, err error) {
		found, err = s.InsertUpload(ctx, in.uploads[0], in.startedAt, in.r.MaxAge)
		return len(found) == 1, err
	}, in.committed, transaction)
	return found, err
}

func (in *intake) writeIn(ctx context.Context, tx postgres.Tx, checks []check) ([]postgres.FileAndTask, error) {
	if err := in.lockContents(ctx, tx); err != nil {
		return nil, err
	}
	inserted, err := tx.InsertUploads(ctx, in.uploads, in.startedAt, in.r.MaxAge)
	if err != nil {
		return nil, err
	}
	if len(inserted) < len(in.uploads) {
		return in.find(ctx, tx, len(inserted))
	}
	for _, passes := range checks {
		if err := passes(ctx, tx); err != nil {
			return nil, err
		}
	}
	return inserted, nil
}

// check refuses uploads that have just been written.
type check func(ctx context.Context, tx postgres.Tx) error

// checks returns what the uploads have to pass: that they are no duplicates if these are refused, and that they are within what their owner
// may have, against which they are counted last. They are for new uploads alone: repeating a request is no duplicate and uses no quota.
func (in *intake) checks(ctx context.Context) (checks []check) {
	if given, err := correcting(in.options); given != nil || err != nil {
		checks = append(checks, func(ctx context.Context, tx postgres.Tx) error { return NeedCorrected(ctx, tx, in.owner, in.options) })
	}
	if in.refuseDuplicates {
		checks = append(checks, in.checkDuplicates)
	}
	if embed.Of(ctx) != nil {
		checks = append(checks, func(ctx context.Context, tx postgres.Tx) error {
			return embed.Use(ctx, tx, in.made(), in.usage().Bytes)
		})
	}
	if in.r.Quota != (postgres.Quota{}) {
		checks = append(checks, func(ctx context.Context, tx postgres.Tx) error {
			return problem.OfQuota(tx.CountUsage(ctx, in.owner, in.usage(), in.r.Quota))
		})
	}
	return checks
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
