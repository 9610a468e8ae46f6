package operate

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
	"sheetdrop/upload-api/internal/response"
)

// RecoverFile identifies a lost blob.
type RecoverFile struct {
	Blob           string `json:"blob" maxLength:"1024" doc:"The blob's name, from the list of lost blobs."`
	DefaultOptions bool   `json:"default_options,omitempty" doc:"Parse the file with the default options if its own were too long to be stored."`
}

type recoveredOutput struct{ Body response.FileAndTask }

// recoverFile writes the rows that the upload of a lost blob had written, with the ids of its response. The file's id
// is in the blob's name, so no blob becomes two files, however often and by however many callers it is requested.
func (r *recoveries) recoverFile(ctx context.Context, in *struct{ Body RecoverFile }) (*recoveredOutput, error) {
	id, ok := receive.FileIDOf(in.Body.Blob)
	if !ok {
		return nil, lostNotFound()
	}
	if found, err := r.recovered(ctx, id); err != nil || found != nil {
		return found, err
	}
	lost, err := r.readLost(ctx, id, in.Body)
	if err != nil {
		return nil, err
	}
	_, err = r.ActOn(ctx, task.NewID(), actRecoverFile, id, lost.insert)
	if err != nil && !errors.Is(err, errRecovered) {
		return nil, err
	}
	r.Nudge(lost.upload.MessageID)
	found, err := r.recovered(ctx, id)
	if err == nil && found == nil {
		err = postgres.ErrNotFound // deleted and forgotten meanwhile
	}
	return found, err
}

const noAgeLimit = 100 * 365 * day // orphan blobs are not deleted meanwhile

// errRecovered rolls back the record of an action that had nothing left to do.
var errRecovered = errors.New("recovered already")

// lostFile is what is written to have a file again.
type lostFile struct {
	upload postgres.Upload
	direct *postgres.DirectUpload // by which its bytes came to the blob store; nil for one that came through the API
}

func (l lostFile) insert(ctx context.Context, tx postgres.Tx) error {
	recovery, err := tx.LockRecovery(ctx)
	if err != nil {
		return err
	}
	if recovery == nil { // the blob may be about to be deleted as an orphan
		return noRecovery()
	}
	inserted, err := tx.InsertUploads(ctx, []postgres.Upload{l.upload}, recovery.NoticedAt, noAgeLimit)
	if err != nil {
		return err
	}
	if len(inserted) == 1 {
		return l.insertDirect(ctx, tx)
	}
	found, err := tx.UploadsByID(ctx, []uuid.UUID{l.upload.File.ID})
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		return errRecovered
	default:
		return uploadedAgain()
	}
}

func (l lostFile) insertDirect(ctx context.Context, tx postgres.Tx) error {
	if l.direct == nil {
		return nil
	}
	restored, err := tx.RestoreDirectUpload(ctx, *l.direct)
	if err == nil && !restored {
		err = uploadedAgain()
	}
	return err
}

func uploadedAgain() *problem.Problem {
	return problem.New(problem.UploadedAgain, "Its owner has uploaded it again: another file has the same idempotency key.")
}

// recovered returns the file if it exists, otherwise nil.
func (r *recoveries) recovered(ctx context.Context, id uuid.UUID) (*recoveredOutput, error) {
	found, err := r.DB.UploadsByID(ctx, []uuid.UUID{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &recoveredOutput{response.OfFileAndTask(found[0])}, nil
}

// readLost rebuilds a lost blob's upload from its note and its bytes.
func (r *recoveries) readLost(ctx context.Context, id uuid.UUID, in RecoverFile) (l lostFile, err error) {
	recovery, err := r.recovery(ctx)
	if err != nil {
		return l, err
	}
	listed, _, err := r.blobs.ListNotes(ctx, in.Blob, "", 1)
	if err != nil {
		return l, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	if len(listed) == 0 || listed[0].Name != in.Blob || !mayBeLost(listed[0], recovery) {
		return l, lostNotFound()
	}
	n, known := noteOf(listed[0])
	if !known {
		return l, problem.New(problem.NotRecoverable, "The blob does not say who its owner is.")
	}
	if n.Options == nil {
		if !in.DefaultOptions {
			return l, problem.New(problem.NotRecoverable,
				"Its parse options were too long to be stored with the blob. Set default_options to recover it without them.")
		}
		n.Options = json.RawMessage(`{}`)
	}
	l.upload = postgres.Upload{TaskID: n.TaskID, MessageID: task.NewID(), Options: n.Options, File: task.SourceFile{
		ID: id, Owner: n.Owner, Name: n.Name, MediaType: n.MediaType, BlobName: in.Blob, IdempotencyKey: n.Key, PartNo: n.PartNo,
	}}
	if receive.IsDirect(in.Blob) {
		return r.readDirect(ctx, l)
	}
	l.upload.File.SizeBytes, l.upload.File.SHA256, err = r.measure(ctx, in.Blob)
	return l, err
}

// readDirect leaves the bytes to a worker, as when the upload was completed.
func (r *recoveries) readDirect(ctx context.Context, l lostFile) (lostFile, error) {
	f := &l.upload.File
	blob, err := r.blobs.Stat(ctx, f.BlobName)
	if errors.Is(err, azure.ErrBlobNotFound) {
		return l, lostNotFound()
	}
	if err != nil {
		return l, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	f.SizeBytes, f.ETag = blob.SizeBytes, blob.ETag
	l.direct = &postgres.DirectUpload{
		ID: f.ID, TaskID: l.upload.TaskID, Owner: f.Owner, Name: f.Name, MediaType: f.MediaType, SizeBytes: f.SizeBytes, BlockBytes: f.SizeBytes,
		Options: l.upload.Options, IdempotencyKey: f.IdempotencyKey, BlobName: f.BlobName,
	}
	f.IdempotencyKey = ""
	return l, nil
}

// measure reads a blob to determine its size and hash.
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
	return problem.New(problem.NotFound, "No blob of this name can have been lost by the restore.")
}
