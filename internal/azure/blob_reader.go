package azure

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// A reader has three buffers of 5 MiB, and so 15 MiB, whatever the blob's size: 60 MiB in a process of four runs. One is read while two are
// filled: where storage takes 100 ms to answer, these may bring 100 MiB a second, which is more than the database takes. Azurite makes the
// MD5 of a range of up to 4 MiB, though nobody asks for it, and so reads it twice (downloadBlockBlobOrAppendBlob in its BlobHandler.ts).
const (
	readBlock  = 5 << 20
	keptBlocks = 3
)

// BlobReader reads one version of a blob at any place. A reader that goes on where it stopped gets whole blocks, and the next ones are
// fetched ahead at the same time; a look at some other place fetches no more than was asked for. It may be used by several goroutines.
type BlobReader struct {
	ctx     context.Context // of the run that reads: io.ReaderAt has no place for one
	cancel  context.CancelFunc
	blob    version
	size    int64
	buffers chan []byte // those that no block has; nil stands for one that was not needed yet
	fetches sync.WaitGroup

	mu     sync.Mutex
	end    int64    // where the last read ended
	blocks []*block // oldest first
}

// block is a part of the blob that is there, or under way. Its fields below ready are set once that is closed.
type block struct {
	number  int64
	readers int // that wait for it
	cancel  context.CancelFunc
	ready   chan struct{}
	data    []byte
	err     error
}

// Open asks for a blob's beginning and so for its size, in one request. All reads are of the version with that ETag; where it is "", of the
// one that is found. The error is ErrBlobNotFound where the blob is gone, ErrBlobChanged where it has another ETag, here as in every read.
// ctx ends the reads too. The caller closes the reader.
func (b *Blobs) Open(ctx context.Context, name, etag string) (*BlobReader, error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &BlobReader{
		ctx: ctx, cancel: cancel, buffers: make(chan []byte, keptBlocks),
		blob: version{client: b.client.NewBlobClient(name), etag: etag, stall: b.stall},
	}
	for range keptBlocks {
		r.buffers <- nil
	}
	head, err := r.blob.head(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	if head != nil {
		r.size = head.blobSize
		r.fetch(0, head)
	}
	return r, nil
}

// Size is the blob's length in bytes.
func (r *BlobReader) Size() int64 { return r.size }

// Close ends the requests that are under way.
func (r *BlobReader) Close() {
	r.cancel()
	r.fetches.Wait()
}

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
		copied, err := r.copyBlock(p[n:], at)
		if err != nil {
			return n, err
		}
		n += copied
	}
	return n, nil
}

// isLook reports whether a read neither goes on where the last one ended nor falls near a block.
func (r *BlobReader) isLook(offset int64, length int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := offset / readBlock
	look := offset != r.end && offset < r.size && length < readBlock && r.find(first) == nil && r.find(first-1) == nil
	r.end = offset + int64(length)
	return look
}

func (r *BlobReader) look(p []byte, offset int64) (int, error) {
	n := min(int64(len(p)), r.size-offset)
	if err := r.blob.read(r.ctx, p[:n], offset, nil); err != nil {
		return 0, err
	}
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

// copyBlock copies what a block has from offset on.
func (r *BlobReader) copyBlock(p []byte, offset int64) (int, error) {
	b := r.use(offset / readBlock)
	<-b.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	b.readers--
	if b.err != nil {
		r.drop(b) // so that the next read tries again
		return 0, b.err
	}
	n := copy(p, b.data[offset%readBlock:])
	r.trim()
	return n, nil
}

// use finds a block, or starts to fetch it. Where the reader comes from the block before, it starts on the next ones as well and drops all
// others, unless the whole blob fits; at the blob's beginning on one alone, since a workbook's reader goes on at the end.
func (r *BlobReader) use(number int64) *block {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := number
	switch {
	case number == 0:
		last = 1
	case r.find(number-1) != nil:
		last = number + keptBlocks - 1
		r.dropUnless(func(b *block) bool { return number <= b.number && b.number <= last || r.size <= keptBlocks*readBlock })
	}
	used := r.findOrFetch(number)
	used.readers++
	for next := number + 1; next <= last && next*readBlock < r.size; next++ {
		r.findOrFetch(next)
	}
	r.trim()
	return used
}

func (r *BlobReader) find(number int64) *block {
	for _, b := range r.blocks {
		if b.number == number {
			return b
		}
	}
	return nil
}

func (r *BlobReader) findOrFetch(number int64) *block {
	if b := r.find(number); b != nil {
		return b
	}
	return r.fetch(number, nil)
}

// fetch starts to fill a block, with what comes of body first. r.mu is held, or nobody else has the reader.
func (r *BlobReader) fetch(number int64, body *answer) *block {
	ctx, cancel := context.WithCancel(r.ctx)
	b := &block{number: number, cancel: cancel, ready: make(chan struct{})}
	r.blocks = append(r.blocks, b)
	r.fetches.Go(func() {
		defer cancel()
		data, err := r.fill(ctx, number, body)
		r.mu.Lock()
		defer r.mu.Unlock()
		b.data, b.err = data, err
		close(b.ready)
		if !slices.Contains(r.blocks, b) {
			r.recycle(b)
		}
	})
	return b
}

// fill waits for a buffer and reads a block into it.
func (r *BlobReader) fill(ctx context.Context, number int64, body *answer) ([]byte, error) {
	var buffer []byte
	select {
	case buffer = <-r.buffers:
	case <-ctx.Done():
		if body != nil {
			body.close()
		}
		return nil, context.Cause(ctx)
	}
	start := number * readBlock
	size := int(min(readBlock, r.size-start))
	if cap(buffer) < size {
		buffer = make([]byte, size)
	}
	return buffer[:size], r.blob.read(ctx, buffer[:size], start, body)
}

// dropUnless drops the blocks that are not to be kept and that nobody waits for. For this and the following r.mu is held.
func (r *BlobReader) dropUnless(keep func(*block) bool) {
	for _, b := range slices.Clone(r.blocks) {
		if b.readers == 0 && !keep(b) {
			r.drop(b)
		}
	}
}

// trim drops the oldest blocks of those that are too many and that nobody waits for.
func (r *BlobReader) trim() {
	r.dropUnless(func(*block) bool { return len(r.blocks) <= keptBlocks })
}

// drop forgets a block, unless that was done, and ends its fetching.
func (r *BlobReader) drop(b *block) {
	i := slices.Index(r.blocks, b)
	if i < 0 {
		return
	}
	r.blocks = slices.Delete(r.blocks, i, i+1)
	b.cancel()
	select {
	case <-b.ready:
		r.recycle(b)
	default: // its fetching does that
	}
}

// recycle takes back the buffer of a block that was filled and dropped.
func (r *BlobReader) recycle(b *block) {
	if b.data != nil {
		r.buffers <- b.data[:0]
		b.data = nil
	}
}
