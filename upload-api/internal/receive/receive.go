// Package receive receives uploads, from the request's bytes to the committed upload: each file is streamed to the blob
// store, then its source_file row, its task and the outbox message for the worker are committed in one transaction.
package receive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/clock"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

// MaxAge is how long an upload may take, by the database's clock; orphan blobs are deleted only once they are older.
const MaxAge = 12 * time.Hour

// Receiver receives uploads. It is safe for concurrent use.
type Receiver struct {
	DB       *postgres.DB
	Blobs    *azure.Blobs
	Nudge    func(messageIDs ...uuid.UUID) // called with the ids of messages just committed; must not block
	Log      *slog.Logger
	Quota    postgres.Quota    // of each owner
	MaxBytes int64             // of one request's body
	Fetcher  *http.Client      // fetches files from URLs; nil: none are
	MaxAge   time.Duration     // of an upload, by the database's clock
	Metrics  *metrics.Recorder // may be nil

	clock recentNow
}

// Received is what one request has uploaded: every file is stored and its task is committed.
type Received struct {
	Files     []postgres.FileAndTask // in the order in which they were sent
	Options   json.RawMessage        // the parse options, the same for all files
	Multipart bool                   // they came in a multipart body, even if there was only one
	Replayed  bool                   // an earlier request with the same idempotency key has uploaded them
}

// Receive reads the files of an owner's request, stores each in its own blob and commits them all in one transaction.
// It returns only after the commit. If it fails, nothing is committed, unless the error is postgres.ErrAmbiguous. who has
// the owner and their roles, the owner first.
func (r *Receiver) Receive(ctx context.Context, who []string, request *http.Request) (*Received, error) {
	owner, elapsed := who[0], clock.Start()
	head, err := readHead(request, r.MaxBytes, func(mediaType string) bool { return r.fetchesURL(ctx, mediaType) })
	if err != nil {
		return nil, err
	}
	if !r.fetchesURL(ctx, head.mediaType) { // its key is known once its body has been read
		err = r.needQuota(ctx, owner, embed.Key(ctx, head.key))
	}
	if err != nil {
		return nil, err
	}
	in := &intake{r: r, owner: owner, who: who, key: embed.Key(ctx, head.key), isMultipart: head.boundary != ""}
	var earlier []postgres.FileAndTask
	switch {
	case head.boundary != "":
		err = in.multipart(ctx, request.Body, head)
	case r.fetchesURL(ctx, head.mediaType):
		earlier, err = in.url(ctx, request, head)
	default:
		err = in.raw(ctx, request, head)
	}
	if err != nil {
		in.discard(ctx, nil)
		return nil, err
	}
	if earlier != nil {
		return &Received{earlier, in.options, false, true}, nil
	}
	files, err := in.commit(ctx)
	if err != nil {
		return nil, err
	}
	replayed := files[0].File.ID != in.uploads[0].File.ID
	if !replayed {
		r.Metrics.Uploaded(metrics.InRequest, len(files), in.usage().Bytes, elapsed())
	}
	return &Received{files, in.options, in.isMultipart, replayed}, nil
}

// needQuota rejects an upload before its body is read if the owner's quota of the day is used up.
func (r *Receiver) needQuota(ctx context.Context, owner, key string) error {
	if r.Quota == (postgres.Quota{}) {
		return nil
	}
	return problem.OfQuota(r.DB.DayLeft(ctx, owner, key, r.Quota))
}

// intake is the state of one request's upload: each file is stored in its own blob, then all are committed together.
type intake struct {
	r         *Receiver
	owner     string
	who       []string  // the owner, and their roles
	key       string    // the idempotency key, or ""
	startedAt time.Time // by the database's clock
	options   json.RawMessage

	isMultipart      bool
	refuseDuplicates bool
	optionsBehind    bool     // of a multipart body: options came behind a file
	fields           int      // of a multipart body
	fieldSize        int      // their bytes
	blobs            []string // all that may exist so far
	uploads          []postgres.Upload
}

// raw receives a body that is the file itself.
func (in *intake) raw(ctx context.Context, request *http.Request, head head) error {
	name, err := head.fileName(request.Header)
	if err != nil {
		return err
	}
	head.query.Del("name")
	if err := in.parseQuery(ctx, head.query); err != nil {
		return err
	}
	if err := in.start(ctx); err != nil {
		return err
	}
	return in.store(ctx, name, head.mediaType, request.Body)
}

// parseQuery parses what a request's query, or form, says besides the name.
func (in *intake) parseQuery(ctx context.Context, query url.Values) (err error) {
	if in.options, err = optionsOfToken(ctx, query); in.options != nil || err != nil {
		return err
	}
	if in.refuseDuplicates, err = takeDuplicates(query); err != nil {
		return err
	}
	in.options, err = wholeOptions(ctx, in.r.DB, in.who, query)
	return err
}

// start takes the time by the database's clock, from which the blobs get their names and the upload its age. An earlier time ends the
// upload earlier, and with it the wait until its blobs are orphans.
func (in *intake) start(ctx context.Context) (err error) {
	in.startedAt, err = in.r.clock.now(ctx, in.r.DB)
	if err != nil {
		return fmt.Errorf("read the database's clock: %w", err)
	}
	return nil
}

// store streams one file into a new blob and records its metadata for the commit.
func (in *intake) store(ctx context.Context, name, mediaType string, src io.Reader) error {
	peeker := bufio.NewReader(src)
	if _, err := peeker.Peek(1); errors.Is(err, io.EOF) {
		return problem.New(problem.EmptyFile, "The file is empty.")
	} else if err != nil {
		return bodyProblem(err)
	}
	id := task.NewID()
	meter := &meter{src: peeker, hash: sha256.New()}
	blob := blobName(in.startedAt, id)
	in.blobs = append(in.blobs, blob)
	upload := postgres.Upload{TaskID: task.NewID(), MessageID: task.NewID(), Options: in.options, File: task.SourceFile{
		ID: id, Owner: in.owner, Name: name, MediaType: mediaType, BlobName: blob, IdempotencyKey: in.key, PartNo: len(in.uploads) + 1,
	}}
	err := in.r.Blobs.Upload(ctx, blob, meter, azure.WithNote(NoteOf(upload).Encode()))
	unread, isUnread := errors.AsType[*azure.ReadError](err)
	switch {
	case isUnread:
		return bodyProblem(unread.Err)
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	upload.File.SizeBytes, upload.File.SHA256 = meter.size, [32]byte(meter.hash.Sum(nil))
	if err := in.refuseEarlierPart(upload.File.SHA256); err != nil {
		return err
	}
	in.uploads = append(in.uploads, upload)
	return nil
}

// bodyProblem returns the problem of a body that cannot be read. Errors other than those of the connection and the
// limits mean malformed multipart.
func bodyProblem(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	return problem.New(problem.InvalidMultipart, "The body is not a complete multipart body.").Because(err)
}

// discard deletes blobs that nothing in the database refers to, except those to keep, and the blocks of one that was not
// received to its end. What it cannot delete, maintenance deletes as orphan blobs.
func (in *intake) discard(ctx context.Context, keep []string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	for _, blob := range in.blobs {
		if slices.Contains(keep, blob) {
			continue
		}
		if err := in.r.Blobs.Discard(ctx, blob); err != nil {
			in.r.Log.WarnContext(ctx, "a blob could not be deleted and is left as an orphan", "blob", blob, "error", err.Error())
		}
	}
}

// meter hashes and counts the bytes read through it.
type meter struct {
	src  io.Reader
	hash hash.Hash
	size int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.hash.Write(p[:n])
	m.size += int64(n)
	return n, err
}
