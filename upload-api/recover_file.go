package upload

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// RecoverFile names a lost blob.
type RecoverFile struct {
	Blob           string `json:"blob" maxLength:"1024" doc:"As the list of lost blobs has it."`
	DefaultOptions bool   `json:"default_options,omitempty" doc:"Parse it without options, if its own were too long to be kept."`
}

type recoveredOutput struct{ Body FileAndTask }

// recoverFile writes the rows that the upload of a lost blob had written, with the ids that it was answered with. The file's id is in the
// blob's name, so no blob becomes a file twice, however often and by how many it is asked for.
func (r *recoveries) recoverFile(ctx context.Context, in *struct{ Body RecoverFile }) (*recoveredOutput, error) {
	id, ok := receive.FileIDOf(in.Body.Blob)
	if !ok {
		return nil, lostNotFound()
	}
	if found, err := r.recovered(ctx, id); err != nil || found != nil {
		return found, err
	}
	upload, err := r.readLost(ctx, id, in.Body)
	if err != nil {
		return nil, err
	}
	_, err = r.actOn(ctx, task.NewID(), actRecoverFile, id, func(ctx context.Context, tx postgres.Tx) error {
		return insertLost(ctx, tx,
			upload)
	})
	if err != nil && !errors.Is(err, errRecovered) {
		return nil, err
	}
	r.nudge(upload.MessageID)
	found, err := r.recovered(ctx, id)
	if err == nil && found == nil {
		err = postgres.ErrNotFound // deleted and forgotten in this moment
	}
	return found, err
}

const noAgeLimit = 100 * 365 * day // the sweep does not run meanwhile

// errRecovered undoes the record of an action that had nothing left to do.
var errRecovered = errors.New("recovered already")

func insertLost(ctx context.Context, tx postgres.Tx, upload postgres.Upload) error {
	recovery, err := tx.LockRecovery(ctx)
	if err != nil {
		return err
	}
	if recovery == nil { // the sweep may be about to delete the blob
		return noRecovery()
	}
	inserted, err := tx.InsertUploads(ctx, []postgres.Upload{upload}, recovery.NoticedAt, noAgeLimit)
	if err != nil || inserted == 1 {
		return err
	}
	found, err := tx.UploadsByID(ctx, []uuid.UUID{upload.File.ID})
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		return errRecovered
	default:
		return problem.New(problem.UploadedAgain, "Its owner has uploaded it again: another file has its idempotency key.")
	}
}

// recovered returns the file if it is there, nil if not.
func (r *recoveries) recovered(ctx context.Context, id uuid.UUID) (*recoveredOutput, error) {
	found, err := r.db.UploadsByID(ctx, []uuid.UUID{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &recoveredOutput{showFileAndTask(found[0])}, nil
}

// readLost makes a lost blob's upload again of its note and its bytes.
func (r *recoveries) readLost(ctx context.Context, id uuid.UUID, in RecoverFile) (u postgres.Upload, err error) {
	recovery, err := r.recovery(ctx)
	if err != nil {
		return u, err
	}
	listed, _, err := r.blobs.ListNotes(ctx, in.Blob, "", 1)
	if err != nil {
		return u, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	if len(listed) == 0 || listed[0].Name != in.Blob || !mayBeLost(listed[0], recovery) {
		return u, lostNotFound()
	}
	n, known := receive.DecodeNote(listed[0].Note)
	if !known {
		return u, problem.New(problem.NotRecoverable, "The blob does not tell whose it is.")
	}
	if n.Options == nil {
		if !in.DefaultOptions {
			return u, problem.New(problem.NotRecoverable,
				"Its parse options were too long to be kept with the blob. Ask for the default ones if they will do.")
		}
		n.Options = json.RawMessage(`{}`)
	}
	u = postgres.Upload{TaskID: n.TaskID, MessageID: task.NewID(), Options: n.Options, File: task.SourceFile{
		ID: id, Owner: n.Owner, Name: n.Name, MediaType: n.MediaType, BlobName: in.Blob, IdempotencyKey: n.Key, PartNo: n.PartNo,
	}}
	u.File.SizeBytes, u.File.SHA256, err = r.measure(ctx, in.Blob)
	return u, err
}

// measure reads a blob for its size and its hash.
func (r *recoveries) measure(ctx context.Context, blob string) (size int64, sum [32]byte, err error) {
	content, _, err := r.blobs.Download(ctx, blob, "")
	if errors.Is(err, azure.ErrBlobNotFound) {
		return 0, sum, lostNotFound()
	}
	if err != nil {
		return 0, sum, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	defer content.Close()
	hash := sha256.New()
	if size, err = io.Copy(hash, content); err != nil {
		return 0, sum, problem.New(problem.StorageUnavailable,
			"The blob could not be read to its end. Please try again.").Because(fmt.Errorf("read %s: %w", blob, err))
	}
	return size, [32]byte(hash.Sum(nil)), nil
}

func lostNotFound() *problem.Problem {
	return problem.New(problem.NotFound, "There is no such blob that the restore may have lost.")
}
