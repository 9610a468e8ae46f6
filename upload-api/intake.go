package upload

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"slices"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// blobFolder is the day of an upload's start, by the database's clock; the file's id is the rest of a blob's name.
const blobFolder = "2006/01/02/"

// intake is one request's files on their way: first each into a blob of its own, then all into the database at once.
type intake struct {
	h         *Handler
	owner     string
	key       string    // the idempotency key, or ""
	startedAt time.Time // by the database's clock
	options   json.RawMessage
	fields    int      // of a multipart body
	fieldSize int      // their bytes
	blobs     []string // all that may exist by now
	uploads   []postgres.Upload
}

// raw takes a body that is the file itself.
func (in *intake) raw(ctx context.Context, input *postFileInput, mediaType string, query url.Values) error {
	name, err := input.fileName()
	if err != nil {
		return err
	}
	query.Del("name")
	if in.options, err = parseOptions(query); err != nil {
		return err
	}
	if err := in.start(ctx); err != nil {
		return err
	}
	return in.store(ctx, name, mediaType, input.request.Body)
}

// start reads the database's clock, from which the blobs get their names and the upload its age.
func (in *intake) start(ctx context.Context) (err error) {
	in.startedAt, err = in.h.db.Now(ctx)
	if err != nil {
		return fmt.Errorf("read the database's clock: %w", err)
	}
	return nil
}

// store streams one file into a new blob and keeps its facts for the commit.
func (in *intake) store(ctx context.Context, name, mediaType string, src io.Reader) error {
	peeker := bufio.NewReader(src)
	if _, err := peeker.Peek(1); errors.Is(err, io.EOF) {
		return problem(EmptyFile, "The file is empty.")
	} else if err != nil {
		return bodyProblem(err)
	}
	id := task.NewID()
	meter := &meter{src: peeker, hash: sha256.New()}
	blob := in.startedAt.UTC().Format(blobFolder) + id.String()
	in.blobs = append(in.blobs, blob)
	upload := postgres.Upload{TaskID: task.NewID(), MessageID: task.NewID(), Options: in.options, File: task.SourceFile{
		ID: id, Owner: in.owner, Name: name, MediaType: mediaType, BlobName: blob, IdempotencyKey: in.key, PartNo: len(in.uploads) + 1,
	}}
	err := in.h.blobs.Upload(ctx, blob, meter, azure.WithNote(noteOf(upload).encode()))
	switch {
	case meter.err != nil:
		return bodyProblem(meter.err)
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return problem(StorageUnavailable, "The blob store does not answer. Please try again.").because(err)
	}
	upload.File.SizeBytes, upload.File.SHA256 = meter.size, [32]byte(meter.hash.Sum(nil))
	in.uploads = append(in.uploads, upload)
	return nil
}

// bodyProblem gives the problem of a body that cannot be read. What is not the connection's or the limit's is the format of multipart.
func bodyProblem(err error) error {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return problem(InvalidMultipart, "The body is no whole multipart body.").because(err)
}

// discard deletes blobs that nothing in the database names, but for those to keep. What it cannot delete, the sweep does.
func (in *intake) discard(ctx context.Context, keep []string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	for _, blob := range in.blobs {
		if slices.Contains(keep, blob) {
			continue
		}
		if err := in.h.blobs.Delete(ctx, blob); err != nil {
			in.h.log.WarnContext(ctx, "a blob is left for the sweep", "blob", blob, "error", err.Error())
		}
	}
}

// meter hashes and counts what is read through it and keeps the error that ended it early.
type meter struct {
	src  io.Reader
	hash hash.Hash
	size int64
	err  error
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.hash.Write(p[:n])
	m.size += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		m.err = err
	}
	return n, err
}
