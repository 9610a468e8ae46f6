package azure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"sheetdrop/internal/fault"
)

// ErrBlobNotFound is returned for a blob that does not exist, or no longer does.
var ErrBlobNotFound = errors.New("blob not found")

// ErrBlobChanged is returned if a blob is no longer the version that is read.
var ErrBlobChanged = errors.New("the blob has changed")

// Blobs is the container of uploaded files. It is safe for concurrent use.
type Blobs struct {
	client     *container.Client
	container  string
	delegation *delegation   // signs addresses; nil where there is an account key
	stall      time.Duration // stallTimeout
}

// uploadBlock and uploadConcurrency limit the memory of one upload to about 6 MiB: the process takes less than 256 with the 32 at once that
// are the default.
const (
	uploadBlock       = 3 << 20
	uploadConcurrency = 2
)

// smallUpload is the size below which a body is no stream for the SDK, which maps memory for a whole block of each.
const smallUpload = 32 << 10

// UploadOption modifies an upload.
type UploadOption func(*blockblob.UploadStreamOptions)

// WithNote stores a text of up to MaxNote bytes of ASCII with the blob, which ListNotes returns; "" means none.
func WithNote(text string) UploadOption {
	return func(o *blockblob.UploadStreamOptions) {
		if text != "" {
			o.Metadata = map[string]*string{noteKey: &text}
		}
	}
}

// ReadError wraps the error with which reading the body of an upload failed.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return "read the body: " + e.Err.Error() }

func (e *ReadError) Unwrap() error { return e.Err }

// Upload streams body into a new blob; a name that is already used is an error of the service, for which a call is repeated. An error of
// body.Read is returned as a *ReadError, and no blob remains.
func (b *Blobs) Upload(ctx context.Context, name string, body io.Reader, options ...UploadOption) error {
	source := &errorKeeper{reader: body}
	stream := &blockblob.UploadStreamOptions{
		BlockSize: uploadBlock, Concurrency: uploadConcurrency, AccessConditions: ifNew(),
	}
	for _, add := range options {
		add(stream)
	}
	err := b.put(ctx, name, source, stream)
	if source.err != nil {
		return &ReadError{source.err}
	}
	if bloberror.HasCode(err, bloberror.BlobAlreadyExists) { // names are new: an earlier try has stored it, whose answer was lost
		err = fault.Mark(fault.Service, err)
	}
	if err != nil {
		return fmt.Errorf("upload blob: %w", err)
	}
	return nil
}

// put sends a body in one request, or in blocks if it is not small.
func (b *Blobs) put(ctx context.Context, name string, body *errorKeeper, stream *blockblob.UploadStreamOptions) error {
	client := b.client.NewBlockBlobClient(name)
	begin := make([]byte, smallUpload) // not used again: a request that was cancelled may still read it
	n, err := io.ReadFull(body, begin)
	switch {
	case body.err != nil:
		return body.err
	case err == nil:
		_, err = client.UploadStream(ctx, io.MultiReader(bytes.NewReader(begin), body), stream)
	default: // it has ended
		_, err = client.Upload(ctx, streaming.NopCloser(bytes.NewReader(begin[:n])), &blockblob.UploadOptions{
			Metadata: stream.Metadata, AccessConditions: stream.AccessConditions,
		})
	}
	return err
}

// errorKeeper remembers the first error of a reader other than io.EOF, which the SDK may not return.
type errorKeeper struct {
	reader io.Reader
	err    error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		k.err = err
	}
	return n, err
}

// Download returns a blob's bytes as a stream and their number, of the version with that ETag unless it is "". The error is
// ErrBlobNotFound where the blob is gone, ErrBlobChanged where it has another ETag. The caller closes the stream.
func (b *Blobs) Download(ctx context.Context, name, etag string) (io.ReadCloser, int64, error) {
	client := b.client.NewBlobClient(name)
	response, err := client.DownloadStream(ctx, &blob.DownloadStreamOptions{AccessConditions: ifVersion(etag)})
	if err != nil {
		return nil, 0, fmt.Errorf("download blob: %w", explain(ctx, client, err))
	}
	return response.NewRetryReader(ctx, nil), *response.ContentLength, nil
}

// Delete deletes a blob with its snapshots, also a leased one: whoever can write the blob could lease it. Deleting one
// that does not exist succeeds.
func (b *Blobs) Delete(ctx context.Context, name string) error {
	client := b.client.NewBlobClient(name)
	all := &blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeInclude)}
	_, err := client.Delete(ctx, all)
	if bloberror.HasCode(err, bloberror.LeaseIDMissing) {
		if err = breakLease(ctx, client); err == nil {
			_, err = client.Delete(ctx, all)
		}
	}
	if err != nil && !bloberror.HasCode(err, bloberror.BlobNotFound) {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

func breakLease(ctx context.Context, client *blob.Client) error {
	holder, err := lease.NewBlobClient(client, nil)
	if err == nil {
		_, err = holder.BreakLease(ctx, &lease.BlobBreakOptions{BreakPeriod: new(int32(0))})
	}
	return err
}

// List returns up to limit names in order, also those of which only blocks were written, from the marker that an
// earlier call returned ("" is the beginning), and the next marker, "" at the end.
func (b *Blobs) List(ctx context.Context, marker string, limit int) (names []string, next string, err error) {
	options := &container.ListBlobsFlatOptions{MaxResults: new(int32(limit)), Include: container.ListBlobsInclude{UncommittedBlobs: true}}
	if marker != "" {
		options.Marker = &marker
	}
	page, err := b.client.NewListBlobsFlatPager(options).NextPage(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("list blobs: %w", err)
	}
	for _, item := range page.Segment.BlobItems {
		names = append(names, *item.Name)
	}
	if page.NextMarker != nil {
		next = *page.NextMarker
	}
	return names, next, nil
}

// Ready returns nil if the container exists and answers.
func (b *Blobs) Ready(ctx context.Context) error {
	_, err := b.client.GetProperties(ctx, nil)
	if err != nil {
		return fmt.Errorf("read container properties: %w", err)
	}
	return nil
}

// ifVersion is the condition of a read of one version of a blob; nil for any.
func ifVersion(etag string) *blob.AccessConditions {
	if etag == "" {
		return nil
	}
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: new(azcore.ETag(etag))}}
}

// explain tells a blob that is gone from one that has changed: the answer to a read of a version that is not there is the same for both.
// One in the archive has changed, too: the service moves none there, but who may write a blob can.
func explain(ctx context.Context, client *blob.Client, err error) error {
	if bloberror.HasCode(err, bloberror.BlobArchived, bloberror.BlobBeingRehydrated) {
		return ErrBlobChanged
	}
	if !bloberror.HasCode(err, bloberror.ConditionNotMet) {
		return notFound(err)
	}
	if _, err := client.GetProperties(ctx, nil); err != nil {
		return notFound(err)
	}
	return ErrBlobChanged
}

func notFound(err error) error {
	if bloberror.HasCode(err, bloberror.BlobNotFound) {
		return ErrBlobNotFound
	}
	return err
}
