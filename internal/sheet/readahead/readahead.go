// Package readahead reads a file block by block, one block ahead of who uses it.
package readahead

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Reader reads a file from an offset to its end, one block ahead. It holds two blocks: one is read while the other is used.
type Reader struct {
	ctx    context.Context
	src    io.ReaderAt
	size   int64 // of the file
	off    int64 // of the block to request next
	block  []byte
	unread []byte // the rest of block
	spare  []byte
	joined []byte          // a block behind a tail that has no room before it
	ahead  chan readResult // receives the requested block
	asked  bool
}

// A block has so much room before it, for the tail of the one before, and behind it.
const roomBefore, roomBehind = 4 << 10, 64

type readResult struct {
	block []byte
	err   error
}

// New returns a reader of a file of size bytes, in blocks of block bytes. It reads nothing before it is asked.
func New(ctx context.Context, src io.ReaderAt, size, off int64, block int) *Reader {
	block = int(min(int64(block), max(1, size-off)))
	room := roomBefore + block + roomBehind
	return &Reader{
		ctx: ctx, src: src, size: size, off: off, block: make([]byte, room), spare: make([]byte, room), ahead: make(chan readResult, 1),
	}
}

// Read returns io.EOF at the end of the file and wraps the errors of reading it.
func (r *Reader) Read(p []byte) (int, error) {
	if len(r.unread) == 0 {
		block, err := r.NextBlock(nil)
		if err != nil {
			return 0, err
		}
		if block == nil {
			return 0, io.EOF
		}
		r.unread = block
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// NextBlock returns the block behind that of the call before, in memory of the Reader, until the next call. In front of it is tail, the end
// of what that call returned. It returns nil at the end of the file. Whoever calls it does not call Read.
func (r *Reader) NextBlock(tail []byte) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	r.ask()
	if !r.asked {
		return nil, nil
	}
	got := <-r.ahead
	r.asked = false
	if got.err != nil {
		return nil, got.err
	}
	r.block, r.spare = r.spare, r.block
	text := r.join(tail, got.block)
	r.ask()
	return text, nil
}

// join returns the block with the tail in front of it.
func (r *Reader) join(tail, block []byte) []byte {
	if start := roomBefore - len(tail); start >= 0 {
		copy(r.block[start:], tail)
		return r.block[start : roomBefore+len(block)]
	}
	r.joined = append(append(r.joined[:0], tail...), block...)
	r.joined = slices.Grow(r.joined, roomBehind)
	return r.joined
}

func (r *Reader) ask() {
	room := r.spare[roomBefore : len(r.spare)-roomBehind]
	n := min(int64(len(room)), r.size-r.off)
	if r.asked || n <= 0 {
		return
	}
	r.asked = true
	block, off := room[:n], r.off
	r.off += n
	go func() { r.ahead <- readResult{block, Full(r.src, block, off)} }()
}

// Close waits for the requested block.
func (r *Reader) Close() {
	if r.asked {
		<-r.ahead
		r.asked = false
	}
}

// Full fills b from off. An end of the file before that is an error of its store, as is a network error that
// wraps io.EOF: neither may be taken for the end of the file.
func Full(src io.ReaderAt, b []byte, off int64) error {
	n, err := src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("read the file at byte %d (%s): %w", off+int64(n), fmt.Sprint(err), io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("read the file at byte %d: %w", off+int64(n), err)
}
