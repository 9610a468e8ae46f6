package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// blockBytes is how much is read from a Source at once. Two blocks are held: one is read while the other is used.
const blockBytes = 1 << 20

// readAhead reads a Source from an offset to its end, one block ahead.
type readAhead struct {
	ctx    context.Context
	src    Source
	off    int64 // of the block to request next
	block  []byte
	unread []byte // the rest of block
	spare  []byte
	ahead  chan readResult // receives the requested block
	asked  bool
}

type readResult struct {
	block []byte
	err   error
}

func newReadAhead(ctx context.Context, src Source, off int64, size int) *readAhead {
	size = int(min(int64(size), max(1, src.Size()-off)))
	return &readAhead{ctx: ctx, src: src, off: off, block: make([]byte, size), spare: make([]byte, size), ahead: make(chan readResult, 1)}
}

// Read returns io.EOF at the end of the Source and wraps its errors.
func (r *readAhead) Read(p []byte) (int, error) {
	if len(r.unread) == 0 {
		if err := r.turn(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// turn takes the requested block and requests the one after it.
func (r *readAhead) turn() error {
	if err := r.ctx.Err(); err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	r.ask()
	if !r.asked {
		return io.EOF
	}
	got := <-r.ahead
	r.asked = false
	if got.err != nil {
		return got.err
	}
	r.block, r.spare = r.spare[:cap(r.spare)], r.block
	r.unread = got.block
	r.ask()
	return nil
}

func (r *readAhead) ask() {
	n := min(int64(cap(r.spare)), r.src.Size()-r.off)
	if r.asked || n <= 0 {
		return
	}
	r.asked = true
	block, off := r.spare[:n], r.off
	r.off += n
	go func() { r.ahead <- readResult{block, readFull(r.src, block, off)} }()
}

// close waits for the requested block.
func (r *readAhead) close() {
	if r.asked {
		<-r.ahead
		r.asked = false
	}
}

// readFull fills b from off. An end of the Source before that is an error of the Source, as is a network error that
// wraps io.EOF: neither may be taken for the end of the file.
func readFull(src Source, b []byte, off int64) error {
	n, err := src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("read the file at byte %d (%s): %w", off+int64(n), fmt.Sprint(err), io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("read the file at byte %d: %w", off+int64(n), err)
}
