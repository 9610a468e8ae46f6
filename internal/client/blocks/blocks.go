// Package blocks sends a file straight to a blob store, block by block and several at once, to an address of sheetdrop's POST /uploads. It
// reads each block twice, once for its checksum and once to send it, and keeps none in memory.
package blocks

import (
	"context"
	"io"
	"iter"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// Upload is a file to send. Its fields must not change while Send runs.
type Upload struct {
	Content   io.ReaderAt
	Size      int64   // in bytes
	BlockSize int64   // of each block but the last one, in bytes
	Stored    []Range // which blocks need not be sent, in ascending order

	// Address returns an address that is valid from now on. It is called for the first one, when half of the last one's life is over, and
	// when the store refuses one; never by two goroutines at once. Its error ends Send.
	Address func(context.Context) (Address, error)

	// Progress is called with the number of bytes that the store has acknowledged, those of Stored among them, in ascending order.
	Progress func(bytes int64)

	// Waiting is called with the reason when blocks have to be sent again, once until the next call of Progress; never beside Progress.
	Waiting func(error)

	GiveUpAfter  time.Duration // how long no block may be stored, for all tries, before Send returns the last error
	StallTimeout time.Duration // how long a request may stand still before it is repeated, if less is not left of GiveUpAfter
}

// Range is blocks by their numbers from 0, both ends included.
type Range struct{ First, Last int64 }

// Address is where the blocks can be written.
type Address struct {
	URL  string        // with the signature: a secret
	Life time.Duration // from now on
}

// How many blocks are sent at once. What has not been acknowledged is lost when an upload is broken off: that is bounded, too.
const (
	mostAtOnce      = 8
	mostBytesAtOnce = 64 << 20
)

// Send sends the blocks that are not stored and returns when all of them are; committing them is left to sheetdrop. Damage on the way,
// answers of 429 and 5xx, an address that has expired and a network that is away are tried again. After an error, or the end of ctx, what
// is stored stays. Errors are *Refused, of the network, of Content, of Address or of ctx; none tells an address.
func (u *Upload) Send(ctx context.Context) error {
	s := newSender(u)
	defer s.client.CloseIdleConnections()
	sending, sendCtx := errgroup.WithContext(ctx)
	sending.SetLimit(int(min(mostAtOnce, max(1, mostBytesAtOnce/u.BlockSize))))
	for number := range u.missing() {
		if sendCtx.Err() != nil {
			break
		}
		sending.Go(func() error { return s.send(sendCtx, number) })
	}
	err := sending.Wait()
	if ctx.Err() != nil {
		return ctx.Err() // rather than what failed because of it
	}
	return err
}

func (u *Upload) blocks() int64 { return (u.Size + u.BlockSize - 1) / u.BlockSize }

// block returns a reader of a block.
func (u *Upload) block(number int64) *io.SectionReader {
	start := number * u.BlockSize
	return io.NewSectionReader(u.Content, start, min(u.BlockSize, u.Size-start))
}

func (u *Upload) missing() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		stored := u.Stored
		for number := range u.blocks() {
			for len(stored) > 0 && stored[0].Last < number {
				stored = stored[1:]
			}
			isStored := len(stored) > 0 && stored[0].First <= number
			if !isStored && !yield(number) {
				return
			}
		}
	}
}

func (u *Upload) storedBytes() (bytes int64) {
	bytes = u.Size
	for number := range u.missing() {
		bytes -= u.block(number).Size()
	}
	return bytes
}

// newClient returns a client that keeps a connection for each block that is sent, and does not follow the store elsewhere.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = mostAtOnce
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
