package blocks

import (
	"context"
	"crypto/md5" //nolint:gosec // the store's checksum against damage on the way
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/clock"
)

// pauses are between the tries of a block.
var pauses = backoff.Policy{First: 250 * time.Millisecond, Max: 15 * time.Second}

// mostForbidden is how often a block is refused with addresses that were renewed for it, before they are not what is wrong.
const mostForbidden = 3

// shortestTry is how long a request may stand still however little is left of GiveUpAfter: a store that is well answers sooner.
const shortestTry = 5 * time.Second

// sender sends the blocks of one upload. It is safe for concurrent use.
type sender struct {
	upload    *Upload
	client    *http.Client
	addresses addresses

	mu          sync.Mutex
	storedBytes int64
	sinceStored func() time.Duration // the last block, or the beginning
	waiting     bool                 // Waiting has been called since
}

func newSender(u *Upload) *sender {
	return &sender{
		upload: u, client: newClient(), addresses: addresses{renew: u.Address}, storedBytes: u.storedBytes(), sinceStored: clock.Start(),
	}
}

// send sends a block until it is stored, or no block has been stored for too long.
func (s *sender) send(ctx context.Context, number int64) error {
	forbidden := 0
	for failures := 1; ; failures++ {
		address, err := s.addresses.get(ctx)
		if err != nil {
			return err
		}
		err = s.put(ctx, address, number)
		if err == nil {
			s.stored(s.upload.block(number).Size())
			return nil
		}
		refused, _ := errors.AsType[*Refused](err)
		if refused.forbidden() {
			forbidden++
		}
		if !transient(err, refused) || forbidden > mostForbidden || ctx.Err() != nil || s.left() <= 0 {
			return err
		}
		if refused == nil || refused.forbidden() { // a store may also reset the connection when an address has expired
			s.addresses.discard(address)
		}
		s.wait(err)
		if s.pause(ctx, failures); ctx.Err() != nil {
			return err
		}
	}
}

// left returns how much of GiveUpAfter is left; it is less than nothing after that.
func (s *sender) left() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.upload.GiveUpAfter - s.sinceStored()
}

// pause waits before the next try, which may be the last one.
func (s *sender) pause(ctx context.Context, failures int) {
	ctx, stop := context.WithTimeout(ctx, s.left())
	defer stop()
	_ = pauses.Wait(ctx, failures)
}

// stallTimeout returns how long a request that begins now may stand still, so that GiveUpAfter holds for a store that never answers, too.
func (s *sender) stallTimeout() time.Duration {
	return min(s.upload.StallTimeout, max(shortestTry, s.left()))
}

// stored counts a block.
func (s *sender) stored(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.storedBytes += bytes
	s.sinceStored, s.waiting = clock.Start(), false
	s.upload.Progress(s.storedBytes)
}

// wait says once why nothing is stored.
func (s *sender) wait(reason error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.waiting {
		s.waiting = true
		s.upload.Waiting(reason)
	}
}

// put sends a block once. Its error is a *Refused, a *readError, or of the network.
func (s *sender) put(ctx context.Context, address string, number int64) error {
	sum := md5.New() //nolint:gosec // likewise
	if _, err := io.Copy(sum, s.upload.block(number)); err != nil {
		return &readError{err}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timeout := s.stallTimeout()
	stalled := time.AfterFunc(timeout, func() { stop(errStalled) })
	defer stalled.Stop()
	block := s.upload.block(number)
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, address+"&comp=block&blockid="+blockID(number), movingReader{block, func() {
		stalled.Reset(timeout)
	}})
	if err != nil {
		return withoutAddress(err)
	}
	r.ContentLength = block.Size()
	r.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum.Sum(nil)))
	answer, err := s.client.Do(r)
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errStalled):
		return errStalled
	case err != nil:
		return withoutAddress(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		return refusal(answer)
	}
	_, _ = io.Copy(io.Discard, answer.Body) // so that the connection is used again
	return nil
}

// blockID is a block's id as POST /uploads has it: all of one length, of letters and digits alone.
func blockID(number int64) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", number))
}

// movingReader reports each read.
type movingReader struct {
	io.Reader
	moved func()
}

func (m movingReader) Read(p []byte) (int, error) {
	m.moved()
	return m.Reader.Read(p)
}

// withoutAddress removes the address, which is a secret, from an error of the network.
func withoutAddress(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		return of.Err
	}
	return err
}
