package azure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
)

// The reader keeps a few big blocks, so that its memory does not grow with the blob.
const (
	readBlock  = 4 << 20
	keptBlocks = 4
)

// BlobReader reads a blob at any place. A reader that goes on where it stopped gets whole blocks, the next one ahead, of which the last few
// are kept; a look at some other place fetches no more than was asked for. All of its reads are of one version of the blob. It may be
// used by several goroutines.
type BlobReader struct {
	ctx    context.Context // of the run that reads: io.ReaderAt has no place for one
	client *blob.Client
	size   int64
	etag   *azcore.ETag

	mu     sync.Mutex
	end    int64    // where the last read ended
	blocks []*block // most recently used first
	ahead  sync.WaitGroup
}

type block struct {
	number int64
	data   []byte
	err    error
	ready  chan struct{}
}

// Open looks up a blob's size. All reads are of the version with that ETag; where it is "", of the one that is found. The error is ErrBlobNotFound
// where the blob is gone, ErrBlobChanged where it has another ETag, here as in every read. ctx ends the reads too. The caller closes the reader.
func (b *Blobs) Open(ctx context.Context, name, etag string) (*BlobReader, error) {
	client := b.client.NewBlobClient(name)
	properties, err := client.GetProperties(ctx, &blob.GetPropertiesOptions{AccessConditions: ifVersion(etag)})
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", explain(ctx, client, err))
	}
	return &BlobReader{ctx: ctx, client: client, size: *properties.ContentLength, etag: properties.ETag}, nil
}

// Size is the blob's length in bytes.
func (r *BlobReader) Size() int64 { return r.size }

// Close waits for reads ahead that are under way; cancel the context first to make that quick.
func (r *BlobReader) Close() { r.ahead.Wait() }

// ReadAt fills p from offset on, as io.ReaderAt says.
func (r *BlobReader) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 {
		return 0, errors.New("negative offset")
	}
	if r.isLook(offset, len(p)) {
		return r.look(p, offset)
	}
	n := 0
	for n < len(p) {
		at := offset + int64(n)
		if at >= r.size {
			return n, io.EOF
		}
		data, err := r.block(at / readBlock)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data[at%readBlock:])
	}
	return n, nil
}

// isLook reports whether a read neither goes on where the last one ended nor falls near a kept block.
func (r *BlobReader) isLook(offset int64, length int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := offset / readBlock
	look := offset != r.end && offset < r.size && length < readBlock && !r.kept(first) && !r.kept(first-1)
	r.end = offset + int64(length)
	return look
}

func (r *BlobReader) look(p []byte, offset int64) (int, error) {
	n := min(int64(len(p)), r.size-offset)
	if err := r.download(p[:n], offset); err != nil {
		return 0, err
	}
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

// block returns a block's bytes, fetching it where it is not kept, and starts on the next one when the one before it was just read.
func (r *BlobReader) block(number int64) ([]byte, error) {
	r.mu.Lock()
	found := r.take(number)
	inOrder := number == 0 || r.kept(number-1)
	if next := number + 1; inOrder && next*readBlock < r.size && !r.kept(next) {
		r.take(next)
		r.touch(number) // the block in use stays ahead of the one that is only expected
	}
	r.mu.Unlock()
	<-found.ready
	if found.err != nil {
		r.forget(found)
	}
	return found.data, found.err
}

// take moves a block to the front, starting to fetch it if it is new, and drops the one not used for longest. r.mu is held.
func (r *BlobReader) take(number int64) *block {
	if r.touch(number) {
		return r.blocks[0]
	}
	b := &block{number: number, ready: make(chan struct{})}
	r.blocks = append([]*block{b}, r.blocks[:min(len(r.blocks), keptBlocks-1)]...)
	r.ahead.Go(func() { r.fetch(b) })
	return b
}

func (r *BlobReader) touch(number int64) bool {
	for i, b := range r.blocks {
		if b.number == number {
			copy(r.blocks[1:i+1], r.blocks[:i])
			r.blocks[0] = b
			return true
		}
	}
	return false
}

func (r *BlobReader) kept(number int64) bool {
	for _, b := range r.blocks {
		if b.number == number {
			return true
		}
	}
	return false
}

// forget drops a block that could not be fetched, so that the next read tries again.
func (r *BlobReader) forget(failed *block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, b := range r.blocks {
		if b == failed {
			r.blocks = append(r.blocks[:i], r.blocks[i+1:]...)
			return
		}
	}
}

func (r *BlobReader) fetch(b *block) {
	defer close(b.ready)
	start := b.number * readBlock
	b.data = make([]byte, min(readBlock, r.size-start))
	b.err = r.download(b.data, start)
}

func (r *BlobReader) download(into []byte, offset int64) error {
	_, err := r.client.DownloadBuffer(r.ctx, into, &blob.DownloadBufferOptions{
		Range: blob.HTTPRange{Offset: offset, Count: int64(len(into))}, BlockSize: readBlock, Concurrency: 1,
		AccessConditions: ifVersion(string(*r.etag)),
	})
	if err != nil {
		return fmt.Errorf("read blob at %d: %w", offset, explain(r.ctx, r.client, err))
	}
	return nil
}
